import type { Vehicle } from '@milepost/contract';
import { VEHICLE_STATUSES, type VehicleStatus } from '@milepost/geo';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import type { Sort } from '../state/url-state.ts';

export interface FleetQuery {
  readonly query: string;
  readonly statuses: ReadonlySet<VehicleStatus>;
  readonly sort: Sort;
}

export interface FleetList {
  /** Vehicles to show, in order, by IMEI. */
  readonly imeis: readonly string[];
  /** How many of those that the search finds are in each status: what a press on the ribbon would show. */
  readonly counts: Readonly<Record<VehicleStatus, number>>;
  /** All vehicles, and those that the search finds. */
  readonly total: number;
  readonly found: number;
}

/** Fewer digits would find half the fleet by its IMEIs. */
const IMEI_DIGITS = 4;

export function fleetList(entries: Iterable<VehicleEntry>, { query, statuses, sort }: FleetQuery): FleetList {
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const counts = Object.fromEntries(VEHICLE_STATUSES.map(status => [status, 0])) as Record<VehicleStatus, number>;
  const shown: VehicleEntry[] = [];
  let total = 0;
  let found = 0;
  for (const entry of entries) {
    total++;
    if (!words.every(word => matches(entry, word))) continue;
    found++;
    counts[entry.now.status]++;
    if (statuses.size === 0 || statuses.has(entry.now.status)) shown.push(entry);
  }
  shown.sort((a, b) => ORDERS[sort](a, b) || byName(a, b));
  return { imeis: shown.map(({ vehicle }) => vehicle.imei), counts, total, found };
}

/** Each word has to be found somewhere: name, plate, model, VIN, address, or the last six digits of the IMEI. */
function matches({ vehicle, report }: VehicleEntry, word: string): boolean {
  const { deviceName, plate, model, vin, imei } = vehicle;
  const texts = [deviceName, plate, model, vin, report?.address];
  if (texts.some(text => text?.toLowerCase().includes(word))) return true;
  // A plate is written with dashes or without.
  if (plate && withoutMarks(plate).includes(withoutMarks(word)) && withoutMarks(word) !== '') return true;
  return /^\d+$/.test(word) && word.length >= IMEI_DIGITS && (word.length > 6 ? imei : imei.slice(-6)).includes(word);
}

const withoutMarks = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const keys = new WeakMap<Vehicle, string>();

/**
 * Text whose plain order is the one people expect: `Truck 9` before `Truck 10`, capitals and accents aside. Kept for
 * each vehicle, because a large fleet is sorted several times a minute.
 */
function nameKey(vehicle: Vehicle): string {
  const known = keys.get(vehicle);
  if (known !== undefined) return known;
  const plain = vehicle.deviceName.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
  const key = `${plain.replace(/\d+/g, digits => digits.padStart(12, '0'))} ${vehicle.imei}`;
  keys.set(vehicle, key);
  return key;
}

const byName = (a: VehicleEntry, b: VehicleEntry): number => (nameKey(a.vehicle) < nameKey(b.vehicle) ? -1 : 1);

const ORDERS: Readonly<Record<Sort, (a: VehicleEntry, b: VehicleEntry) => number>> = {
  name: () => 0,
  status: (a, b) => VEHICLE_STATUSES.indexOf(a.now.status) - VEHICLE_STATUSES.indexOf(b.now.status),
  /** Fastest first; a speed that is no longer true counts as none. */
  speed: (a, b) => speedOf(b) - speedOf(a),
  /** Silent for the longest first: those that need a look. */
  age: (a, b) => (a.heardMs ?? 0) - (b.heardMs ?? 0),
};

const speedOf = ({ now, report }: VehicleEntry): number => (now.status === 'moving' ? (report?.speed ?? 0) : -1);
