import { may, type Vehicle } from '@milepost/contract';
import { useMemo } from 'react';
import { useSession } from '../base/session/session.ts';
import type { SearchContext } from '../search-tokens/matches.ts';
import type { SearchToken } from '../search-tokens/search-text.ts';
import { useGeofences } from './use-geofences.ts';
import { useInside } from './use-inside.ts';

/** Which geofences each vehicle is inside, once a search asks for it. */
export function useGeofencesOf(tokens: readonly SearchToken[]): Pick<SearchContext, 'geofencesOf'> {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'geofences.read'));
  const enabled = mayRead && tokens.some(({ field }) => field === 'in');
  const { data: geofences } = useGeofences({ enabled });
  const { data: inside } = useInside({ enabled });
  return useMemo(() => {
    if (!enabled || !geofences || !inside) return {};
    const names = new Map(geofences.map(({ id, name }) => [id, name]));
    const byVehicle = Map.groupBy(inside.inside, ({ deviceId }) => deviceId);
    const geofencesOf = ({ id }: Vehicle): string[] =>
      byVehicle.get(id)?.flatMap(({ geofenceId }) => names.get(geofenceId) ?? []) ?? [];
    return { geofencesOf };
  }, [enabled, geofences, inside]);
}
