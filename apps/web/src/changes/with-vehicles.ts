import type { InsideNow } from '../geofences/use-inside.ts';

/**
 * What is known, with what is new of these vehicles. Null if that can't tell who crossed an edge last: it was one of
 * these, but isn't any more, because a late report corrected their visits or the vehicle is gone.
 */
export function withVehicles(known: InsideNow, news: InsideNow, ids: ReadonlySet<string | null>): InsideNow | null {
  const last = new Map(known.last.map(each => [each.geofenceId, each]));
  const told = new Set(news.last.map(({ geofenceId }) => geofenceId));
  for (const { deviceId, geofenceId } of known.last) if (ids.has(deviceId) && !told.has(geofenceId)) return null;
  for (const each of news.last) last.set(each.geofenceId, each);
  const inside = [...known.inside.filter(({ deviceId }) => !ids.has(deviceId)), ...news.inside];
  return {
    ...news,
    inside: inside.toSorted((a, b) => a.since.localeCompare(b.since)),
    last: [...last.values()],
  };
}
