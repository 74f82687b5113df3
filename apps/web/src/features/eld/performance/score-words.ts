import { numberFormat } from '../../../format/locale.ts';

/** From here on a score is fine, and below the other it needs a talk. */
const FINE = 85;
const LOW = 75;

/** How a score looks; shape and figure carry the meaning, the tone repeats it. */
export const toneOf = (score: number | null): 'fine' | 'fair' | 'low' =>
  score === null || score >= FINE ? 'fine' : score >= LOW ? 'fair' : 'low';

export const figure = (value: number, digits = 0): string =>
  numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

/** A difference always has its sign; none is 0. */
export const difference = (value: number): string =>
  numberFormat({ maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(Math.round(value));

/** Half the width of the band: `±5`. */
export const uncertainty = ({ low, high }: { readonly low: number; readonly high: number }): number => (high - low) / 2;
