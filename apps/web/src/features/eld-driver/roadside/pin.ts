import { hashOf } from '@milepost/eld';
import type { KeptPin } from '../store/duty-store.ts';

/** Slow enough that trying all PINs takes a while, fast enough that one try isn't noticed. */
const ROUNDS = 3000;
const TRIES = 5;
const WAIT_MS = 30_000;

export const isPin = (text: string): boolean => /^\d{4,8}$/.test(text);

function hashPin(salt: string, pin: string): string {
  let hash = hashOf(`${salt}:${pin}`);
  for (let round = 0; round < ROUNDS; round++) hash = hashOf(salt + hash);
  return hash;
}

export const newPin = (owner: string, salt: string, pin: string): KeptPin => ({
  owner,
  salt,
  hash: hashPin(salt, pin),
  wrong: 0,
  lastWrongMs: 0,
});

/**
 * How long to wait before the next try, after too many wrong ones; 0: no wait. Setting the clock back doesn't prolong
 * it.
 */
export function waitMs({ lastWrongMs, wrong }: KeptPin, nowMs: number): number {
  if (wrong < TRIES) return 0;
  return Math.min(WAIT_MS, Math.max(0, lastWrongMs + WAIT_MS - nowMs));
}

/** The stored PIN after a try, and whether the try was right. */
export function tryPin(kept: KeptPin, pin: string, nowMs: number): { readonly right: boolean; readonly kept: KeptPin } {
  if (hashPin(kept.salt, pin) === kept.hash) return { right: true, kept: { ...kept, wrong: 0, lastWrongMs: 0 } };
  return { right: false, kept: { ...kept, wrong: kept.wrong + 1, lastWrongMs: nowMs } };
}
