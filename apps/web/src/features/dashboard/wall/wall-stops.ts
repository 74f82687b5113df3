import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import type { FleetNode } from '../list/fleet-tree.ts';

/** One stop of the wall display. */
export type WallStop =
  | { readonly kind: 'vehicle'; readonly imei: string }
  | { readonly kind: 'area'; readonly id: string; readonly name: string | null; readonly imeis: readonly string[] };

/**
 * The selected vehicles that have a position, one after the other; if none, the folders; if none, the whole fleet.
 * `tree` is the fleet as in the list.
 */
export function wallStops(selected: readonly (VehicleEntry | undefined)[], tree: readonly FleetNode[]): WallStop[] {
  const vehicles = selected.flatMap((entry): WallStop[] =>
    entry?.place ? [{ kind: 'vehicle', imei: entry.vehicle.imei }] : [],
  );
  if (vehicles.length > 0) return vehicles;
  const folders = tree.flatMap((node): WallStop[] =>
    node.kind === 'folder' ? [{ kind: 'area', id: node.id, name: node.name, imeis: node.members }] : [],
  );
  if (folders.length > 0) return folders;
  return [{ kind: 'area', id: 'fleet', name: null, imeis: tree.map(({ id }) => id) }];
}
