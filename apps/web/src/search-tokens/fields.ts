import type { VehicleStatus } from '@milepost/geo';
import { VEHICLE_STATUSES } from '@milepost/geo';
import type { MeasureSystem } from '../format/measure.ts';

/** What is compared by words: `status:idling`, `in:"Depot North"`, `-tag:reefer`. */
export const WORD_FIELDS = [
  'status',
  'folder',
  'in',
  'near',
  'driver',
  'department',
  'tag',
  'model',
  'tracker',
  'is',
] as const;
export type WordField = (typeof WORD_FIELDS)[number];

/** What is compared by size: `speed>60mph`, `age>2h`, `fuel<20%`. */
export const SIZE_FIELDS = [
  'speed',
  /** How long ago the tracker was last heard. */
  'age',
  /** How long the present status lasts. */
  'since',
  /** The same, only for vehicles that idle now. */
  'idle',
  'fuel',
  'temp',
  'odometer',
  /** What it did today, or over the period that is shown: how far it went, how long it idled, and so on. */
  'today',
  'idled',
  'driven',
  /** Driving and idling together. */
  'engine',
  'stops',
  'topspeed',
  'began',
  /** Unacknowledged alerts. */
  'alerts',
  /** Days that remain of the subscription. */
  'days',
] as const;
export type SizeField = (typeof SIZE_FIELDS)[number];

export const TRAITS = ['silent', 'alerting', 'expiring'] as const;
export type Trait = (typeof TRAITS)[number];

/** For a vehicle in no folder or no geofence, one without a driver, and a driver in no department. */
export const NOBODY = 'none';

/** The unit as written, its other spellings, and its size in the internal unit. */
interface Unit {
  readonly sign: string;
  readonly also: readonly string[];
  readonly toInside: (amount: number) => number;
}

const times = (factor: number) => (amount: number) => amount * factor;
const MILE_KM = 1.609344;

const DURATIONS: readonly Unit[] = [
  { sign: 'm', also: ['min'], toInside: times(60_000) },
  { sign: 's', also: ['sec'], toInside: times(1000) },
  { sign: 'h', also: ['hr'], toInside: times(3_600_000) },
  { sign: 'd', also: ['day', 'days', 'j'], toInside: times(86_400_000) },
];
const SPEEDS: readonly Unit[] = [
  { sign: 'mph', also: ['mi/h', 'mi'], toInside: times(MILE_KM) },
  { sign: 'km/h', also: ['kmh', 'kph', 'km'], toInside: times(1) },
];
const DISTANCES: readonly Unit[] = [
  { sign: 'mi', also: ['miles'], toInside: times(MILE_KM) },
  { sign: 'km', also: [], toInside: times(1) },
];
const TEMPERATURES: readonly Unit[] = [
  { sign: 'F', also: ['f', '°f'], toInside: amount => ((amount - 32) * 5) / 9 },
  { sign: 'C', also: ['c', '°c'], toInside: times(1) },
];
const PERCENT: readonly Unit[] = [{ sign: '%', also: [], toInside: times(1) }];
const COUNT: readonly Unit[] = [{ sign: '', also: [], toInside: times(1) }];

/** Inside: km/h and km as on the wire, milliseconds, °C, percent. */
const UNITS: Readonly<Record<SizeField, readonly Unit[]>> = {
  speed: SPEEDS,
  age: DURATIONS,
  since: DURATIONS,
  idle: DURATIONS,
  fuel: PERCENT,
  temp: TEMPERATURES,
  odometer: DISTANCES,
  today: DISTANCES,
  idled: DURATIONS,
  driven: DURATIONS,
  engine: DURATIONS,
  stops: COUNT,
  topspeed: SPEEDS,
  began: COUNT,
  alerts: COUNT,
  days: COUNT,
};

/** The unit that a written one means; without one it is the reader's own. Null for one that does not belong here. */
export function unitOf(field: SizeField, written: string, system: MeasureSystem): string | null {
  const units = UNITS[field];
  if (written === '') return ownUnit(field, system);
  const plain = written.toLowerCase();
  return units.find(({ sign, also }) => sign.toLowerCase() === plain || also.includes(plain))?.sign ?? null;
}

/** The unit in which a reader writes and reads this. */
export function ownUnit(field: SizeField, { distance, temperature }: MeasureSystem): string {
  const [first, second = first] = UNITS[field];
  const metric =
    UNITS[field] === TEMPERATURES
      ? temperature === 'c'
      : (UNITS[field] === SPEEDS || UNITS[field] === DISTANCES) && distance === 'km';
  return (metric ? second : first)?.sign ?? '';
}

/** An amount in the value inside. */
export function insideOf(field: SizeField, amount: number, unit: string): number {
  return UNITS[field].find(({ sign }) => sign === unit)?.toInside(amount) ?? amount;
}

/** Statuses by the words that people type for them. */
const STATUS_WORDS: ReadonlyMap<string, VehicleStatus> = new Map([
  ...VEHICLE_STATUSES.map((status): [string, VehicleStatus] => [status, status]),
  ['idle', 'idling'],
  ['driving', 'moving'],
  ['parked', 'stopped'],
  ['nogps', 'no-gps'],
  ['nodata', 'no-data'],
]);

/** A place with how far around it: `Depot North 5mi`. */
const NEAR = /^(.*\S)\s+(\d{1,5}(?:\.\d{1,3})?)\s?(mi|km)$/is;
/** Around a place of which nobody says how far. */
const NEAR_DEFAULT = 5;

/** What a value of `near` asks for: a geofence, a town or coordinates, and how far around it in km. */
export function readNear(value: string): {
  readonly place: string;
  readonly amount: number;
  readonly unit: string;
  readonly km: number;
} {
  const [, place = value, amount = NEAR_DEFAULT, unit = 'km'] = NEAR.exec(value) ?? [];
  return { place, amount: Number(amount), unit, km: insideOf('odometer', Number(amount), unit) };
}

/**
 * A value as stored: statuses and traits by their keywords, anything else as written; how far around a place always
 * stands there, so that a link means the same to every reader. Null: unknown.
 */
export function keptValue(field: WordField, written: string, system: MeasureSystem): string | null {
  const plain = written.trim().toLowerCase();
  if (field === 'status') return STATUS_WORDS.get(plain) ?? null;
  if (field === 'is') return TRAITS.find(trait => trait === plain) ?? null;
  const text = written.trim();
  if (field !== 'near' || text === '') return text || null;
  const [, place = text, amount = NEAR_DEFAULT, unit = system.distance] = NEAR.exec(text) ?? [];
  return `${place} ${Number(amount)}${unit.toLowerCase()}`;
}
