import { type FleetPeriod, type MeasuredSums, measuredOf } from '@milepost/contract';
import { VEHICLE_STATUSES, type VehicleStatus } from '@milepost/geo';
import type { PositionStore } from '../../../live/position-store.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { matcher } from '../../../search-tokens/matches.ts';
import { driverOf } from '../../../vehicles/vehicle-words.ts';
import { type FleetFacts, searchContextOf } from '../facts.ts';
import type { FleetView, Grouping } from '../state/fleet-url.ts';
import { nameKey, sortKey, textKey } from './sort-keys.ts';

export type StatusCounts = Readonly<Record<VehicleStatus, number>>;

/** Totals over several vehicles. */
export interface Totals {
  readonly vehicles: number;
  readonly counts: StatusCounts;
  /** For today or the chosen period, over all vehicles with known figures; null if there are none. */
  readonly sums: MeasuredSums | null;
}

export interface FleetGroup {
  /** Identifies the group; doesn't depend on its contents. */
  readonly key: string;
  /** A status or a name; the path for a folder; null for vehicles without a folder, driver or tag. */
  readonly name: string | null;
  readonly imeis: readonly string[];
  readonly totals: Totals;
}

export interface FleetRows {
  /** What the rows are grouped by. When the user chooses another grouping, this follows a moment later. */
  readonly grouping: Grouping;
  readonly groups: readonly FleetGroup[];
  /** The shown vehicles, each counted once, although a vehicle with two tags is in two groups. */
  readonly totals: Totals;
  /** All vehicles, ignoring filters; null until loaded. */
  readonly total: number | null;
}

/** A view's rows: filtered by its search, grouped and sorted. Counts and list come from the same code. */
export function fleetRows(
  { entries, loaded }: Pick<PositionStore, 'entries' | 'loaded'>,
  { search, order, group }: Pick<FleetView, 'search' | 'order' | 'group'>,
  facts: FleetFacts,
  nowMs: number,
): FleetRows {
  const matches = matcher(search, searchContextOf(facts, nowMs));
  const found: { readonly entry: VehicleEntry; readonly key: string | number | null; readonly name: string }[] = [];
  for (const entry of entries.values()) {
    if (!matches(entry)) continue;
    found.push({ entry, key: sortKey(order.column, entry, facts), name: nameKey(entry.vehicle) });
  }
  const direction = order.descending ? -1 : 1;
  found.sort((a, b) => {
    if (a.key !== b.key) {
      if (a.key === null) return 1;
      if (b.key === null) return -1;
      return a.key < b.key ? -direction : direction;
    }
    return a.name < b.name ? -1 : 1;
  });
  const shown = found.map(({ entry }) => entry);
  return {
    grouping: group,
    groups: groupsOf(shown, group, facts),
    totals: totalsOf(shown, facts),
    total: loaded ? entries.size : null,
  };
}

function groupsOf(entries: readonly VehicleEntry[], grouping: Grouping, facts: FleetFacts): FleetGroup[] {
  const groups = new Map<
    string,
    { readonly name: string | null; readonly order: string | number; in: VehicleEntry[] }
  >();
  for (const entry of entries) {
    for (const { key, name, order } of placesOf(entry, grouping, facts)) {
      const group = groups.get(key);
      if (group) group.in.push(entry);
      else groups.set(key, { name, order, in: [entry] });
    }
  }
  return [...groups]
    .sort(([, a], [, b]) => {
      // The group without a name comes last.
      if ((a.name === null) !== (b.name === null)) return a.name === null ? 1 : -1;
      return a.order < b.order ? -1 : 1;
    })
    .map(([key, group]) => ({
      key,
      name: group.name,
      imeis: group.in.map(({ vehicle }) => vehicle.imei),
      totals: totalsOf(group.in, facts),
    }));
}

type GroupPlace = { readonly key: string; readonly name: string | null; readonly order: string | number };
const NOWHERE: readonly GroupPlace[] = [{ key: '', name: null, order: 0 }];

function placesOf(entry: VehicleEntry, grouping: Grouping, { folderOf }: FleetFacts): readonly GroupPlace[] {
  const { vehicle, now } = entry;
  switch (grouping) {
    case 'none':
      return NOWHERE;
    case 'status':
      return [{ key: now.status, name: now.status, order: VEHICLE_STATUSES.indexOf(now.status) }];
    case 'folder': {
      const folder = folderOf(vehicle);
      return folder ? [{ key: folder.id, name: folder.path.join(' › '), order: folder.order }] : NOWHERE;
    }
    case 'driver': {
      const driver = driverOf(entry);
      return driver ? [{ key: driver.id, name: driver.name, order: `${textKey(driver.name)} ${driver.id}` }] : NOWHERE;
    }
    case 'tag':
      if (vehicle.tags.length === 0) return NOWHERE;
      return vehicle.tags.map(tag => ({ key: tag.toLowerCase(), name: tag, order: textKey(tag) }));
  }
}

function totalsOf(entries: readonly VehicleEntry[], { sumsOf, days }: FleetFacts): Totals {
  const counts = Object.fromEntries(VEHICLE_STATUSES.map(status => [status, 0])) as Record<VehicleStatus, number>;
  const known: FleetPeriod['vehicles'] = [];
  for (const { vehicle, now } of entries) {
    counts[now.status]++;
    const sums = sumsOf(vehicle);
    if (sums) known.push(sums);
  }
  return { vehicles: entries.length, counts, sums: days && known.length > 0 ? measuredOf(days, known) : null };
}

/**
 * Fresh figures in the old order of rows, so that nothing moves while someone points at a row or works in one. A
 * vehicle that no longer belongs in the view stays until the user leaves the list; a deleted vehicle goes at once.
 */
export function keepingOrder(before: FleetRows, fresh: FleetRows, exists: (imei: string) => boolean): FleetRows {
  const now = new Map(fresh.groups.map(group => [group.key, group.totals]));
  return {
    ...fresh,
    groups: before.groups.map(group => ({
      ...group,
      imeis: group.imeis.every(exists) ? group.imeis : group.imeis.filter(exists),
      totals: now.get(group.key) ?? group.totals,
    })),
  };
}
