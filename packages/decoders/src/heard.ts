import type { Heard, HeardCommand } from './registration.ts';

/** What the trackers' sides of the protocols share: how they say what they heard. */

export const MORE: Heard = { status: 'more' };
export const answerUntil = (end: number): Heard => ({ status: 'answer', end });
export const commandUntil = (end: number, command: HeardCommand): Heard => ({ status: 'command', end, command });

/** More than any command here is long; of what has no end by then, a byte is passed over. */
const LONGEST = 4096;

/** Text up to and with `last`; null while that has not come. */
export function lineUntil(bytes: Uint8Array, last: number): { readonly text: string; readonly end: number } | null {
  const at = bytes.subarray(0, LONGEST).indexOf(last);
  if (at < 0) return bytes.length < LONGEST ? null : { text: '', end: 1 };
  return { text: String.fromCharCode(...bytes.subarray(0, at)), end: at + 1 };
}
