import { ascii, hex, isText, letters, Reader, viewOf } from '../bytes.ts';
import { crc16Kermit } from '../crc16.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { Attributes, DatagramProtocol, Decoded, DecodedMessage, StreamProtocol } from '../protocol.ts';
import { answer, encodeCommand } from './encode.ts';
import { CRC_BYTES, HEAD_BYTES, MAX_FRAME_BYTES, nextFrame } from './frame.ts';
import { readRecords } from './records.ts';

/** How to read a command from the tracker, and the command of the answer that it waits for. */
interface Command {
  readonly what: string;
  readonly read: (payload: Reader) => readonly DecodedMessage[] | null;
  readonly answer: number | null;
}

const status = (attributes: Attributes): DecodedMessage[] => [{ kind: 'status', time: null, event: null, attributes }];
const reply = (payload: Reader): DecodedMessage[] => [
  { kind: 'reply', text: letters(payload.rest()), reference: null },
];

const MAX_HEX_BYTES = 256;
const kept =
  (name: string) =>
  (payload: Reader): DecodedMessage[] => {
    const bytes = payload.rest();
    return status({ [name]: isText(bytes) ? ascii(bytes) : hex(bytes.subarray(0, MAX_HEX_BYTES)) });
  };

/** "Device type", hardware and firmware as text, then the SIM and counters. */
const identification = (payload: Reader): DecodedMessage[] => {
  const [model = '', firmware = ''] = [
    payload.take8(Math.min(4, payload.remaining)),
    payload.take8(Math.min(12, payload.remaining)),
  ].map(ascii);
  return status({ model, firmware });
};

const ACCEPTED = 1;
const REFUSED = 0;

/** "List of commands". */
export const COMMANDS_OF_TRACKER: ReadonlyMap<number, Command> = new Map<number, Command>([
  [1, { what: 'records', read: payload => readRecords(payload, 'plain'), answer: 100 }],
  [7, { what: 'answer to a text command', read: reply, answer: null }],
  [9, { what: 'trouble codes', read: kept('troubleCodes'), answer: 109 }],
  [15, { what: 'identification', read: identification, answer: 115 }],
  [16, { what: 'sign of life', read: () => [{ kind: 'heartbeat', attributes: {} }], answer: 116 }],
  [17, { what: 'answer to setting an output', read: kept('outputResult'), answer: null }],
  [37, { what: 'picture or file', read: payload => status({ fileBytes: payload.remaining }), answer: null }],
  [68, { what: 'extended records', read: payload => readRecords(payload, 'extended'), answer: 100 }],
]);

/** An undocumented command is kept; the expected answer is unknown. */
const unnamed = (id: number): Command => ({
  what: 'not named',
  read: payload => [
    {
      kind: 'status',
      time: null,
      event: null,
      attributes: { command: id, data: hex(payload.rest().subarray(0, MAX_HEX_BYTES)) },
    },
  ],
  answer: null,
});

function decode(frame: Uint8Array): Decoded {
  if (frame.length < HEAD_BYTES + CRC_BYTES) return errorIn('too-short', frame.length);
  const view = viewOf(frame);
  const end = frame.length - CRC_BYTES;
  if (view.getUint16(0) !== end - 2) return errorIn('bad-length', 0);
  if (crc16Kermit(frame, 2, end) !== view.getUint16(end)) return errorIn('bad-checksum', end);
  const reader = new Reader(frame, 2, end);
  const number = reader.u64();
  if (number >= 1e15) return errorIn('bad-field', 2);
  const imei = String(number).padStart(15, '0');
  const id = reader.u8();
  const from = Math.min(reader.at, end);
  const command = COMMANDS_OF_TRACKER.get(id) ?? unnamed(id);
  const read = command.read(reader);
  // Not acknowledged, because not all of it may be kept.
  if (read === null) return silent([{ kind: 'login', imei }, unread('bad-length', id, frame.subarray(from, end))]);
  return {
    messages: [{ kind: 'login', imei }, ...read],
    acknowledgement: command.answer === null ? null : answer(command.answer, ACCEPTED),
    refusal: command.answer === null ? null : answer(command.answer, REFUSED),
  };
}

export const ruptela: StreamProtocol = {
  name: 'ruptela',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

/** The same over UDP. */
export const ruptelaUdp: DatagramProtocol = {
  name: 'ruptela',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, decode),
  encodeCommand,
};
