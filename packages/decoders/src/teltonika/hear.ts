import { ascii, viewOf } from '../bytes.ts';
import { crc16Ibm } from '../crc16.ts';
import { answerUntil, commandUntil, MORE } from '../heard.ts';
import type { Heard } from '../registration.ts';
import { encodeResponse } from './encode.ts';
import { MAX_FRAME_BYTES, PACKET_OVERHEAD_BYTES } from './frame.ts';
import { MESSAGE_CODECS, MESSAGE_TYPES } from './messages.ts';

const SIGNED_IN = 0x01;
const ANSWER_BYTES = 4;
/** Preamble 4, length 4; then codec, quantity, type, length 4 and the text. */
const DATA_START = 8;
const TEXT_START = DATA_START + 7;

/** The server answers a login with one byte, a packet with the number of records, and sends commands in Codec 12. */
export function hear(_imei: string, bytes: Uint8Array): Heard {
  if (bytes.length === 0) return MORE;
  if (bytes[0] === SIGNED_IN) return answerUntil(1);
  if (bytes[0] !== 0) return answerUntil(1);
  if (bytes.length < ANSWER_BYTES) return MORE;
  const view = viewOf(bytes);
  if (view.getUint32(0) !== 0) return answerUntil(ANSWER_BYTES);
  if (bytes.length < DATA_START) return MORE;
  const end = view.getUint32(4) + PACKET_OVERHEAD_BYTES;
  if (end < TEXT_START + 5 || end > MAX_FRAME_BYTES) return answerUntil(ANSWER_BYTES);
  if (bytes.length < end) return MORE;
  const isCommand =
    view.getUint32(end - 4) === crc16Ibm(bytes, DATA_START, end - 4) &&
    bytes[DATA_START] === MESSAGE_CODECS.codec12 &&
    bytes[DATA_START + 2] === MESSAGE_TYPES.command &&
    view.getUint32(TEXT_START - 4) === end - 5 - TEXT_START;
  if (!isCommand) return answerUntil(end);
  const text = ascii(bytes.subarray(TEXT_START, end - 5));
  const reply = (done: boolean): Uint8Array => encodeResponse(done ? answerTo(text) : NOT_KNOWN);
  return commandUntil(end, { text, reference: null, reply });
}

/** The firmware's answer to an unknown command. */
const NOT_KNOWN = 'Unknown command or invalid format';

/** "FMB SMS/GPRS Commands": answers of the simulated tracker to commands that it understands. */
function answerTo(text: string): string {
  const [word = '', ...rest] = text.split(/[ :]/);
  switch (word) {
    case 'getver':
      return 'Ver:03.27.07 GPS:AXN_5.10 Hw:FMB120 Mod:13';
    case 'getstatus':
      return 'Data Link: 1 GPRS: 1 Phone: 0 SIM: 0 OP: 310410 Signal: 4 NewSMS: 0 Roaming: 0 SMSFull: 0';
    case 'setdigout':
      return `DOUT1:${rest[0]} Timeout:INFINITY`;
    case 'setparam':
      return `New value ${rest.join(':')}`;
    default:
      return `${word} OK`;
  }
}
