import { type EpochMs, epochMs, type Milliseconds } from '@milepost/units';
import type { Split } from '../rule-set.ts';
import type { Rest } from './rest.ts';

/** A rest, or the sleeper-berth part of one, that may stand for one half of a split. */
export interface Half {
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly length: Milliseconds;
  /** The longest sleeper-berth piece in it. */
  readonly sleeper: Milliseconds;
}

/** Rests that a count uses, the latest first. */
export interface Chain {
  readonly half: Half;
  readonly before: Chain | null;
}

/**
 * What of a rest may be half of a split, or null. Where both halves must be sleeper berth, the longest such piece of
 * the rest counts and nothing else of it.
 */
export function halfOf(rest: Rest, split: Split): Half | null {
  const { start, end, length, sleeper, sleeperEnd } = rest;
  const half =
    split.longSleeper === null
      ? { start: epochMs(sleeperEnd - sleeper), end: sleeperEnd, length: sleeper, sleeper }
      : { start, end, length, sleeper };
  return half.length >= split.each ? half : null;
}

/** Whether two rests, in this order or the other, are a split. */
export const isPair = (a: Half, b: Half, { total, longSleeper }: Split): boolean =>
  a.length + b.length >= total && (longSleeper === null || Math.max(a.sleeper, b.sleeper) >= longSleeper);

/** A rest that waits for its other half and has the long sleeper part. */
export const isLongSleeper = ({ sleeper }: Half, { longSleeper }: Split): boolean =>
  longSleeper !== null && sleeper >= longSleeper;
