import { type Celsius, celsius, type Metres } from '@milepost/units';
import { ascii, isText, type Reader } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';

/** Values of a location's additional items. */
export interface Beside {
  odometer: Metres | null;
  temperature: Celsius | null;
  gsm: number | null;
  satellites: number | null;
  event: TrackerEvent | null;
  rfid: string | null;
  readonly attributes: Record<string, string | number | boolean>;
}

/** Reads one item into `beside`; false if its length or content does not fit the item. */
export type Extension = (value: Reader, beside: Beside) => boolean;

export const nothingBeside = (): Beside => ({
  odometer: null,
  temperature: null,
  gsm: null,
  satellites: null,
  event: null,
  rfid: null,
  attributes: {},
});

/** Without the trailing digits caused by binary fractions. */
export const tidy = (value: number): number => Number(value.toPrecision(12));

export const addTemperature = (beside: Beside, number: number, value: number): void => {
  beside.attributes[`temperature${number}`] = value;
  beside.temperature ??= celsius(value);
};

/** All of the item as an attribute; false if it has other characters. */
export const text =
  (name: string): Extension =>
  (value, { attributes }) => {
    const bytes = value.rest();
    if (!isText(bytes)) return false;
    attributes[name] = ascii(bytes);
    return true;
  };
