import { BUS_ELEMENTS } from './bus-elements.ts';
import type { ElementRow, Reading } from './element-row.ts';
import { OWN_ELEMENTS } from './own-elements.ts';
import { SENSOR_ELEMENTS } from './sensor-elements.ts';
import { TACHOGRAPH_ELEMENTS } from './tachograph-elements.ts';

/**
 * Elements as data, from Ruptela's "FM IO list" (as DIMO's vehicle data model has it whole, with names, sizes, steps and
 * error values). An element that is not here, or has another size, becomes `io` and its id.
 */
export const ELEMENTS: readonly ElementRow[] = [
  ...OWN_ELEMENTS,
  ...BUS_ELEMENTS,
  ...TACHOGRAPH_ELEMENTS,
  ...SENSOR_ELEMENTS,
];

const BY_KEY = new Map(ELEMENTS.map(row => [row[0] * 16 + row[1], row]));
const BY_NAME = new Map(ELEMENTS.toReversed().map(row => [row[2], row]));
export const elementOf = (id: number, bytes: number): ElementRow | undefined => BY_KEY.get(id * 16 + bytes);
/** The first in the list with that name. */
export const elementNamed = (name: string): ElementRow | undefined => BY_NAME.get(name);

const PLAIN: Reading = {};

/** Null for the list's error values. */
export function readValue(row: ElementRow, raw: number): number | boolean | null {
  const bytes = row[1];
  const reading = row[4] ?? PLAIN;
  if (reading === PLAIN) return raw;
  const { form, signed, lowest, highest, scale = 1, offset = 0 } = reading;
  if (form === 'flag' || form === 'off flag') return raw > 1 ? null : (raw === 1) === (form === 'flag');
  const value = signed && raw >= 2 ** (8 * bytes - 1) ? raw - 2 ** (8 * bytes) : raw;
  if ((highest !== undefined && value > highest) || (lowest !== undefined && value < lowest)) return null;
  // A thousandth and the like divide exactly, which takes a fraction of the time.
  const divisor = 1 / scale;
  if (offset === 0 && Number.isInteger(divisor)) return value / divisor;
  return Number((value * scale + offset).toPrecision(12));
}
