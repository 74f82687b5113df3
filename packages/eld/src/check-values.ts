/**
 * Check values of the ELD output file (49 CFR 395 Subpart B, Appendix A, 4.4.5): sums of character values, folded,
 * rotated and masked. They detect accidental damage, not forgery; the hash chain detects forgery.
 */

const LINE_MASK = 0x96;
const EVENT_MASK = 0xc3;
const FILE_MASK = 0x969c;

/** Table 3 of Appendix A: `1-9`, `A-Z` and `a-z` count their ASCII code minus 48, everything else 0. */
export function characterValue(code: number): number {
  const isCounted = (code >= 0x31 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return isCounted ? code - 48 : 0;
}

function sumOf(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += characterValue(text.charCodeAt(i));
  return sum;
}

const rotateLeft3 = (byte: number): number => ((byte << 3) | (byte >> 5)) & 0xff;
const hex = (value: number, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0');

/** The fields that an event's check value covers (4.4.5.1), as they appear in the file. */
export interface EventCheckInput {
  readonly type: string;
  readonly code: string;
  readonly date: string;
  readonly time: string;
  readonly miles: string;
  readonly hours: string;
  readonly lat: string;
  readonly lon: string;
  readonly powerUnit: string;
  readonly userName: string;
}

/** Two hexadecimal digits. */
export function eventCheck(input: EventCheckInput): string {
  const { type, code, date, time, miles, hours, lat, lon, powerUnit, userName } = input;
  const sum = sumOf([type, code, date, time, miles, hours, lat, lon, powerUnit, userName].join(''));
  return hex(rotateLeft3(sum & 0xff) ^ EVENT_MASK, 2);
}

/** Two hexadecimal digits over a line without its own check value (4.4.5.2). */
export const lineCheck = (line: string): string => hex(rotateLeft3(sumOf(line) & 0xff) ^ LINE_MASK, 2);

/** Four hexadecimal digits over all line check values; each of the sum's two bytes is rotated separately (4.4.5.3). */
export function fileCheck(lineChecks: readonly string[]): string {
  const sum = lineChecks.reduce((total, check) => total + Number.parseInt(check, 16), 0) & 0xffff;
  return hex(((rotateLeft3(sum >> 8) << 8) | rotateLeft3(sum & 0xff)) ^ FILE_MASK, 4);
}
