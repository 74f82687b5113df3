import { daysBetween } from '../format/date.ts';

const EXPIRIES = ['ended', 'ending', 'fine'] as const;
/** Whether a document or license has expired, expires within the account's warning days, or is valid for longer. */
export type Expiry = (typeof EXPIRIES)[number];

/** Compares calendar days. A document is still valid on its last day. */
export function expiryOf(expiresOn: string, today: string, warnDays: number): Expiry {
  const left = daysBetween(today, expiresOn);
  if (left < 0) return 'ended';
  return left <= warnDays ? 'ending' : 'fine';
}
