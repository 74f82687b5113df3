import { viewOf } from '../bytes.ts';
import { crc16Kermit } from '../crc16.ts';
import { answerUntil, commandUntil, MORE } from '../heard.ts';
import type { Heard } from '../registration.ts';
import { encodeReply, SMS_OVER_GPRS } from './encode.ts';
import { CRC_BYTES, MAX_FRAME_BYTES } from './frame.ts';

/** Length, command, payload, checksum: answers, and commands in the words of an SMS. */
export function hear(imei: string, bytes: Uint8Array): Heard {
  if (bytes.length < 3) return MORE;
  const view = viewOf(bytes);
  const end = 2 + view.getUint16(0) + CRC_BYTES;
  if (end < 2 + 1 + CRC_BYTES || end > MAX_FRAME_BYTES) return answerUntil(1);
  if (bytes.length < end) return MORE;
  const right = view.getUint16(end - CRC_BYTES) === crc16Kermit(bytes, 2, end - CRC_BYTES);
  if (!right || bytes[2] !== SMS_OVER_GPRS) return answerUntil(end);
  const text = String.fromCharCode(...bytes.subarray(3, end - CRC_BYTES));
  const [word = ''] = text.trim().split(' ');
  const reply = (done: boolean): Uint8Array => encodeReply(imei, done ? `${word} ok` : 'Unknown command');
  return commandUntil(end, { text, reference: null, reply });
}
