import { ascii, Reader, viewOf } from '../bytes.ts';
import { crc16Itu } from '../crc16.ts';
import { answerUntil, commandUntil, MORE } from '../heard.ts';
import type { Heard } from '../registration.ts';
import { COMMAND, encodeCommandReply } from './encode.ts';
import { nextFrame } from './frame.ts';

/** Protocol number, the length of flag and text, the flag; after the text, the language. */
const LEAST_BYTES = 3 + 1 + 1 + 4 + 2 + 6;

/** The server's packets have the same form as the tracker's; 0x80 is a command. */
export function hear(_imei: string, bytes: Uint8Array): Heard {
  const scan = nextFrame(bytes);
  if (scan.status === 'more') return MORE;
  const { end } = scan;
  const isCommand = scan.status === 'frame' && bytes[0] === 0x78 && bytes[3] === COMMAND && end >= LEAST_BYTES;
  if (!isCommand || viewOf(bytes).getUint16(end - 4) !== crc16Itu(bytes, 2, end - 4)) return answerUntil(end);
  const content = new Reader(bytes, 4, end - 6);
  const length = content.u8();
  const reference = content.u32();
  const text = ascii(content.take8(length - 4));
  if (content.overrun) return answerUntil(end);
  const reply = (done: boolean): Uint8Array =>
    encodeCommandReply(done ? (ANSWERS[text.split(/[,#]/)[0] ?? ''] ?? 'OK!') : 'Command error!', reference);
  return commandUntil(end, { text, reference, reply });
}

/** Answers to SMS commands, Concox user manuals. */
const ANSWERS: Readonly<Record<string, string>> = {
  RELAY: 'Cut off the fuel supply: Success!',
  RESET: 'The terminal will restart after 60s!',
  STATUS:
    'Battery:4.12V,NORMAL; GPRS:Link Up; GSM Signal Level:Strong; GPS:Successful positioning; ACC:ON; Defense:OFF',
  VERSION: '[VERSION]GT06N_20_61DM2_D23_R0_V02',
};
