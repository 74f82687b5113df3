import { may, type Vehicle } from '@milepost/contract';
import { useMemo } from 'react';
import { useSession } from '../../base/session/session.ts';
import { useGeofences } from '../../geofences/use-geofences.ts';
import { useInside } from '../../geofences/use-inside.ts';
import type { FleetFacts, Inside } from './facts.ts';

const NOWHERE: readonly Inside[] = [];

/** Which geofences each vehicle is inside, if the page shows them. */
export function useInsideOf(isShown: boolean): Pick<FleetFacts, 'insideOf'> {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'geofences.read'));
  const enabled = mayRead && isShown;
  const { data: geofences } = useGeofences({ enabled });
  const { data: inside } = useInside({ enabled });
  return useMemo(() => {
    if (!enabled || !geofences || !inside) return {};
    const names = new Map(geofences.map(({ id, name }) => [id, name]));
    const byVehicle = new Map<string, Inside[]>();
    // The server lists the oldest first.
    for (const { deviceId, geofenceId, isAtLeast, since } of inside.inside.toReversed()) {
      const name = names.get(geofenceId);
      if (name === undefined) continue;
      const of = byVehicle.get(deviceId) ?? [];
      byVehicle.set(deviceId, of);
      of.push({ name, sinceMs: Date.parse(since), isAtLeast });
    }
    return { insideOf: ({ id }: Vehicle) => byVehicle.get(id) ?? NOWHERE };
  }, [enabled, geofences, inside]);
}
