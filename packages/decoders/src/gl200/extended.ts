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

/** Index, type, model, raw data, append mask, then a field for each bit set. */
const APPENDED: readonly (readonly [bit: number, name: string, scale: number])[] = [
  [0, 'Name', 0],
  [1, 'Mac', 0],
  [2, 'Status', 1],
  [3, 'BatteryVoltage', 1 / 1000],
  [4, 'Temperature', 1],
  [5, 'Humidity', 1],
  [11, 'FineTemperature', 1],
  [13, 'Battery', 1],
];
const KNOWN_BITS = APPENDED.reduce((bits, [bit]) => bits | (1 << bit), 0);

function readAccessories(
  rest: readonly string[],
  attributes: Record<string, string | number | boolean>,
): Celsius | null {
  let first: Celsius | null = null;
  const begin = rest.findIndex((text, i) => /^\d{1,2}$/.test(text) && Number(text) > 0 && rest[i + 1] === '00');
  if (begin < 0) return null;
  const count = Math.min(Number(rest[begin]), 10);
  let at = begin + 1;
  for (let number = 1; number <= count && at + 4 < rest.length; number++) {
    const mask = readHex(rest[at + 4]);
    at += 5;
    if (mask === null || (mask & ~KNOWN_BITS) !== 0) return first;
    for (const [bit, name, scale] of APPENDED) {
      if ((mask & (1 << bit)) === 0) continue;
      const text = rest[at++] ?? '';
      if (text === '') continue;
      const value = scale === 0 ? null : readNumber(text);
      attributes[`tag${number}${name}`] = value === null ? text : scale === 1 ? value : value * scale;
      if (name === 'Temperature' && value !== null) first ??= celsius(value);
    }
  }
  return first;
}
