import { answerUntil, commandUntil, lineUntil, MORE } from '../heard.ts';
import type { Heard } from '../registration.ts';
import { encodeAck } from './encode.ts';

const DOLLAR = 0x24;
const COMMAND = /^AT\+(GT[A-Z0-9]{3})=(.*),([0-9A-F]{4})$/;

/**
 * `AT+GT…=…,serial$` is a command, `+SACK:…$` an answer. A tracker confirms a command that it carries out, and does not
 * answer others.
 */
export function hear(imei: string, bytes: Uint8Array): Heard {
  const line = lineUntil(bytes, DOLLAR);
  if (line === null) return MORE;
  const [, name, words, serial = ''] = COMMAND.exec(line.text) ?? [];
  if (name === undefined || words === undefined) return answerUntil(line.end);
  const sub = name === 'GTRTO' ? (REAL_TIME[words.split(',')[1] ?? ''] ?? '') : null;
  return commandUntil(line.end, {
    text: line.text.slice(0, -(serial.length + 1)),
    reference: Number.parseInt(serial, 16),
    reply: (done, last) => (done ? encodeAck(imei, name, sub, serial, last.time) : null),
  });
}

/** "AT+GTRTO", the names of its sub commands. */
const REAL_TIME: Readonly<Record<string, string>> = {
  0: 'GPS',
  1: 'RTL',
  3: 'REBOOT',
  4: 'RESET',
  7: 'CSQ',
  8: 'VER',
  9: 'BAT',
  A: 'IOS',
};
