import { findTowns, TOWN_SEARCH_MIN } from '@milepost/contract';
import { compileFence, distanceMetres } from '@milepost/geo';
import { call } from '../base/api.ts';
import { queryClient } from '../base/queries.ts';
import type { Place } from '../live/vehicle-entry.ts';
import { toFenceShape, toLatLon } from './shapes.ts';
import { geofencesQuery } from './use-geofences.ts';

/** Distance from a place in kilometers; 0 inside a geofence. */
type Away = (at: Place) => number;

/**
 * The places named by `near:`: coordinates, geofences with a word that starts like the name, or else the best matching
 * town. Unknown places are left out.
 */
export async function nearPlaces(names: readonly string[]): Promise<ReadonlyMap<string, Away>> {
  const found = await Promise.all(names.map(async name => [name, await awayFrom(name)] as const));
  return new Map(found.flatMap(([name, away]) => (away ? [[name, away]] : [])));
}

async function awayFrom(name: string): Promise<Away | null> {
  const point = coordinates(name);
  if (point) return awayFromPoint(point);
  const words = plain(name);
  const geofences = (await queryClient.fetchQuery({ ...geofencesQuery, staleTime: 10_000 })).filter(geofence =>
    ` ${plain(geofence.name)}`.includes(` ${words}`),
  );
  if (geofences.length > 0) {
    const areas = geofences.map(({ shape }) => compileFence(toFenceShape(shape)));
    return ({ lat, lon }) =>
      Math.max(0, Math.min(...areas.map(area => area.signedDistance(toLatLon([lon, lat]))))) / 1000;
  }
  if (name.length < TOWN_SEARCH_MIN) return null;
  const [town] = await call(findTowns, { query: { q: name } });
  return town ? awayFromPoint(town) : null;
}

const awayFromPoint =
  ({ lat, lon }: Place): Away =>
  at =>
    distanceMetres(toLatLon([lon, lat]), toLatLon([at.lon, at.lat])) / 1000;

/** `41.88, -87.63`, `41.88/-87.63` or `41.88 -87.63`. */
export function coordinates(text: string): Place | null {
  const [, lat, lon] = /^(-?\d{1,2}(?:\.\d+)?)\s*[,/\s]\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(text.trim()) ?? [];
  if (lat === undefined || lon === undefined) return null;
  return Math.abs(Number(lat)) <= 90 && Math.abs(Number(lon)) <= 180 ? { lat: Number(lat), lon: Number(lon) } : null;
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
