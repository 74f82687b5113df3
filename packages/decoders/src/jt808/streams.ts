import { metres } from '@milepost/units';
import { ascii, hex, isText, Reader } from '../bytes.ts';
import type { TrackerEvent } from '../events.ts';
import { addTemperature, type Beside, type Extension, tidy } from './beside.ts';

/**
 * The data streams of OBD terminals ("4G Wireless Air Protocol" VJT.04.063, §3.35–3.41): items 0xEA (basic), 0xEB (car),
 * 0xEC (truck), 0xED (electric vehicle), 0xEE (devices), 0xFA (alarms), each a list of id 2, length 1, value.
 */
export interface Entry {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Null if the lengths do not add up: another maker's item. */
export function entriesOf(bytes: Uint8Array): readonly Entry[] | null {
  const reader = new Reader(bytes);
  const entries: Entry[] = [];
  while (reader.remaining >= 3) {
    const id = reader.u16();
    const length = reader.u8();
    if (length > reader.remaining) return null;
    entries.push({ id, bytes: reader.take8(length) });
  }
  return reader.remaining === 0 && entries.length > 0 ? entries : null;
}

export const unsigned = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

type Row = readonly [id: number, bytes: number, name: string, scale?: number, offset?: number];

const NUMBERS: readonly Row[] = [
  [0x0005, 4, 'engineHours'],
  [0x0007, 4, 'idleTime'],
  [0x0012, 2, 'externalVoltage', 0.1],
  [0x0013, 1, 'batteryVoltage', 0.1],
  [0x0021, 4, 'carbonEmission'],
  [0x5005, 2, 'fuelRate', 0.05],
  [0x5006, 2, 'fuelTemperature', 0.03125, -273],
  [0x5007, 2, 'oilTemperature', 0.03125, -273],
  [0x5008, 1, 'oilPressure', 4],
  [0x5105, 1, 'adBlueLevel', 0.4],
  [0x511f, 1, 'engineLoad'],
  [0x6010, 1, 'troubleCodeCount'],
  [0x6040, 1, 'engineLoad'],
  [0x6050, 1, 'coolantTemperature', 1, -40],
  [0x60a0, 2, 'fuelPressure'],
  [0x60b0, 1, 'intakePressure'],
  [0x60c0, 2, 'rpm'],
  [0x60d0, 1, 'obdSpeed', 1 / 3.6],
  [0x60f0, 1, 'intakeTemperature', 1, -40],
  [0x6110, 2, 'throttle', 0.1],
  [0x61f0, 2, 'engineRunTime'],
  [0x6460, 1, 'ambientTemperature', 1, -40],
  [0x6490, 1, 'acceleratorPedal'],
  [0x7002, 1, 'tractionBattery'],
  [0x7003, 1, 'obdSpeed', 1 / 3.6],
  [0x700c, 2, 'tractionVoltage', 0.1],
];
const NUMBER_BY_ID = new Map(NUMBERS.map(row => [row[0], row]));

/** "Fuel": the highest bit for liters, otherwise percent; tenths. */
const LITERS = 0x8000;
const FIRST_PROBE = 0x3002;
const LAST_PROBE = 0x3005;

/** Values with a column, or of a form of their own; false if the length does not fit. */
function special({ id, bytes }: Entry, beside: Beside): boolean {
  const { attributes } = beside;
  const value = unsigned(bytes);
  if ((id === 0x0003 || id === 0x0025) && bytes.length === 5) beside.odometer ??= metres(value % 2 ** 32);
  else if (id === 0x001e && bytes.length === 4) beside.odometer = metres(value);
  else if (id === 0x7001 && bytes.length === 4) beside.odometer ??= metres(value * 100);
  else if (id === 0x0004 && bytes.length === 5) attributes.fuelUsed = (value % 2 ** 32) / 1000;
  else if (id === 0x0014 && bytes.length === 1) beside.gsm = value <= 31 ? value : null;
  else if (id === 0x0018 && bytes.length === 1) beside.satellites = value;
  else if (id === 0x5115 && isText(bytes)) attributes.vin = ascii(bytes);
  else if (id === 0x62f0 && bytes.length === 2) {
    attributes[value & LITERS ? 'fuelVolume' : 'fuelLevel1'] = (value & ~LITERS) / 10;
  } else if (id >= FIRST_PROBE && id <= LAST_PROBE && bytes.length === 2) {
    addTemperature(beside, id - FIRST_PROBE + 1, tidy(value / 10 - 40));
  } else return false;
  return true;
}

/** The first and the last id of each item's range. */
const stream =
  (first: number, last: number): Extension =>
  (value, beside) => {
    const entries = entriesOf(value.rest());
    if (!entries?.every(({ id }) => id >= first && id <= last)) return false;
    for (const entry of entries) {
      const { id, bytes } = entry;
      const row = NUMBER_BY_ID.get(id);
      if (row?.[1] === bytes.length) {
        const [, , name, scale = 1, offset = 0] = row;
        beside.attributes[name] = tidy(unsigned(bytes) * scale + offset);
      } else if (!special(entry, beside)) {
        beside.attributes[`obd${hex(Uint8Array.of(id >> 8, id & 255))}`] =
          bytes.length <= 4 ? unsigned(bytes) : hex(bytes);
      }
    }
    return true;
  };

const ALARMS: ReadonlyMap<number, TrackerEvent> = new Map<number, TrackerEvent>([
  [0x0001, 'ignitionOn'],
  [0x0002, 'ignitionOff'],
  [0x0005, 'doorOpen'],
  [0x0101, 'towing'],
  [0x0103, 'powerCut'],
  [0x0104, 'powerRestored'],
  [0x0105, 'powerLow'],
  [0x0106, 'idling'],
  [0x0107, 'overspeed'],
  [0x010f, 'doorOpen'],
  [0x0110, 'theft'],
  [0x0111, 'harshAcceleration'],
  [0x0112, 'harshBraking'],
  [0x0113, 'harshCornering'],
  [0x0114, 'crash'],
  [0x0115, 'vibration'],
  [0x0401, 'harshBraking'],
  [0x0402, 'harshBraking'],
  [0x0407, 'tamper'],
  [0x0408, 'tamper'],
  [0x040a, 'batteryLow'],
]);
const FIRST_ALARM = 0x0101;

const alarms: Extension = (value, beside) => {
  const entries = entriesOf(value.rest());
  if (entries === null) return false;
  for (const { id } of entries) {
    const event = ALARMS.get(id);
    if (event === undefined) beside.attributes.alarmCode = id;
    if (event !== undefined || id >= FIRST_ALARM) beside.event ??= event ?? 'alarm';
  }
  return true;
};

export const CAR = stream(0x6001, 0x6fff);
export const TRUCK = stream(0x5001, 0x6fff);
export const STREAM_ITEMS: Readonly<Record<number, Extension>> = {
  234: stream(0x0001, 0x0fff),
  237: stream(0x7001, 0x7fff),
  238: stream(0x3001, 0x4fff),
  250: alarms,
};

/** The first that takes the item; each gets it from its start. */
export const either =
  (...extensions: readonly Extension[]): Extension =>
  ({ bytes, at, end }, beside) =>
    extensions.some(extension => extension(new Reader(bytes, at, end), beside));
