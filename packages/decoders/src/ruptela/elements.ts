import type { TrackerEvent } from '../events.ts';

/** How an element's value is read: a plain number, signed, from -40 up, a flag, or eight bytes as hexadecimal. */
type Form = 'number' | 'signed' | 'above -40' | 'flag' | 'hex';

/**
 * Elements as data: id, bytes, name, unit, scale, form. From Ruptela's list of FM parameters; those from the vehicle
 * bus have the scales of SAE J1939; 94–96 are the values of SAE J1979, as recorded frames show. An element of another size becomes `io` and its id. `gsm`, `odometer`, `fuel`,
 * `ignition` and `rfid` have columns.
 */
export type ElementRow = readonly [
  id: number,
  bytes: 1 | 2 | 4 | 8,
  name: string,
  unit: string,
  scale?: number,
  form?: Form,
];

const MILLI = 1 / 1000;

export const ELEMENTS: readonly ElementRow[] = [
  [2, 1, 'input1', '', 1, 'flag'],
  [3, 1, 'input2', '', 1, 'flag'],
  [4, 1, 'input3', '', 1, 'flag'],
  [5, 1, 'input4', '', 1, 'flag'],
  [22, 2, 'analogInput1', 'V', MILLI],
  [23, 2, 'analogInput2', 'V', MILLI],
  [27, 1, 'gsm', '0–31'],
  [28, 1, 'profile', ''],
  [29, 2, 'externalVoltage', 'V', MILLI],
  [30, 2, 'batteryVoltage', 'V', MILLI],
  [32, 1, 'boardTemperature', '°C', 1, 'signed'],
  [34, 8, 'rfid', '', 1, 'hex'],
  [65, 4, 'odometer', 'm'],
  [88, 1, 'jamming', '', 1, 'flag'],
  [94, 2, 'rpm', '1/min', 0.25],
  [95, 1, 'obdSpeed', 'm/s', 1 / 3.6],
  [96, 1, 'coolantTemperature', '°C', 1, 'above -40'],
  [114, 4, 'canOdometer', 'm', 5],
  [134, 1, 'harshBraking', ''],
  [135, 1, 'harshAcceleration', ''],
  [136, 1, 'harshCornering', ''],
  [150, 4, 'operator', ''],
  [173, 1, 'movement', '', 1, 'flag'],
  [197, 2, 'rpm', '1/min', 0.125],
  [207, 1, 'fuel', '%', 0.4],
  [208, 4, 'fuelUsed', 'l', 0.5],
  [409, 1, 'ignition', '', 1, 'flag'],
];

const BY_KEY = new Map(ELEMENTS.map(row => [row[0] * 16 + row[1], row]));
export const elementOf = (id: number, bytes: number): ElementRow | undefined => BY_KEY.get(id * 16 + bytes);
export const elementNamed = (name: string): ElementRow | undefined => ELEMENTS.find(row => row[2] === name);

/** The event when an element causes a report: by its value, or `any`. */
export const EVENTS: Readonly<Record<number, Readonly<Record<number, TrackerEvent>> | TrackerEvent>> = {
  5: { 0: 'ignitionOff', 1: 'ignitionOn' },
  34: 'driverIdentified',
  88: { 0: 'jammingEnd', 1: 'jamming' },
  134: 'harshBraking',
  135: 'harshAcceleration',
  136: 'harshCornering',
  173: { 0: 'movementStop', 1: 'movementStart' },
  409: { 0: 'ignitionOff', 1: 'ignitionOn' },
};

export function eventOf(id: number, value: number | undefined): TrackerEvent | null {
  const meaning = EVENTS[id];
  if (meaning === undefined || typeof meaning === 'string') return meaning ?? null;
  return value === undefined ? null : (meaning[value] ?? null);
}
