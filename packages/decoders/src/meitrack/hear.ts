import { answerUntil, commandUntil, lineUntil, MORE } from '../heard.ts';
import type { Heard } from '../registration.ts';
import { encodeReply, encodeText, numberOf } from './encode.ts';
import { ON_DEMAND } from './event-codes.ts';
import { checksum } from './frame.ts';

const LF = 0x0a;
const COMMAND = /^@@([A-z])(\d+),([^,]+),(.*)\*([0-9A-F]{2})\r$/;
const TRACK_ON_DEMAND = 'A10';
/** The server's confirmation of a cached report; it only looks like a command. */
const CACHED = 'AFF';

/**
 * `@@flag length,IMEI,words*checksum`. The tracker answers with the same flag: the command and `OK` or `ERROR`; to A10,
 * with a report with the event "reply to current position".
 */
export function hear(imei: string, bytes: Uint8Array): Heard {
  const line = lineUntil(bytes, LF);
  if (line === null) return MORE;
  const [, flag = '', , , text, sum = ''] = COMMAND.exec(line.text) ?? [];
  const right = checksum(bytes, line.end - 4) === Number.parseInt(sum, 16);
  if (text === undefined || !right || text.startsWith(CACHED)) return answerUntil(line.end);
  const [word = ''] = text.split(',');
  const number = numberOf(flag);
  return commandUntil(line.end, {
    text,
    reference: null,
    reply: (done, last) =>
      done && word === TRACK_ON_DEMAND
        ? encodeText(imei, last, number, ON_DEMAND)
        : encodeReply(imei, `${word},${done ? 'OK' : 'ERROR'}`, number),
  });
}
