import type { Shared } from '@milepost/contract';

/** When this tab told of its visit last, and to which link. */
const KEY = 'sharedVisit';
const HOUR_MS = 3_600_000;

/** Which link that was: nothing of its token stays behind. */
const nameOf = ({ startsAt, vehicles }: Shared): string => `${startsAt} ${vehicles[0]?.key ?? ''}`;

/** A visit counts once a tab and hour. A page that is prefetched or lies in another tab is looked at by nobody. */
export function isVisitDue(shared: Shared): boolean {
  if (document.visibilityState !== 'visible') return false;
  const [at, ...name] = (sessionStorage.getItem(KEY) ?? '').split(' ');
  return name.join(' ') !== nameOf(shared) || Date.now() - Number(at) >= HOUR_MS;
}

export const keepVisit = (shared: Shared): void => sessionStorage.setItem(KEY, `${Date.now()} ${nameOf(shared)}`);
