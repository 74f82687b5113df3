import { metres } from '@milepost/units';
import { numberFormat } from '../../../format/locale.ts';
import { distanceFigure, joined, METRIC, type MeasureSystem } from '../../../format/measure.ts';
import { signedNumber } from '../../../format/signed.ts';

/** From the first value on, a score is good; below the second, the driver needs a talk. */
const FINE = 85;
const LOW = 75;

const SCORED = metres(1_000_000);

/** The distance that points are counted for: `1,000 km`, or `1,000 km (621 mi)`. */
export function scoredDistance(system: MeasureSystem): string {
  const km = joined(distanceFigure(SCORED, METRIC));
  const own = joined(distanceFigure(SCORED, system));
  return km === own ? km : `${km} (${own})`;
}

/** How a score looks. Shape and figure carry the meaning; the color only repeats it. */
export const toneOf = (score: number | null): 'fine' | 'fair' | 'low' =>
  score === null || score >= FINE ? 'fine' : score >= LOW ? 'fair' : 'low';

export const figure = (value: number, digits = 0): string =>
  numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** A difference with its sign, minus as in all figures of a score; no difference is 0. */
export const difference = (value: number): string => signedNumber(Math.round(value), { maximumFractionDigits: 0 });

/** Half of the margin's width: `±5`. */
export const uncertainty = ({ low, high }: { readonly low: number; readonly high: number }): number => (high - low) / 2;
