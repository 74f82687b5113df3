import type { FleetSums, Vehicle } from '@milepost/contract';
import type { Place, VehicleEntry } from '../live/vehicle-entry.ts';
import { protocolName } from '../vehicles/protocol-name.ts';
import { toldMs } from '../vehicles/shown.ts';
import { driverOf, modelOf, odometerOf } from '../vehicles/vehicle-words.ts';
import { insideOf, NOBODY, readNear, type SizeField, type WordField } from './fields.ts';
import type { Search, SearchToken } from './search-text.ts';

/** Data a search may need beyond the vehicle entry. Missing data matches nothing. */
export interface SearchContext {
  readonly nowMs: number;
  /** Names of the folders that it is in, from the top down. */
  readonly folderPathOf?: (vehicle: Vehicle) => readonly string[];
  /** Names of the departments that a driver is in, from the top down. */
  readonly departmentPathOf?: (driverId: string) => readonly string[];
  /** Names of the geofences that it is inside now. */
  readonly geofencesOf?: (vehicle: Vehicle) => readonly string[];
  /** How far it is, in km, from places that `near:` names, by name; none of a place that is unknown. */
  readonly awayFrom?: ReadonlyMap<string, (at: Place) => number>;
  /** How many alerts nobody has acknowledged. */
  readonly alertsOf?: (vehicle: Vehicle) => number;
  /** What it did today, or over the period that is shown. */
  readonly sumsOf?: (vehicle: Vehicle) => FleetSums | null;
  /** Its documents or its subscription end soon, or have ended. */
  readonly expires?: (vehicle: Vehicle) => boolean;
}

/** Fewer digits would find half the fleet by its IMEIs. */
const IMEI_DIGITS = 4;

/** Whether a vehicle is one that the search asks for; made once for a whole list. */
export function matcher({ tokens, words }: Search, context: SearchContext): (entry: VehicleEntry) => boolean {
  const plainWords = words.map(plain);
  const tests = tokens.map(token => testOf(token, context));
  return entry => tests.every(test => test(entry)) && plainWords.every(word => isCalled(entry, word));
}

function testOf(token: SearchToken, context: SearchContext): (entry: VehicleEntry) => boolean {
  if (token.kind === 'size') {
    const limit = insideOf(token.field, token.amount, token.unit);
    return entry => {
      const size = sizeOf(token.field, entry, context);
      return size !== null && (token.over ? size > limit : size < limit);
    };
  }
  const { field } = token;
  if (field === 'near') return entry => token.values.some(value => isNear(value, entry, context)) !== token.not;
  const values = token.values.map(plain);
  return entry => values.some(value => hasValue(field, value, entry, context)) !== token.not;
}

function isNear(value: string, { place }: VehicleEntry, { awayFrom }: SearchContext): boolean {
  const { km, place: name } = readNear(value);
  const away = place && awayFrom?.get(name)?.(place);
  return away != null && away <= km;
}

function hasValue(
  field: Exclude<WordField, 'near'>,
  value: string,
  entry: VehicleEntry,
  context: SearchContext,
): boolean {
  const { vehicle, now } = entry;
  switch (field) {
    case 'status':
      return now.status === value;
    case 'folder':
      return isOnPath(context.folderPathOf?.(vehicle) ?? [], value);
    case 'in': {
      const names = context.geofencesOf?.(vehicle);
      if (value === NOBODY) return names?.length === 0;
      return names?.some(name => startsWord(name, value)) ?? false;
    }
    case 'department': {
      const driver = driverOf(entry);
      return driver !== null && isOnPath(context.departmentPathOf?.(driver.id) ?? [], value);
    }
    case 'driver': {
      const name = driverOf(entry)?.name;
      return value === NOBODY ? name === undefined : startsWord(name, value);
    }
    case 'tag':
      return vehicle.tags.some(tag => plain(tag) === value);
    case 'model':
      return startsWord(modelOf(vehicle), value);
    case 'tracker':
      return startsWord(vehicle.trackerModel, value) || startsWord(protocolName(vehicle.protocol), value);
    case 'is':
      if (value === 'silent') return now.status === 'outdated' || now.status === 'offline';
      if (value === 'alerting') return (context.alertsOf?.(vehicle) ?? 0) > 0;
      return context.expires?.(vehicle) ?? false;
  }
}

