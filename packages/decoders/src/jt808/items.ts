import { metres } from '@milepost/units';
import { ascii, hex, isText, Reader } from '../bytes.ts';
import { type Beside, type Extension, tidy } from './beside.ts';
import { EXTENSIONS } from './extensions.ts';

const DECI = 1 / 10;
/** Tenths of km/h in m/s. */
const DECI_KMH = 1 / 36;
const HECTOMETRES = 100;

/** A numeric item: id, bytes, name, unit, scale. `gsm`, `satellites` and `odometer` have columns. */
export type NumberRow = readonly [id: number, bytes: 1 | 2 | 4, name: string, unit: string, scale?: number];

/** JT/T 808-2013 Table 27, 808-2019 Table 27, and JT/T 1078-2016 Table 13 (0x14–0x17). */
export const STANDARD_ITEMS: readonly NumberRow[] = [
  [0x01, 4, 'odometer', 'm', HECTOMETRES],
  [0x02, 2, 'fuelVolume', 'l', DECI],
  [0x03, 2, 'recorderSpeed', 'm/s', DECI_KMH],
  [0x04, 2, 'alarmToConfirm', ''],
  [0x14, 4, 'videoAlarm', 'bits'],
  [0x15, 4, 'videoSignalLost', 'bits'],
  [0x16, 4, 'videoSignalCovered', 'bits'],
  [0x17, 2, 'storageFault', 'bits'],
  [0x25, 4, 'vehicleSignals', 'bits'],
  [0x2a, 2, 'ioStatus', 'bits'],
  [0x30, 1, 'gsm', '0–31'],
  [0x31, 1, 'satellites', ''],
];

const NUMBERS = new Map(STANDARD_ITEMS.map(row => [row[0], row]));
const MAX_CSQ = 31;
const MAX_HEX_BYTES = 64;

type ItemReader = (value: Reader, beside: Beside) => void;

/**
 * Tables 28–30: 0x11 and 0x12 give the area or route, and whether the vehicle entered or left; 0x13 the time taken for
 * a route.
 */
const STRUCTURED: Readonly<Record<number, ItemReader>> = {
  17: (value, beside) => {
    beside.event ??= 'overspeed';
    if (value.u8() !== 0) beside.attributes.area = value.u32();
  },
  18: (value, beside) => {
    value.skip(1);
    beside.attributes.area = value.u32();
    beside.event = value.u8() === 0 ? 'geofenceEnter' : 'geofenceExit';
  },
  19: (value, beside) => {
    beside.attributes.route = value.u32();
    beside.attributes.routeTime = value.u16();
    beside.attributes.routeTimeTooLong = value.u8() !== 0;
  },
  43: (value, beside) => {
    beside.attributes.analogInput2 = value.u16();
    beside.attributes.analogInput1 = value.u16();
  },
};
const STRUCTURED_BYTES: Readonly<Record<number, readonly number[]>> = { 17: [1, 5], 18: [6], 19: [7], 43: [4] };

/** Reads all items; stops at one longer than the remaining bytes, but the position is kept. */
export function readItems(reader: Reader, beside: Beside): void {
  while (reader.remaining >= 2) {
    const id = reader.u8();
    const length = reader.u8();
    if (length > reader.remaining) return;
    readItem(id, reader.take8(length), beside);
  }
}

function readItem(id: number, bytes: Uint8Array, beside: Beside): void {
  const row = NUMBERS.get(id);
  if (row && row[1] === bytes.length) numberItem(row, bytes, beside);
  else if (STRUCTURED_BYTES[id]?.includes(bytes.length)) STRUCTURED[id]?.(new Reader(bytes), beside);
  else if (!readExtension(EXTENSIONS[id], bytes, beside)) unknownItem(id, bytes, beside);
}

const readExtension = (extension: Extension | undefined, bytes: Uint8Array, beside: Beside): boolean =>
  extension?.(new Reader(bytes), beside) ?? false;

function numberItem([, size, name, , scale = 1]: NumberRow, bytes: Uint8Array, beside: Beside): void {
  const value = new Reader(bytes);
  const number = size === 1 ? value.u8() : size === 2 ? value.u16() : value.u32();
  if (name === 'odometer') beside.odometer = metres(number * scale);
  else if (name === 'satellites') beside.satellites = number;
  else if (name === 'gsm') beside.gsm = number <= MAX_CSQ ? number : null;
  else beside.attributes[name] = tidy(number * scale);
}

function unknownItem(id: number, bytes: Uint8Array, beside: Beside): void {
  const name = `item${hex(Uint8Array.of(id))}`;
  const kept = bytes.subarray(0, MAX_HEX_BYTES);
  beside.attributes[name] = kept.length > 2 && isText(kept) ? ascii(kept) : hex(kept);
}
