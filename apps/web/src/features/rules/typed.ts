import { fromMilesPerHour, toKilometresPerHour } from '@milepost/units';
import type { MeasureSystem } from '../../format/measure.ts';

const KMH_OF_MPH = toKilometresPerHour(fromMilesPerHour(1));
const factorOf = ({ distance }: MeasureSystem): number => (distance === 'mi' ? KMH_OF_MPH : 1);

/** With at most one decimal place. */
export const short = (value: number): string => String(Math.round(value * 10) / 10);

/** In the user's unit. */
export const speedText = (kmh: number, system: MeasureSystem): string => short(kmh / factorOf(system));

/** Of a speed typed in the user's unit. */
export const kmhOf = (typed: string, system: MeasureSystem): number =>
  Math.round(numberOf(typed) * factorOf(system) * 100) / 100;

/** NaN if the text is not a number; the contract's message is then shown beside the field. */
export const numberOf = (text: string): number =>
  text.trim() === '' ? Number.NaN : Number(text.replace(',', '.').replace('−', '-'));
