import { PERFORMANCE_KINDS, type PerformanceKind, type PerformanceWeights } from '@milepost/contract';

/** The open formula of a driver’s score. Pure. */

/** Something that counts: 1 for an event, hours for idling. */
export interface Counted {
  readonly kind: PerformanceKind;
  readonly amount: number;
}

export interface Score {
  /** From 0 to 100; null without a kilometer. */
  readonly score: number | null;
  /** The band that holds it with 95 % certainty. */
  readonly low: number;
  readonly high: number;
  /** What was taken from 100, also below 0. */
  readonly points: number;
}

const BEST = 100;
const PER_KM = 1000;
/** The 97.5th percentile of the normal distribution. */
const NINETY_FIVE = 1.96;

export const DEFAULT_WEIGHTS: PerformanceWeights = {
  speeding: 4,
  harsh: 4,
  idling: 1,
  hours: 10,
  certification: 2,
  unidentified: 5,
  punctuality: 2,
};

/** What one item takes from the score. */
export const pointsOf = ({ kind, amount }: Counted, weights: PerformanceWeights, km: number): number =>
  km > 0 ? (weights[kind] * amount * PER_KM) / km : 0;

/**
 * 100 less the points of all items. The band takes events as happening at random at their rate: the variance of a count
 * is the count, and one more for what few kilometers have not shown.
 */
export function scoreOf(items: readonly Counted[], weights: PerformanceWeights, km: number): Score {
  if (km <= 0) return { score: null, low: 0, high: BEST, points: 0 };
  const points = items.reduce((sum, item) => sum + pointsOf(item, weights, km), 0);
  let variance = 0;
  for (const kind of PERFORMANCE_KINDS) {
    const amount = items.reduce((sum, item) => sum + (item.kind === kind ? item.amount : 0), 0);
    variance += (amount + 1) * weights[kind] ** 2;
  }
  const half = (NINETY_FIVE * Math.sqrt(variance) * PER_KM) / km;
  return {
    score: within(BEST - points),
    low: within(BEST - points - half),
    high: within(BEST - points + half),
    points,
  };
}

const within = (score: number): number => Math.min(BEST, Math.max(0, score));
