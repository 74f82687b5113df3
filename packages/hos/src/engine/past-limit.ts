import { type EpochMs, epochMs, type Milliseconds, milliseconds } from '@milepost/units';
import type { RuleId } from '../rule-id.ts';
import type { Chain } from './half.ts';
import { NOTHING } from './time.ts';

/** Driving past one limit; becomes one violation. */
export interface PastLimit {
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly over: Milliseconds;
  /** The start of the count when the limit was first passed, and the clause. */
  readonly countedFrom: EpochMs;
  readonly clause: string;
}

/** Adds driving from `start` up to `end`, of which `left` was still allowed. */
export function addDriving(
  past: PastLimit | null,
  start: EpochMs,
  end: EpochMs,
  left: number,
  countedFrom: EpochMs,
  clause: string,
): PastLimit | null {
  const from = left > 0 ? epochMs(start + left) : start;
  if (from >= end) return past;
  const over = milliseconds((past?.over ?? 0) + (end - from));
  return past ? { ...past, end, over } : { start: from, end, over, countedFrom, clause };
}

export const overOf = (past: PastLimit | null): Milliseconds => past?.over ?? NOTHING;

/** A violation, before the log's segments are added as evidence. */
export interface Finding {
  readonly rule: RuleId;
  readonly past: PastLimit;
  /** The rests excluded from the count. */
  readonly used: Chain | null;
}
