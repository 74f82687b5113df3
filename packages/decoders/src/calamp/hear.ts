import { Reader } from '../bytes.ts';
import { answerUntil, commandUntil, MORE } from '../heard.ts';
import type { Heard } from '../registration.ts';
import { encodeAck, TYPE } from './encode.ts';
import { readHeader, SERVICE } from './header.ts';

const DONE = 0;
const FAILED = 1;

/** "Unit Request Message" and user messages; the acknowledgement repeats the command's sequence number. */
export function hear(imei: string, bytes: Uint8Array): Heard {
  if (bytes.length === 0) return MORE;
  const reader = new Reader(bytes);
  const header = readHeader(reader);
  if (header?.service !== SERVICE.acknowledged) return answerUntil(bytes.length);
  const { type, sequence } = header;
  const text = type === TYPE.unitRequest ? unitRequest(reader) : type === TYPE.userMessage ? userText(reader) : null;
  if (text === null || reader.overrun) return answerUntil(bytes.length);
  const reply = (done: boolean): Uint8Array => encodeAck(imei, sequence, done ? DONE : FAILED, type);
  return commandUntil(bytes.length, { text, reference: sequence, reply });
}

const unitRequest = (reader: Reader): string =>
  ['unit', reader.u8(), reader.u8(), reader.u16(), reader.u32()].join(' ');

function userText(reader: Reader): string {
  reader.skip(2);
  return String.fromCharCode(...reader.take8(reader.u16()));
}
