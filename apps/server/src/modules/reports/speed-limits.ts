import { compileFence, DEFAULT_EDGE, FenceIndex } from '@milepost/geo';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { toFenceShape } from '../../watching/fence-shape.ts';
import type { Asked } from './report.ts';

/** The limit that applies somewhere: of a geofence, or the vehicle's own. */
export interface SpeedLimit {
  /** m/s */
  readonly speed: number;
  readonly geofence: { readonly id: number; readonly name: string } | null;
}

/** The lowest limit of a vehicle at a place; null if none applies. */
export type LimitAt = (lat: number, lon: number) => SpeedLimit | null;

/** The limits of each vehicle: its own, and those of the geofences that are on and meant for it. Today's, at any time. */
export async function speedLimits({ session, sources }: Asked): Promise<(vehicle: DirectoryEntry) => LimitAt | null> {
  const { roster } = sources.parts;
  const { fences, meant } = await sources.db.asAccount(session.accountId, async trx => ({
    fences: await trx
      .selectFrom('geofence')
      .select(['id', 'name', 'shape', 'is_for_all', 'speed_limit_kmh'])
      .where('is_on', '=', true)
      .where('speed_limit_kmh', 'is not', null)
      .execute(),
    meant: await trx.selectFrom('geofence_vehicle').select(['geofence_id', 'vehicle_id', 'folder_id']).execute(),
  }));
  const limits = new Map(
    fences.map(({ id, name, speed_limit_kmh }) => [
      id,
      { speed: fromKilometresPerHour(Number(speed_limit_kmh)), geofence: { id, name } },
    ]),
  );
  const index = new FenceIndex(
    fences.map(({ id, shape }) => ({ id, area: compileFence(toFenceShape(shape)), edge: DEFAULT_EDGE })),
  );
  const ofFence = Map.groupBy(meant, ({ geofence_id }) => geofence_id);

  return vehicle => {
    const own = vehicle.speedLimitKmh === null ? null : fromKilometresPerHour(vehicle.speedLimitKmh);
    const applies = new Set(
      fences.flatMap(({ id, is_for_all }) => {
        const of = ofFence.get(id) ?? [];
        const folders = new Set(of.flatMap(({ folder_id }) => folder_id ?? []));
        const isMeant =
          is_for_all ||
          of.some(({ vehicle_id }) => vehicle_id === vehicle.id) ||
          roster.isInside('folder', vehicle.accountId, vehicle.folderId, folders);
        return isMeant ? [id] : [];
      }),
    );
    if (own === null && applies.size === 0) return null;
    return (lat, lon) => {
      let lowest: SpeedLimit | null = own === null ? null : { speed: own, geofence: null };
      const at = { lat: degrees(lat), lon: degrees(lon) };
      for (const { id, area } of applies.size === 0 ? [] : index.near(at)) {
        const limit = limits.get(id);
        if (!limit || !applies.has(id) || area.signedDistance(at) > 0) continue;
        if (lowest === null || limit.speed < lowest.speed) lowest = limit;
      }
      return lowest;
    };
  };
}
