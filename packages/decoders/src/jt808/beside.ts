import { type Celsius, celsius, type Metres } from '@milepost/units';
import type { TrackerEvent } from '../events.ts';

/** What the additional items of a location say. */
export interface Beside {
  odometer: Metres | null;
  temperature: Celsius | null;
  gsm: number | null;
  satellites: number | null;
  event: TrackerEvent | null;
  rfid: string | null;
  readonly attributes: Record<string, string | number | boolean>;
}

export const nothingBeside = (): Beside => ({
  odometer: null,
  temperature: null,
  gsm: null,
  satellites: null,
  event: null,
  rfid: null,
  attributes: {},
});

/** Without the last digits that binary fractions bring. */
export const tidy = (value: number): number => Number(value.toPrecision(12));

export const addTemperature = (beside: Beside, number: number, value: number): void => {
  beside.attributes[`temperature${number}`] = value;
  beside.temperature ??= celsius(value);
};
