import type { BoardRow } from '@milepost/contract';
import { isLimited, isSoon, isViolating } from '../../../logbook/attention.ts';
import { clocksAt, tightest } from '../../../logbook/clocks.ts';
import { matchesSearch } from '../../../registry/search.ts';

export const SHOWN = ['violation', 'soon', 'uncertified'] as const;
export type Shown = (typeof SHOWN)[number];

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
