import { ascii, viewOf } from '../bytes.ts';
import { answerUntil, commandUntil, MORE } from '../heard.ts';
import type { PositionMessage } from '../protocol.ts';
import type { Heard } from '../registration.ts';
import { encodeReply } from './encode.ts';
import { CRC_BYTES, checksumOf, HEAD_BYTES, HEADER, lengthIn, MAX_FRAME_BYTES } from './frame.ts';
import { unsigned } from './little.ts';
import { splitRecords } from './split.ts';
import { TAG } from './tags.ts';

const CONFIRMATION_BYTES = 3;

/** Confirmations, and packs with a command: "Structure of packet with command". */
export function hear(imei: string, bytes: Uint8Array): Heard {
  const [header] = bytes;
  if (header === undefined) return MORE;
  if (header === HEADER.confirmation) return bytes.length < CONFIRMATION_BYTES ? MORE : answerUntil(CONFIRMATION_BYTES);
  if (header !== HEADER.data) return answerUntil(1);
  if (bytes.length < HEAD_BYTES) return MORE;
  const end = HEAD_BYTES + lengthIn(bytes) + CRC_BYTES;
  if (end > MAX_FRAME_BYTES) return answerUntil(1);
  if (bytes.length < end) return MORE;
  const frame = bytes.subarray(0, end);
  if (checksumOf(frame) !== viewOf(frame).getUint16(end - CRC_BYTES, true)) return answerUntil(end);
  const [record] = splitRecords(frame.subarray(HEAD_BYTES, end - CRC_BYTES)).records;
  const words = record?.tags.get(TAG.text);
  if (words === undefined) return answerUntil(end);
  const text = ascii(words.subarray(1));
  const reference = unsigned(record?.tags.get(TAG.command) ?? new Uint8Array(0));
  // "After command receiving and its successful execution, the terminal sends packet with reply text."
  const reply = (done: boolean, last: PositionMessage): Uint8Array | null =>
    done ? encodeReply(imei, answerTo(text, last), reference) : null;
  return commandUntil(end, { text, reference, reply });
}

/** The examples of the manuals, in their form. */
function answerTo(text: string, { lat, lon, satellites }: PositionMessage): string {
  const [word = '', parameters = ''] = text.split(' ');
  const place = `Nav=0 Lat=${lat.toFixed(4)} Lon=${lon.toFixed(4)}`;
  const answers: Readonly<Record<string, string>> = {
    Status: `Dev50 Soft=223 Pack=17230 ${place} SatCnt=${satellites ?? 0}`,
    inall: 'INALL:in0=0,in1=0,in2=0,in3=0;',
    RS485: 'RS485 100,0;100,1;',
    temex0: 'TemEx0: DS0=0,DS1=0,DS2=0,DS3=0',
    S: 'Signaling is enabling',
    DS: 'Signaling is disabling',
  };
  return answers[word] ?? `${word.toUpperCase()}:${parameters};`;
}
