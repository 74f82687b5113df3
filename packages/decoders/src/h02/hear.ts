import { answerUntil, commandUntil, lineUntil, MORE } from '../heard.ts';
import type { PositionMessage } from '../protocol.ts';
import type { Heard } from '../registration.ts';
import { encodeConfirmation } from './encode.ts';
import { referenceOf } from './text.ts';

const HASH = 0x23;
const COMMAND = /^\*([A-Z]{2}),(\d{10,15}),([A-Z]{1,4}\d{0,2}),(\d{6})((?:,[^,*]*)*)$/;

/**
 * `*HQ,identity,word,time,parameters#`. The tracker confirms by V4 with the word and the command's time; S20 says DONE there,
 * and what it can not do ERROR. A command of another maker's is passed over.
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
