import { listInside } from '@milepost/contract';
import { call } from '../base/api.ts';
import { queryClient, readAnew } from '../base/queries.ts';
import { insideQuery } from '../geofences/use-inside.ts';
import { withVehicles } from './with-vehicles.ts';

/** More vehicles are sooner read with all others. */
const NAMED_MAX = 50;

/** Brings who is inside which geofence up to date for vehicles whose visits changed; null or empty: not known which. */
export async function keepInside(ids: ReadonlySet<string | null>): Promise<void> {
  const { queryKey } = insideQuery;
  const query = queryClient.getQueryCache().find({ queryKey, exact: true });
  if (!query || ids.size === 0) return;
  if (ids.has(null) || ids.has('') || ids.size > NAMED_MAX) return readAnew(queryKey);
  // What is on its way may be from before, and would take the place of what is read here.
  if (query.state.fetchStatus !== 'idle') await query.fetch().catch(() => {});
  try {
    const news = await call(listInside, { query: { vehicles: [...(ids as ReadonlySet<string>)].join(',') } });
    const known = queryClient.getQueryData(queryKey);
    const now = known && withVehicles(known, news, ids);
    if (now === null) await readAnew(queryKey);
    else if (now) queryClient.setQueryData(queryKey, now);
  } catch {
    // The connection is down; it is read again when it is back.
    await queryClient.invalidateQueries({ queryKey });
  }
}
