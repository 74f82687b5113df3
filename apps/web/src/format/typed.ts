import { fromMiles, LITRES_PER_GALLON, toKilometres } from '@milepost/units';
import { numberFormat } from './locale.ts';
import { METRES_PER_FOOT, type MeasureSystem } from './measure.ts';

/** One mile or kilometer in kilometers; also one mph or km/h in km/h. */
export const kmPerUnit = ({ distance }: MeasureSystem): number => (distance === 'mi' ? toKilometres(fromMiles(1)) : 1);

/** One foot or meter, the units of short lengths, in meters. */
export const metersPerUnit = ({ distance }: MeasureSystem): number => (distance === 'mi' ? METRES_PER_FOOT : 1);

/** One gallon or liter in liters. */
export const litersPerUnit = ({ volume }: MeasureSystem): number => (volume === 'gal' ? LITRES_PER_GALLON : 1);

const separator = (type: 'group' | 'decimal'): string =>
  numberFormat()
    .formatToParts(1_234_567.8)
    .find(part => part.type === type)?.value ?? '';

/**
 * A number as a user types it in the app's language: 1200.5 is `1,200.5` in English, `1.200,5` in Spanish, and
 * `1 200,5` in French. A comma or point that can't separate thousands is the decimal sign in any language.
 *
 * @returns NaN if the text is empty or not a number, which the contract's schemas refuse.
 */
export function typedNumber(text: string): number {
  const plain = text
    .trim()
    .replace('−', '-')
    .replace(/(?<=\d)\s(?=\d{3}(?!\d))/gu, '');
  const [group, decimal] = [separator('group'), separator('decimal')];
  const isGrouped = new RegExp(`^-?\\d{1,3}(?:[${group}]\\d{3})+(?:[${decimal}]\\d*)?$`, 'u').test(plain);
  const number = (isGrouped ? plain.replaceAll(group, '') : plain).replace(',', '.');
  return /^-?(?:\d+\.?\d*|\.\d+)$/u.test(number) ? Number(number) : Number.NaN;
}

/** A number as the text of a field, which {@link typedNumber} reads; empty for null. */
export const typedText = (value: number | null, digits = 3): string =>
  value === null ? '' : numberFormat({ maximumFractionDigits: digits, useGrouping: false }).format(value);
