import type { Vehicle } from '@milepost/contract';
import { VEHICLE_STATUSES, type VehicleStatus } from '@milepost/geo';
import type { PositionStore } from '../../../live/position-store.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { matcher, type SearchContext } from '../../../search-tokens/matches.ts';
import type { Search } from '../../../search-tokens/search-text.ts';
import { toldMs } from '../../../vehicles/shown.ts';
import type { Sort } from '../state/url-state.ts';

export interface FleetQuery {
  readonly search: Search;
  readonly context: SearchContext;
  readonly statuses: ReadonlySet<VehicleStatus>;
  readonly sort: Sort;
}

export interface FleetList {
  /** Vehicles to show, in order. */
  readonly entries: readonly VehicleEntry[];
  /** Matching vehicles by status: what a click on the ribbon would show. Null until loaded. */
  readonly counts: StatusCounts | null;
  /** Number of all vehicles, and of search matches. */
  readonly total: number;
  readonly found: number;
}

export type StatusCounts = Readonly<Record<VehicleStatus, number>>;

export const noCounts = (): Record<VehicleStatus, number> =>
  Object.fromEntries(VEHICLE_STATUSES.map(status => [status, 0])) as Record<VehicleStatus, number>;

export function fleetList(
  { entries, loaded }: Pick<PositionStore, 'entries' | 'loaded'>,
  { search, context, statuses, sort }: FleetQuery,
): FleetList {
  const isFound = matcher(search, context);
  const counts = noCounts();
  const shown: VehicleEntry[] = [];
  let total = 0;
  let found = 0;
  for (const entry of entries.values()) {
    total++;
    if (!isFound(entry)) continue;
    found++;
    counts[entry.now.status]++;
    if (statuses.size === 0 || statuses.has(entry.now.status)) shown.push(entry);
  }
  shown.sort((a, b) => ORDERS[sort](a, b) || byName(a, b));
  return { entries: shown, counts: loaded ? counts : null, total, found };
}

const keys = new WeakMap<Vehicle, string>();

/**
 * Text that sorts the way people expect: `Truck 9` before `Truck 10`, ignoring case and accents. Cached per vehicle,
 * because a large fleet is sorted several times a minute.
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
  /** Fastest first; an outdated speed counts as no speed. */
  speed: (a, b) => speedOf(b) - speedOf(a),
  /** Longest silent first, because those need attention. */
  age: (a, b) => (toldMs(a) ?? 0) - (toldMs(b) ?? 0),
};

const speedOf = ({ now, report }: VehicleEntry): number => (now.status === 'moving' ? (report?.speed ?? 0) : -1);
