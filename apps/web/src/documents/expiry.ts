import { daysBetween } from '../format/date.ts';

export const EXPIRIES = ['ended', 'ending', 'fine'] as const;
/** A document, a licence: over, over within the account's days of warning, or good for longer. */
export type Expiry = (typeof EXPIRIES)[number];

/** By calendar days; on its last day it still holds. */
export function expiryOf(expiresOn: string, today: string, warnDays: number): Expiry {
  const left = daysBetween(today, expiresOn);
  if (left < 0) return 'ended';
  return left <= warnDays ? 'ending' : 'fine';
}
