import type { BoardRow } from '@milepost/contract';
import { clocksAt, isWorking, tightest } from './clocks.ts';

/** Drivers with less time left than this, in seconds, are counted and their rows marked. */
const SOON_S = 3600;

/** Working, with limits that apply. */
export const isLimited = (row: BoardRow): boolean => isWorking(row.status) && row.exempt === null;

/** Driving past a limit now, according to the server or because a clock has run out since. */
export function isViolating(row: BoardRow, nowMs: number): boolean {
  if (row.violations.some(({ isOpen }) => isOpen)) return true;
  return row.status === 'D' && row.exempt === null && tightest(clocksAt(row, nowMs)).leftS <= 0;
}

/** Working, within the limits, and with less than an hour left on a clock. */
export const isSoon = (row: BoardRow, nowMs: number): boolean =>
  isLimited(row) && !isViolating(row, nowMs) && tightest(clocksAt(row, nowMs)).leftS < SOON_S;
