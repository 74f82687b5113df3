import type { BoardRow } from '@milepost/contract';
import { clocksAt, isWorking, tightest } from '../../../logbook/clocks.ts';
import { matchesSearch } from '../../../registry/search.ts';

export const SHOWN = ['violation', 'soon', 'uncertified'] as const;
export type Shown = (typeof SHOWN)[number];

/** Drivers with less time left than this, in seconds, are counted and their rows marked. */
const SOON_S = 3600;

const isLimited = (row: BoardRow): boolean => isWorking(row.status) && row.exempt === null;

/** Driving past a limit now, according to the server or because a clock has run out since. */
export function isViolating(row: BoardRow, nowMs: number): boolean {
  if (row.violations.some(({ isOpen }) => isOpen)) return true;
  return row.status === 'D' && row.exempt === null && tightest(clocksAt(row, nowMs)).leftS <= 0;
}

/** Working, within the limits, and with less than an hour left on a clock. */
export const isSoon = (row: BoardRow, nowMs: number): boolean =>
  isLimited(row) && !isViolating(row, nowMs) && tightest(clocksAt(row, nowMs)).leftS < SOON_S;

export const isShown = (row: BoardRow, shown: Shown | undefined, nowMs: number): boolean => {
  if (shown === 'violation') return isViolating(row, nowMs);
  if (shown === 'soon') return isSoon(row, nowMs);
  return shown !== 'uncertified' || row.uncertifiedDays > 0;
};

export const isFound = ({ name, vehicle, place }: BoardRow, query: string): boolean =>
  matchesSearch(query, [name, vehicle?.deviceName, place]);

/** Least time first: drivers past a limit, then working drivers by time left, then resting and exempt drivers. */
export function byLeastTime(rows: readonly BoardRow[], nowMs: number): BoardRow[] {
  const rank = (row: BoardRow): number => (isViolating(row, nowMs) ? 0 : isLimited(row) ? 1 : 2);
  return rows
    .map(row => ({ row, rank: rank(row), leftS: tightest(clocksAt(row, nowMs)).leftS }))
    .sort((one, other) => one.rank - other.rank || one.leftS - other.leftS)
    .map(({ row }) => row);
}
