import type { EpochMs } from '@milepost/units';
import type { Declaration } from './exception.ts';
import type { DutyStatus } from './status.ts';

/** A time in one duty status, half-open: from `start` up to `end`. */
export interface Segment {
  readonly status: DutyStatus;
  readonly start: EpochMs;
  readonly end: EpochMs;
}

/** Where a driver's days begin: 395.8(d)(5) and 395.2 "day", SOR/2005-313 s. 1. */
export interface HomeTerminal {
  /** IANA name, `America/Chicago`. */
  readonly timeZone: string;
  /** Minutes after midnight, 0…1439. */
  readonly startOfDay: number;
}

declare const valid: unique symbol;

/**
 * A driver's duty log, as the engine takes it: at least one segment, in order, each starting where the previous one
 * ended. Only the last may be empty: a status that has just begun. Created only by `readDutyLog`.
 *
 * The time before the log counts as rest: at its first instant all clocks are full and the cycle is empty. To get
 * correct results, include a restart or the full cycle before the time you ask about.
 */
export interface DutyLog {
  readonly terminal: HomeTerminal;
  readonly segments: readonly Segment[];
  /** By start. */
  readonly declarations: readonly Declaration[];
  readonly [valid]: true;
}

/** A duty log's data without the brand that `readDutyLog` gives it. For use by `readDutyLog` itself. */
export type UncheckedLog = Omit<DutyLog, typeof valid>;
