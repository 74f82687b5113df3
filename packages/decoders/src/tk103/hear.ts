import { answerUntil, commandUntil, lineUntil, MORE } from '../heard.ts';
import type { PositionMessage } from '../protocol.ts';
import type { Heard } from '../registration.ts';
import { encodeAnswer, encodePlace } from './encode.ts';

const CLOSE = 0x29;
const COMMAND = /^\((\d{10,15})(A[PRTV]\d\d)(.*)$/;
/** The server's answers: handshake, login. */
const ANSWERS = new Set(['AP01', 'AP05']);

/**
 * `(identity word body)`. A tracker answers a command that it carries out with the word of §3.1, and does not answer
 * others.
 */
export function hear(imei: string, bytes: Uint8Array): Heard {
  const line = lineUntil(bytes, CLOSE);
  if (line === null) return MORE;
  const [, , word, body = ''] = COMMAND.exec(line.text) ?? [];
  if (word === undefined || ANSWERS.has(word)) return answerUntil(line.end);
  return commandUntil(line.end, {
    text: `${word}${body}`,
    reference: null,
    reply: (done, last) => (done ? answerTo(imei, word, body, last) : null),
  });
}

/**
 * AP00 is answered with a position; the others with their own number under B, the interval with BS08, the state with
 * BP13.
 */
function answerTo(imei: string, word: string, body: string, last: PositionMessage): Uint8Array {
  if (word === 'AP00') return encodePlace(imei, 'BP04', last);
  const answer = word === 'AR00' ? 'BS08' : word === 'AP04' ? 'BP13' : `B${word.slice(1)}`;
  return encodeAnswer(imei, answer, body);
}
