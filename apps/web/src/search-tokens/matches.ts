import type { FleetSums, Vehicle } from '@milepost/contract';
import type { Place, VehicleEntry } from '../live/vehicle-entry.ts';
import { protocolName } from '../vehicles/protocol-name.ts';
import { toldMs } from '../vehicles/shown.ts';
import { driverOf, modelOf, odometerOf } from '../vehicles/vehicle-words.ts';
import { insideOf, NOBODY, readNear, type SizeField, type WordField } from './fields.ts';
import type { Search, SearchToken } from './search-text.ts';

/** Data that a search may need besides the vehicle entry. A field whose data is missing matches no vehicle. */
export interface SearchContext {
  readonly nowMs: number;
  /** Names of the vehicle's folder and its parents, from the top down. */
  readonly folderPathOf?: (vehicle: Vehicle) => readonly string[];
  /** Names of the driver's department and its parents, from the top down. */
  readonly departmentPathOf?: (driverId: string) => readonly string[];
  /** Names of the geofences that the vehicle is inside now. */
  readonly geofencesOf?: (vehicle: Vehicle) => readonly string[];
  /**
   * Functions that return the distance in km from a place, by the place's name in `near:`. Unknown places have none.
   */
  readonly awayFrom?: ReadonlyMap<string, (at: Place) => number>;
  /** Number of unacknowledged alerts. */
  readonly alertsOf?: (vehicle: Vehicle) => number;
  /** What the vehicle did today or in the period shown. */
  readonly sumsOf?: (vehicle: Vehicle) => FleetSums | null;
  /** Whether its documents or its subscription have expired or soon will. */
  readonly expires?: (vehicle: Vehicle) => boolean;
}

/** With fewer digits, half the fleet's IMEIs would match. */
const IMEI_DIGITS = 4;

/** Returns a test for whether a vehicle matches the search. Create it once for a whole list. */
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

/**
 * Whether the value names a folder on the path or is the start of the path: `North/Reefers` also matches its
 * subfolders.
 */
export function isOnPath(names: readonly string[], value: string): boolean {
  const path = names.map(plain);
  return value === NOBODY ? path.length === 0 : path.includes(value) || `${path.join('/')}/`.startsWith(`${value}/`);
}

/** Fields from the vehicle's sums, in the units of `insideOf`. */
const SUMS = {
  today: ({ distanceM }: FleetSums) => distanceM / 1000,
  idled: ({ idlingS }: FleetSums) => idlingS * 1000,
  driven: ({ movingS }: FleetSums) => movingS * 1000,
  engine: ({ movingS, idlingS }: FleetSums) => (movingS + idlingS) * 1000,
  stops: ({ stops }: FleetSums) => stops,
  topspeed: ({ maxSpeedMps }: FleetSums) => maxSpeedMps && maxSpeedMps * 3.6,
  began: ({ alerts }: FleetSums) => alerts,
} as const;

/** The value of a field in the units of `insideOf`. Null if there is no value; it then matches no comparison. */
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

/** Whether a word is in the vehicle's names, numbers, driver, tags or address. */
function isCalled(entry: VehicleEntry, word: string): boolean {
  const { vehicle, report } = entry;
  if (namesOf(vehicle).includes(word)) return true;
  const driver = driverOf(entry)?.name;
  if ((driver && plain(driver).includes(word)) || (report?.address && plain(report.address).includes(word)))
    return true;
  // Plates match with or without dashes.
  const bare = withoutMarks(word);
  if (bare !== '' && vehicle.plate && withoutMarks(plain(vehicle.plate)).includes(bare)) return true;
  if (!/^\d+$/.test(word) || word.length < IMEI_DIGITS) return false;
  return (word.length > 6 ? vehicle.imei : vehicle.imei.slice(-6)).includes(word);
}

const kept = new WeakMap<Vehicle, string>();

/** Cached per vehicle, because thousands are searched while the user types. */
function namesOf(vehicle: Vehicle): string {
  const known = kept.get(vehicle);
  if (known !== undefined) return known;
  const { deviceName, plate, vin, tags, trackerModel } = vehicle;
  const names = plain([deviceName, plate, vin, modelOf(vehicle), trackerModel, ...tags].filter(Boolean).join('\n'));
  kept.set(vehicle, names);
  return names;
}

/** Whether any word of the text starts with the value. */
export const startsWord = (text: string | null | undefined, value: string): boolean =>
  text ? ` ${plain(text)}`.includes(` ${value}`) : false;

export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const withoutMarks = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
