import { type CommandEncoder, textParameter, wholeParameter } from '../commands.ts';
import type { Registration } from '../registration.ts';
import { ALARMS, STATES } from './alarms.ts';
import { watch as stream } from './decode.ts';
import { encodeLink, encodeReport } from './encode.ts';
import { explain } from './explain.ts';
import { hear } from './hear.ts';
import { WORDS } from './words.ts';

const plain = (command: CommandEncoder['command'], maker: string): CommandEncoder => ({
  command,
  parameters: [],
  maker,
  text: () => maker,
});

/** "Phrases Display": each character as four hexadecimal digits. */
const hexText = (text: string): string =>
  Array.from({ length: text.length }, (_, i) => text.charCodeAt(i).toString(16).toUpperCase().padStart(4, '0')).join(
    '',
  );

/** Part II, "Server send command", and IV, "Remote Snapshot Command". */
const COMMANDS: readonly CommandEncoder[] = [
  plain('trackOnDemand', 'CR'),
  plain('getStatus', 'TS'),
  plain('getVersion', 'VERNO'),
  plain('deviceReboot', 'RESET'),
  plain('factoryReset', 'FACTORY'),
  plain('requestPhoto', 'rcapture'),
  {
    command: 'setGprsInterval',
    parameters: ['seconds'],
    maker: 'UPLOAD',
    text: parameters => {
      const seconds = wholeParameter(parameters, 'seconds', 60, 0xffff);
      return seconds === null ? null : `UPLOAD,${seconds}`;
    },
  },
  {
    command: 'setAuthPhone',
    parameters: ['phone'],
    maker: 'CENTER',
    text: parameters => {
      const phone = textParameter(parameters, 'phone', 20);
      return phone === null ? null : `CENTER,${phone}`;
    },
  },
  {
    command: 'message',
    parameters: ['text'],
    maker: 'MESSAGE',
    text: parameters => {
      const text = textParameter(parameters, 'text', 160);
      return text === null ? null : `MESSAGE,${hexText(text)}`;
    },
  },
];

export const watch = {
  stream,
  tracker: {
    greeting: encodeLink,
    reports: (imei, positions) => positions.map(position => encodeReport(imei, position)),
    heartbeat: encodeLink,
    hear,
  },
  explain,
  commands: COMMANDS,
  models: [
    {
      models: ['4P-Touch, Beesure and SeTracker watches and pendants'],
      note: 'They identify themselves by ten digits of their IMEI; some send all of it.',
    },
  ],
  tables: [
    {
      title: 'Watches: words',
      text: 'In upper or lower case, and with anything behind an underscore: `UD_LTE` is `UD` over 4G. A location is read under any other word, too; without one, the word of a command is its answer, and any other is kept as `text`.',
      columns: ['word', 'what', 'answered'],
      rows: Object.entries(WORDS).map(([word, { what, answer }]) => [`\`${word}\``, what, answer ? 'yes' : 'no']),
    },
    {
      title: 'Watches: status word',
      text: 'An alarm (`AL`) is the first of these events; `alarmCode` has the status word if several are set, or none.',
      columns: ['bit', 'event', 'what'],
      rows: [
        ...ALARMS.map(([bit, event, what]) => [String(bit), `\`${event}\``, what]),
        ...STATES.map(([bit, what]) => [String(bit), '', what]),
      ],
    },
  ],
} satisfies Registration;
