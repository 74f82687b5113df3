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
 * A driver's duty log as the engine takes it: at least one segment, in order, each beginning where the one before it
 * ended. Only the last may be empty: a status just begun. Comes from `readDutyLog` and nowhere else.
 *
 * What precedes the log is taken as rest: clocks are full and the cycle is empty at its first instant. Give the engine
 * a restart or the cycle's days before the time you ask about.
 */
export interface DutyLog {
  readonly terminal: HomeTerminal;
  readonly segments: readonly Segment[];
  /** By start. */
  readonly declarations: readonly Declaration[];
  readonly [valid]: true;
}

/** What the engine counts of a log, without the promise of the door. For the door itself. */
export type UncheckedLog = Omit<DutyLog, typeof valid>;
