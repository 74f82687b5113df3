import { answerUntil, commandUntil, lineUntil, MORE } from '../heard.ts';
import type { Heard } from '../registration.ts';

const LF = 0x0a;
const COMMAND = /^#(M|QI|QT|US|UC)#(.*)\r$/s;
const utf8 = new TextEncoder();

/**
 * "Commands": a message to the driver, a request for a picture or for a tachograph file. The answer has the same
 * letters preceded by an A, and 1 or 0. Over datagrams, `lead` identifies the tracker.
 */
export const hearWith =
  (lead: (imei: string) => string) =>
  (imei: string, bytes: Uint8Array): Heard => {
    const line = lineUntil(bytes, LF);
    if (line === null) return MORE;
    const text = new TextDecoder().decode(bytes.subarray(0, line.end - 1));
    const [, type] = COMMAND.exec(text) ?? [];
    if (type === undefined) return answerUntil(line.end);
    return commandUntil(line.end, {
      text: text.slice(0, -1),
      reference: null,
      reply: done => utf8.encode(`${lead(imei)}#A${type}#${done ? 1 : 0}\r\n`),
    });
  };
