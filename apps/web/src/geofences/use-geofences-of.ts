import { may, type Vehicle } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { loadChunk } from '../base/chunks/load-chunk.ts';
import { useSession } from '../base/session/session.ts';
import { readNear } from '../search-tokens/fields.ts';
import type { SearchContext } from '../search-tokens/matches.ts';
import type { SearchToken } from '../search-tokens/search-text.ts';
import { useGeofences } from './use-geofences.ts';
import { useInside } from './use-inside.ts';

/** Which geofences each vehicle is inside, and its distance from places; loaded only if a search needs it. */
export function useGeofencesOf(tokens: readonly SearchToken[]): Pick<SearchContext, 'geofencesOf' | 'awayFrom'> {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'geofences.read'));
  const enabled = mayRead && tokens.some(({ field }) => field === 'in');
  const { data: geofences } = useGeofences({ enabled });
  const { data: inside } = useInside({ enabled });
  const near = tokens.flatMap(token =>
    token.field === 'near' && token.kind === 'word' ? token.values.map(value => readNear(value).place) : [],
  );
  // The key starts with `geofences`, so it is reloaded when geofences change.
  const { data: awayFrom } = useQuery({
    queryKey: ['geofences', 'near', ...near],
    queryFn: async () => (await loadChunk(() => import('./near-places.ts'))).nearPlaces(near),
    enabled: mayRead && near.length > 0,
  });
  return useMemo(() => {
    const away = awayFrom && { awayFrom };
    if (!enabled || !geofences || !inside) return { ...away };
    const names = new Map(geofences.map(({ id, name }) => [id, name]));
    const byVehicle = Map.groupBy(inside.inside, ({ deviceId }) => deviceId);
    const geofencesOf = ({ id }: Vehicle): string[] =>
      byVehicle.get(id)?.flatMap(({ geofenceId }) => names.get(geofenceId) ?? []) ?? [];
    return { geofencesOf, ...away };
  }, [enabled, geofences, inside, awayFrom]);
}
