import { type EpochMs, epochMs, type Milliseconds } from '@milepost/units';
import type { Split } from '../rule-set.ts';
import type { Rest } from './rest.ts';

/** A rest, or its sleeper-berth part, that may be half of a split. */
export interface Half {
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly length: Milliseconds;
  /** The longest sleeper-berth piece in it. */
  readonly sleeper: Milliseconds;
}

/** Rests that a count uses, latest first. */
export interface Chain {
  readonly half: Half;
  readonly before: Chain | null;
}

/**
 * The part of a rest that may be half of a split, or null. Where both halves must be sleeper berth, only the longest
 * sleeper-berth piece of the rest counts.
 */
export function halfOf(rest: Rest, split: Split): Half | null {
  const { start, end, length, sleeper, sleeperEnd } = rest;
  const half =
    split.longSleeper === null
      ? { start: epochMs(sleeperEnd - sleeper), end: sleeperEnd, length: sleeper, sleeper }
      : { start, end, length, sleeper };
  return half.length >= split.each ? half : null;
}

/** Whether two rests, in either order, make a split. */
export const isPair = (a: Half, b: Half, { total, longSleeper }: Split): boolean =>
  a.length + b.length >= total && (longSleeper === null || Math.max(a.sleeper, b.sleeper) >= longSleeper);

/** Whether a rest waiting for its other half has the long sleeper-berth part. */
export const isLongSleeper = ({ sleeper }: Half, { longSleeper }: Split): boolean =>
  longSleeper !== null && sleeper >= longSleeper;
