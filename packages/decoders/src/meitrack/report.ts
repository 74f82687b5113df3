import {
  type Celsius,
  celsius,
  degrees,
  type EpochMs,
  fromKilometresPerHour,
  metres,
  type Percent,
} from '@milepost/units';
import { positionOf } from '../position.ts';
import type { PositionMessage } from '../protocol.ts';
import { eventOf } from './event-codes.ts';

/** The values of a report in all three forms, text (AAA), CCC and CCE, in the maker's units. */
export interface RawReport {
  readonly code: number;
  readonly lat: number;
  readonly lon: number;
  readonly time: EpochMs;
  readonly valid: boolean;
  readonly satellites: number | null;
  readonly gsm: number | null;
  readonly kmh: number | null;
  readonly course: number | null;
  readonly hdop: number | null;
  readonly altitude: number | null;
  readonly mileage: number | null;
  /** Seconds. */
  readonly runTime: number | null;
  readonly cell: string | null;
  /** Eight lines each, the first in bit 0. */
  readonly inputs: number | null;
  readonly outputs: number | null;
  readonly fuel: Percent | null;
  readonly temperature: number | null;
  readonly rfid: string | null;
  readonly attributes: Record<string, string | number | boolean>;
}

export const EMPTY = {
  code: 0,
  satellites: null,
  gsm: null,
  kmh: null,
  course: null,
  hdop: null,
  altitude: null,
  mileage: null,
  runTime: null,
  cell: null,
  inputs: null,
  outputs: null,
  fuel: null,
  temperature: null,
  rfid: null,
} as const;

/** The input that the ignition is wired to, "Input 3 Active: Ignition On". */
export const IGNITION_INPUT = 3;
const MAX_CSQ = 31;
const ARMED = 56;
const DISARMED = 57;

export function positionFrom(raw: RawReport): PositionMessage {
  const { event, eventCode } = eventOf(raw.code);
  const attributes = { ...raw.attributes };
  if (eventCode !== null) attributes.eventCode = eventCode;
  if (raw.code === ARMED || raw.code === DISARMED) attributes.armed = raw.code === ARMED;
  if (raw.cell !== null) attributes.cell = raw.cell;
  if (raw.runTime !== null) attributes.runTime = raw.runTime;
  lines('input', raw.inputs, attributes);
  lines('output', raw.outputs, attributes);
  const temperature: Celsius | null = raw.temperature === null ? null : celsius(raw.temperature);
  return positionOf({
    time: raw.time,
    valid: raw.valid,
    lat: degrees(raw.lat),
    lon: degrees(raw.lon),
    speed: raw.kmh === null ? null : fromKilometresPerHour(raw.kmh),
    course: raw.course === null ? null : degrees(raw.course),
    altitude: raw.altitude === null ? null : metres(raw.altitude),
    satellites: raw.satellites,
    hdop: raw.hdop,
    ignition: ignitionOf(raw),
    odometer: raw.mileage === null ? null : metres(raw.mileage),
    fuel: raw.fuel,
    temperature,
    gsm: raw.gsm !== null && raw.gsm <= MAX_CSQ ? raw.gsm : null,
    event,
    rfid: raw.rfid,
    attributes,
  });
}

/** "Off" is trusted only from a tracker wired to a vehicle, which has external power. */
function ignitionOf({ inputs, attributes }: RawReport): boolean | null {
  if (inputs === null) return null;
  if ((inputs & (1 << (IGNITION_INPUT - 1))) !== 0) return true;
  return Number(attributes.externalVoltage ?? 0) > 5 ? false : null;
}

function lines(name: string, bits: number | null, attributes: Record<string, string | number | boolean>): void {
  if (bits === null) return;
  const last = Math.max(3, 32 - Math.clz32(bits & 0xff));
  for (let i = 0; i < last; i++) attributes[`${name}${i + 1}`] = (bits & (1 << i)) !== 0;
}

/**
 * Battery and external voltage. Models scale their converters in three ways and do not send the model; the scale used
 * is the one that gives a lithium cell's voltage for the battery: hundredths of a volt; 10 bits of 6 and 48 V; 12 bits
 * of 6.6 and 52.8 V.
 */
const SCALES: readonly (readonly [least: number, most: number, battery: number, external: number])[] = [
  [250, 450, 1 / 100, 1 / 100],
  [460, 750, (3 * 2) / 1024, (3 * 16) / 1024],
  [1600, 2800, (3.3 * 2) / 4096, (3.3 * 16) / 4096],
];

/** The highest reading of a battery in any of the scales. */
export const HIGHEST_BATTERY = 2800;

export function voltages(
  battery: number,
  external: number,
  attributes: Record<string, string | number | boolean>,
): void {
  const scale = SCALES.find(([least, most]) => battery >= least && battery <= most) ?? SCALES[0];
  // No battery has such a voltage in any of the scales, so the external one is as unknown.
  if (!scale || battery > HIGHEST_BATTERY) return;
  const rounded = (volts: number): number => Math.round(volts * 1000) / 1000;
  if (battery > 0) attributes.batteryVoltage = rounded(battery * scale[2]);
  attributes.externalVoltage = rounded(external * scale[3]);
}
