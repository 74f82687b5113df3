import type { Shared } from '@milepost/contract';

/** When this tab last reported its visit, and of which link. */
const KEY = 'sharedVisit';
const HOUR_MS = 3_600_000;

/** Identifies the link without keeping any of its token. */
const nameOf = ({ startsAt, vehicles }: Shared): string => `${startsAt} ${vehicles[0]?.key ?? ''}`;

/** A visit counts once per tab and hour. Prefetched pages and hidden tabs don't count. */
export function isVisitDue(shared: Shared): boolean {
  if (document.visibilityState !== 'visible') return false;
  const [at, ...name] = (sessionStorage.getItem(KEY) ?? '').split(' ');
  return name.join(' ') !== nameOf(shared) || Date.now() - Number(at) >= HOUR_MS;
}

export const keepVisit = (shared: Shared): void => sessionStorage.setItem(KEY, `${Date.now()} ${nameOf(shared)}`);
