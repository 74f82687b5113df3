import { hasLetters } from '../bytes.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { DatagramProtocol, Decoded, Session, StreamProtocol } from '../protocol.ts';
import { encodeCommand } from './encode.ts';
import { isSeparator, MAX_FRAME_BYTES, nextFrame } from './frame.ts';
import { readNamedReport, readReport } from './report.ts';

/** "Data load": the answer to the login and to a heartbeat. Reports are not answered. */
const LOAD = new TextEncoder().encode('LOAD');
const ON = new TextEncoder().encode('ON');

const LOGIN = /^##,? ?imei: ?(\d{14,17})(?:,A?)?$/i;
const SIGN_OF_LIFE = /^\d{15}$/;
/** Fifteen digits by the document; a MEID has fourteen, an IMEI with software version seventeen. */
const REPORT = /^imei: ?(\d{14,17}),(.*)$/is;

function decode(frame: Uint8Array, { receivedAt }: Pick<Session, 'receivedAt'>): Decoded {
  if (frame.length > 0 && frame.every(isSeparator)) return silent([]);
  if (!hasLetters(frame)) return errorIn(frame.length === 0 ? 'too-short' : 'bad-field', 0);
  const starred = frame[frame.length - 1] === 0x2a;
  const text = new TextDecoder().decode(frame).replace(/[;*\r\n]$/, '');
  const [, greeted] = LOGIN.exec(text) ?? [];
  if (greeted !== undefined)
    return { messages: [{ kind: 'login', imei: greeted }], acknowledgement: LOAD, refusal: null };
  if (SIGN_OF_LIFE.test(text)) {
    const messages = [{ kind: 'login', imei: text } as const, { kind: 'heartbeat', attributes: {} } as const];
    return { messages, acknowledgement: ON, refusal: null };
  }
  const [, imei, rest] = REPORT.exec(text) ?? [];
  if (imei === undefined || rest === undefined) return errorIn('bad-field', 0);
  const fields = rest.split(',');
  const messages = (starred ? readNamedReport(fields) : null) ??
    readReport(fields, receivedAt) ?? [unread('bad-field', fields[0] ?? '', frame)];
  return silent([{ kind: 'login', imei }, ...messages]);
}

export const gps103: StreamProtocol = {
  name: 'gps103',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

/** The same over UDP, which the maker enables by SMS; one or more frames in each datagram. */
export const gps103Udp: DatagramProtocol = {
  name: 'gps103',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, decode),
  encodeCommand,
};