/** A path or the start of one: `North/Reefers` and its contents. */
function isOnPath(names: readonly string[], value: string): boolean {
  const path = names.map(plain);
  return value === NOBODY ? path.length === 0 : path.includes(value) || `${path.join('/')}/`.startsWith(`${value}/`);
}

/** Of what it did, in the units of `insideOf`. */
const SUMS = {
  today: ({ distanceM }: FleetSums) => distanceM / 1000,
  idled: ({ idlingS }: FleetSums) => idlingS * 1000,
  driven: ({ movingS }: FleetSums) => movingS * 1000,
  engine: ({ movingS, idlingS }: FleetSums) => (movingS + idlingS) * 1000,
  stops: ({ stops }: FleetSums) => stops,
  topspeed: ({ maxSpeedMps }: FleetSums) => maxSpeedMps && maxSpeedMps * 3.6,
  began: ({ alerts }: FleetSums) => alerts,
} as const;

/** In the units of `insideOf`. Null: no value, which matches no comparison. */
function sizeOf(field: SizeField, entry: VehicleEntry, { nowMs, alertsOf, sumsOf }: SearchContext): number | null {
  const { vehicle, now, report } = entry;
  switch (field) {
    case 'speed':
      return now.status === 'moving' ? (report?.speed ?? null) : null;
    case 'age': {
      const told = toldMs(entry);
      return told === null ? null : nowMs - told;
    }
    case 'since':
      return now.sinceMs === null ? null : nowMs - now.sinceMs;
    case 'idle':
      return now.status !== 'idling' || now.sinceMs === null ? null : nowMs - now.sinceMs;
    case 'fuel':
      return report?.fuelGage ?? null;
    case 'temp':
      return report?.temp ?? null;
    case 'odometer':
      return odometerOf(entry);
    case 'today':
    case 'idled':
    case 'driven':
    case 'engine':
    case 'stops':
    case 'topspeed':
    case 'began': {
      const sums = sumsOf?.(vehicle);
      return sums ? SUMS[field](sums) : null;
    }
    case 'alerts':
      return alertsOf?.(vehicle) ?? null;
    case 'days':
      return vehicle.daysRemaining;
  }
}

/** Somewhere in its names, its documents' numbers, its driver, tags and place. */
function isCalled(entry: VehicleEntry, word: string): boolean {
  const { vehicle, report } = entry;
  if (namesOf(vehicle).includes(word)) return true;
  const driver = driverOf(entry)?.name;
  if ((driver && plain(driver).includes(word)) || (report?.address && plain(report.address).includes(word)))
    return true;
  // A plate is written with dashes or without.
  const bare = withoutMarks(word);
  if (bare !== '' && vehicle.plate && withoutMarks(plain(vehicle.plate)).includes(bare)) return true;
  if (!/^\d+$/.test(word) || word.length < IMEI_DIGITS) return false;
  return (word.length > 6 ? vehicle.imei : vehicle.imei.slice(-6)).includes(word);
}

const kept = new WeakMap<Vehicle, string>();

/** Kept for each vehicle: thousands are looked through while someone types. */
function namesOf(vehicle: Vehicle): string {
  const known = kept.get(vehicle);
  if (known !== undefined) return known;
  const { deviceName, plate, vin, tags, trackerModel } = vehicle;
  const names = plain([deviceName, plate, vin, modelOf(vehicle), trackerModel, ...tags].filter(Boolean).join('\n'));
  kept.set(vehicle, names);
  return names;
}

/** Whether one of the words of a text begins so. */
const startsWord = (text: string | null | undefined, value: string): boolean =>
  text ? ` ${plain(text)}`.includes(` ${value}`) : false;

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const withoutMarks = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
