import type { VehicleStatus } from '@milepost/geo';
import { VEHICLE_STATUSES } from '@milepost/geo';
import type { MeasureSystem } from '../format/measure.ts';

/** Fields that are compared with words: `status:idling`, `in:"Depot North"`, `-tag:reefer`. */
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

/** Fields that are compared by size: `speed>60mph`, `age>2h`, `fuel<20%`. */
export const SIZE_FIELDS = [
  'speed',
  /** Time since the tracker last reported. */
  'age',
  /** Duration of the current status. */
  'since',
  /** The same as `since`, but only for vehicles that are idling now. */
  'idle',
  'fuel',
  'temp',
  'odometer',
  /** What the vehicle did today or in the period shown: distance, time idling, and so on. */
  'today',
  'idled',
  'driven',
  /** Time driving plus time idling. */
  'engine',
  'stops',
  'topspeed',
  'began',
  /** Unacknowledged alerts. */
  'alerts',
  /** Days left in the subscription. */
  'days',
] as const;
export type SizeField = (typeof SIZE_FIELDS)[number];

export const TRAITS = ['silent', 'alerting', 'expiring'] as const;
export type Trait = (typeof TRAITS)[number];

/** The value for a vehicle without a folder, geofence or driver, and for a driver without a department. */
export const NOBODY = 'none';

/** A unit as displayed, its other spellings, and the conversion to the internal unit. */
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

/** Internal units: km/h and km as on the wire, milliseconds, °C, percent. */
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

/**
 * The unit that the user typed, or the user's own unit if they typed none. Null if the field doesn't have that unit.
 */
export function unitOf(field: SizeField, written: string, system: MeasureSystem): string | null {
  const units = UNITS[field];
  if (written === '') return ownUnit(field, system);
  const plain = written.toLowerCase();
  return units.find(({ sign, also }) => sign.toLowerCase() === plain || also.includes(plain))?.sign ?? null;
}

/** The user's own unit for a field. */
export function ownUnit(field: SizeField, { distance, temperature }: MeasureSystem): string {
  const [first, second = first] = UNITS[field];
  const metric =
    UNITS[field] === TEMPERATURES
      ? temperature === 'c'
      : (UNITS[field] === SPEEDS || UNITS[field] === DISTANCES) && distance === 'km';
  return (metric ? second : first)?.sign ?? '';
}

/** Converts an amount to the internal unit. */
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

/** A place and a radius: `Depot North 5mi`. */
const NEAR = /^(.*\S)\s+(\d{1,5}(?:\.\d{1,3})?)\s?(mi|km)$/is;
/** The radius if none is given. */
const NEAR_DEFAULT = 5;

/** Splits a value of `near`: a place, which is a geofence, a town or coordinates, and the radius, also in km. */
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
 * The value to store: keywords for statuses and traits, the typed text for other fields. `near` always includes the
 * radius with its unit, so that a link means the same for every user. Null if the value is unknown.
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
