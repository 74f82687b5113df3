import { ByteWriter } from '../byte-writer.ts';
import { type CommandEncoder, textParameter, wholeParameter } from '../commands.ts';
import { encodePacket } from './encode.ts';
import { phoneOf } from './packet.ts';
import { writeParameters } from './parameters.ts';

/**
 * A command as the message id and its parameters, as text: `8103 0029=60` sets parameters, `8105 4` restarts. Any other
 * text is sent to the terminal as text (0x8300), which is how makers receive their own commands.
 */
export function encodeCommand(command: string, reference: number, identity: string): Uint8Array {
  const [word = '', ...rest] = command.split(' ');
  const id = /^8[0-9A-F]{3}$/i.test(word) ? Number.parseInt(word, 16) : TEXT;
  const body = BODIES[id]?.(rest, identity) ?? null;
  return body === null
    ? encodePacket(TEXT, identity, reference, textBody(command, FOR_THE_TERMINAL, identity))
    : encodePacket(id, identity, reference, body);
}

const TEXT = 0x8300;
/** Table 38: bit 2 to show it, bit 3 to read it aloud; neither for text that is a command. */
const FOR_THE_DRIVER = 0b0000_1100;
const FOR_THE_TERMINAL = 0b0000_0001;
const NOTIFICATION = 1;

function textBody(text: string, flags: number, identity: string): Uint8Array {
  const writer = new ByteWriter().u8(flags);
  if (phoneOf(identity).versioned) writer.u8(NOTIFICATION);
  return writer.ascii(text).done();
}

type Body = (words: readonly string[], identity: string) => Uint8Array | null;

const empty: Body = words => (words.length === 0 ? new Uint8Array(0) : null);
const byte = (word: string | undefined): number | null =>
  word !== undefined && /^\d{1,3}$/.test(word) && Number(word) < 256 ? Number(word) : null;

const oneByte: Body = words => {
  const value = byte(words[0]);
  return value === null || words.length > 1 ? null : Uint8Array.of(value);
};

/** JT/T 808-2013 §8. */
const BODIES: Readonly<Record<number, Body>> = {
  // Set parameters.
  33027: words => (words.length > 0 ? writeParameters(words) : null),
  // Query all parameters; query some of them.
  33028: empty,
  33030: words => {
    const ids = words.map(word => Number.parseInt(word, 16));
    if (ids.length === 0 || !words.every(word => /^[0-9A-F]{1,8}$/i.test(word))) return null;
    const writer = new ByteWriter().u8(ids.length);
    for (const id of ids) writer.u32(id);
    return writer.done();
  },
  // Terminal control, Table 17: the command word and, for some, a parameter.
  33029: ([word, ...rest]) => {
    const value = byte(word);
    return value === null ? null : new ByteWriter().u8(value).ascii(rest.join(' ')).done();
  },
  // Query attributes; query the location.
  33031: empty,
  33281: empty,
  // Track for a while: interval and duration in seconds.
  33282: ([interval = '', duration = '']) =>
    /^\d{1,5}$/.test(interval) && /^\d{1,10}$/.test(duration)
      ? new ByteWriter().u16(Number(interval)).u32(Number(duration)).done()
      : null,
  // Confirm an alarm: the serial number of its report, then its bits.
  33283: ([serial = '', bits = '']) =>
    /^\d{1,5}$/.test(serial) && /^[0-9A-F]{1,8}$/i.test(bits)
      ? new ByteWriter().u16(Number(serial)).u32(Number.parseInt(bits, 16)).done()
      : null,
  // Text for the driver.
  33536: (words, identity) => (words.length > 0 ? textBody(words.join(' '), FOR_THE_DRIVER, identity) : null),
  // Call back: 0 to talk, 1 to listen, and the phone number.
  33792: ([kind, phone = '']) => {
    const value = byte(kind);
    return value === null || !/^\+?\d{3,20}$/.test(phone) ? null : new ByteWriter().u8(value).ascii(phone).done();
  },
  // Doors: bit 0 locks.
  34048: oneByte,
  // A picture from a channel's camera: one, not stored, 320 × 240, medium quality.
  34817: words => {
    const channel = byte(words[0]);
    if (channel === null || words.length > 1) return null;
    return new ByteWriter().u8(channel).u16(1).u16(0).u8(0).u8(1).u8(5).u8(127).u8(64).u8(64).u8(127).done();
  },
};

const fixed = (command: CommandEncoder['command'], words: string): CommandEncoder => ({
  command,
  parameters: [],
  maker: `0x${words.slice(0, 4)}`,
  text: () => words,
});

const parameter = (
  command: CommandEncoder['command'],
  name: string,
  least: number,
  most: number,
  words: (value: number) => string,
): CommandEncoder => ({
  command,
  parameters: [name],
  maker: '0x8103',
  text: parameters => {
    const value = wholeParameter(parameters, name, least, most);
    return value === null ? null : `8103 ${words(value)}`;
  },
});

export const COMMANDS: readonly CommandEncoder[] = [
  fixed('trackOnDemand', '8201'),
  fixed('getVersion', '8107'),
  fixed('getParams', '8104'),
  fixed('deviceReboot', '8105 4'),
  fixed('factoryReset', '8105 5'),
  fixed('lockDoors', '8500 1'),
  fixed('unlockDoors', '8500 0'),
  // 0x0020 0: report by time; 0x0029: interval.
  parameter('setGprsInterval', 'seconds', 1, 86_400, seconds => `0020=0 0029=${seconds}`),
  parameter('setHeartbeat', 'seconds', 10, 86_400, seconds => `0001=${seconds}`),
  parameter('setSpeedLimit', 'speed', 1, 255, speed => `0055=${speed}`),
  parameter('setOdometer', 'metres', 0, 4_294_967_295, metres => `0080=${Math.round(metres / 100)}`),
  {
    command: 'setApn',
    parameters: ['apn', 'user?', 'password?'],
    maker: '0x8103',
    text: parameters => {
      const apn = word(parameters, 'apn');
      const user = word(parameters, 'user') ?? '';
      const password = word(parameters, 'password') ?? '';
      return apn === null ? null : `8103 0010=${apn} 0011=${user} 0012=${password}`;
    },
  },
  {
    command: 'setServer',
    parameters: ['host', 'port'],
    maker: '0x8103',
    text: parameters => {
      const host = word(parameters, 'host');
      const port = wholeParameter(parameters, 'port', 1, 65_535);
      return host === null || port === null ? null : `8103 0013=${host} 0018=${port}`;
    },
  },
  {
    command: 'requestPhoto',
    parameters: ['camera'],
    maker: '0x8801',
    text: parameters => {
      const camera = wholeParameter(parameters, 'camera', 1, 36);
      return camera === null ? null : `8801 ${camera}`;
    },
  },
  {
    command: 'message',
    parameters: ['text'],
    maker: '0x8300',
    text: parameters => {
      const text = textParameter(parameters, 'text', 200);
      return text === null ? null : `8300 ${text}`;
    },
  },
];

function word(parameters: Parameters<CommandEncoder['text']>[0], name: string): string | null {
  const text = textParameter(parameters, name, 60);
  return text?.includes(' ') ? null : text;
}
