import { type Celsius, celsius } from '@milepost/units';
import { readHex, readNumber } from './text-fields.ts';

/**
 * "+RESP:GTERI": after the device status come the type of device on the serial port and the data that the ERI mask
 * selects. Bit 0: digital fuel sensor; bit 1: 1-wire devices connected through an AC100; bit 2: vehicle bus, as in
 * GTCAN; bit 8: Bluetooth accessories.
 */
const FUEL_SENSOR = 0b0000_0001;
const ONE_WIRE = 0b0000_0010;
export const VEHICLE_BUS = 0b0000_0100;
const BLUETOOTH = 0x100;

const ONE_WIRE_PORT = '2';
/** 1-wire probes report sixteenths of a degree as signed 16 bits. */
const PROBE_SCALE = 16;

export interface Extended {
  readonly temperature: Celsius | null;
}

export function readExtended(
  mask: number,
  fields: readonly string[],
  from: number,
  to: number,
  attributes: Record<string, string | number | boolean>,
): Extended {
  const rest = fields.slice(from, to);
  let temperature: Celsius | null = null;
  if (mask & FUEL_SENSOR) readFuelSensor(rest, attributes);
  if (mask & ONE_WIRE && rest[0] === ONE_WIRE_PORT) temperature = readProbes(rest.slice(1), attributes);
  if (mask & BLUETOOTH) temperature ??= readAccessories(rest, attributes);
  return { temperature };
}

/**
 * The reading is the last field of four hexadecimal digits. It has no unit, because that depends on the sensor's
 * calibration.
 */
function readFuelSensor(rest: readonly string[], attributes: Record<string, string | number | boolean>): void {
  const reading = rest.findLast(text => /^[0-9A-F]{4}$/i.test(text));
  const value = readHex(reading);
  if (value !== null) attributes.fuelSensor1 = value;
}

/** Number of devices, then for each its id, type (1 = temperature) and value. */
function readProbes(rest: readonly string[], attributes: Record<string, string | number | boolean>): Celsius | null {
  const count = Math.min(readNumber(rest[0]) ?? 0, 19);
  let first: Celsius | null = null;
  for (let i = 0; i < count; i++) {
    const [id, kind, data] = rest.slice(1 + i * 3, 4 + i * 3);
    if (id === undefined || id === '') continue;
    attributes[`temperatureSensor${i + 1}`] = id;
    const raw = kind === '1' ? readHex(data) : null;
    if (raw === null || raw > 0xffff) continue;
    const degreesCelsius = (raw > 0x7fff ? raw - 0x1_0000 : raw) / PROBE_SCALE;
    attributes[`temperature${i + 1}`] = degreesCelsius;
    first ??= celsius(degreesCelsius);
  }
  return first;
}

/**
 * Accessories of GV310LAU, GV350CEU and GV58LAU: index, type, model, raw data, append mask, then for each bit that is
 * set its fields: name and scale, 0 for text.
 */
type Field = readonly [name: string, scale: number];
const APPENDED: ReadonlyMap<number, readonly Field[]> = new Map<number, readonly Field[]>([
  [0, [['Name', 0]]],
  [1, [['Mac', 0]]],
  [2, [['Status', 1]]],
  [3, [['BatteryVoltage', 1 / 1000]]],
  [4, [['Temperature', 1]]],
  [5, [['Humidity', 1]]],
  [
    7,
    [
      ['Outputs', 0],
      ['Inputs', 0],
      ['AnalogInput', 1 / 1000],
    ],
  ],
  [
    8,
    [
      ['Mode', 1],
      ['Event', 1],
    ],
  ],
  [9, [['TirePressure', 1]]],
  [10, [['Time', 0]]],
  [11, [['FineTemperature', 1]]],
  [
    12,
    [
      ['MagnetId', 0],
      ['MagnetCount', 1],
      ['Magnet', 1],
    ],
  ],
  [13, [['Battery', 1]]],
]);
const HEAD_FIELDS = 5;
const HEAD = [/^\d{2}$/, /^\d{1,2}$/, /^\d{0,2}$/, /^(?:[0-9A-F]{2}){0,8}$/i, /^[0-9A-F]{4}(?:[0-9A-F]{4})?$/i];

const begins = (rest: readonly string[], at: number): boolean =>
  at + HEAD_FIELDS <= rest.length && HEAD.every((form, i) => form.test(rest[at + i] ?? ''));

function readAccessories(
  rest: readonly string[],
  attributes: Record<string, string | number | boolean>,
): Celsius | null {
  let first: Celsius | null = null;
  let at = rest.findIndex((_, i) => begins(rest, i));
  for (let number = 1; at >= 0 && begins(rest, at); number++) {
    const mask = readHex(rest[at + HEAD_FIELDS - 1]) ?? 0;
    at += HEAD_FIELDS;
    for (let bit = 0; mask >>> bit !== 0; bit++) {
      if (((mask >>> bit) & 1) === 0) continue;
      const fields = APPENDED.get(bit);
      // How many fields an unknown bit adds is unknown, too.
      if (fields === undefined) return first;
      for (const [name, scale] of fields) {
        const text = rest[at++] ?? '';
        if (text === '') continue;
        const value = scale === 0 ? null : readNumber(text);
        attributes[`tag${number}${name}`] = value === null ? text : scale === 1 ? value : value * scale;
        if (name === 'Temperature' && value !== null) first ??= celsius(value);
      }
    }
  }
  return first;
}
