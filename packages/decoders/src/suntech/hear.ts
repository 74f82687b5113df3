import { answerUntil, commandUntil, lineUntil, MORE } from '../heard.ts';
import type { Heard } from '../registration.ts';
import { line } from './encode.ts';

const CR = 0x0d;
const UNIVERSAL = /^CMD;([^;]+);(.+)$/;
const OLDER = /^((?:ST|SA)\d{3})CMD;([^;]+);02;(.+)$/;
/** The server's answer to an emergency report, which has the form of a command. */
const CONFIRMS_EMERGENCY = 'AckEmerg';

/** "Response": the command comes back. A command that the tracker does not carry out gets no answer. */
export function hear(imei: string, bytes: Uint8Array): Heard {
  const heard = lineUntil(bytes, CR);
  if (heard === null) return MORE;
  const [, , universal] = UNIVERSAL.exec(heard.text) ?? [];
  if (universal !== undefined) {
    const reply = (done: boolean): Uint8Array | null => (done ? line(`RES;${imei};${universal}`) : null);
    return commandUntil(heard.end, { text: universal, reference: null, reply });
  }
  const [, model, , words] = OLDER.exec(heard.text) ?? [];
  if (words === undefined || words === CONFIRMS_EMERGENCY) return answerUntil(heard.end);
  const reply = (done: boolean): Uint8Array | null => (done ? line(`${model}CMD;Res;${imei};010;${words}`) : null);
  return commandUntil(heard.end, { text: `${model}:${words}`, reference: null, reply });
}
