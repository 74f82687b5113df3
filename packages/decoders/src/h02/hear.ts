import { answerUntil, commandUntil, lineUntil, MORE } from '../heard.ts';
import type { PositionMessage } from '../protocol.ts';
import type { Heard } from '../registration.ts';
import { encodeConfirmation } from './encode.ts';
import { referenceOf } from './report.ts';

const HASH = 0x23;
const COMMAND = /^\*([A-Z]{2}),(\d{10,15}),([A-Z]{1,4}\d{0,2}),(\d{6})((?:,[^,*]*)*)$/;

/**
 * `*HQ,identity,word,time,parameters#`. The tracker confirms with V4, the word and the command's time; with DONE for
 * S20, and with ERROR for a command that it cannot do. Another maker's command is skipped.
 */
export function hear(imei: string, bytes: Uint8Array): Heard {
  const line = lineUntil(bytes, HASH);
  if (line === null) return MORE;
  const [, maker, , word = '', clock = '', rest = ''] = COMMAND.exec(line.text) ?? [];
  if (maker !== 'HQ') return answerUntil(line.end);
  return commandUntil(line.end, {
    text: `${word}${rest}`,
    reference: referenceOf(clock),
    reply: (done: boolean, last: PositionMessage) =>
      encodeConfirmation(imei, word, done ? (word === 'S20' ? 'DONE' : null) : 'ERROR', clock, last),
  });
}
