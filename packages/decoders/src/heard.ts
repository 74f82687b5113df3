import type { Heard, HeardCommand } from './registration.ts';

/** Results of `hear`, shared by the protocols' tracker sides. */

export const MORE: Heard = { status: 'more' };
export const answerUntil = (end: number): Heard => ({ status: 'answer', end });
export const commandUntil = (end: number, command: HeardCommand): Heard => ({ status: 'command', end, command });

/** Longer than any command here; if there is no end by then, one byte is skipped. */
const LONGEST = 4096;

/** Text up to `last`, which is consumed too; null if `last` has not arrived yet. */
export function lineUntil(bytes: Uint8Array, last: number): { readonly text: string; readonly end: number } | null {
  const at = bytes.subarray(0, LONGEST).indexOf(last);
  if (at < 0) return bytes.length < LONGEST ? null : { text: '', end: 1 };
  return { text: String.fromCharCode(...bytes.subarray(0, at)), end: at + 1 };
}
