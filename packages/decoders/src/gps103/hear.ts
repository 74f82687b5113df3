import { answerUntil, commandUntil, lineUntil, MORE } from '../heard.ts';
import type { Heard } from '../registration.ts';
import { encodeReport } from './encode.ts';

const SEMICOLON = 0x3b;
const STAR = 0x2a;
const COMMAND = /^\*\*,imei:(\d{15}),(([A-Z])[^;]*)$/;

/** `LOAD` and `ON` have no terminator; a command goes from its two stars to a semicolon. */
export function hear(imei: string, bytes: Uint8Array): Heard {
  if (bytes.length === 0) return MORE;
  if (bytes[0] !== STAR) {
    const next = bytes.indexOf(STAR);
    return answerUntil(next < 0 ? bytes.length : next);
  }
  const line = lineUntil(bytes, SEMICOLON);
  if (line === null) return MORE;
  const [, , text, letter] = COMMAND.exec(line.text) ?? [];
  if (text === undefined || letter === undefined) return answerUntil(line.end);
  return commandUntil(line.end, {
    text,
    reference: null,
    // "Reply": a report with the letter and a t. A command that it does not carry out gets no answer.
    reply: (done, last) => (done ? encodeReport(imei, last, `${letter.toLowerCase()}t`) : null),
  });
}
