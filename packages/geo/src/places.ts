import { type Degrees, type Metres, metres, toKilometres } from '@milepost/units';
import KDBush from 'kdbush';
import type { LatLon } from './fix.ts';
import { type Near, NearestInTiles } from './place-tiles.ts';
import { bearingDegrees, distanceMetres } from './sphere.ts';

/** A town, located by its center. `region` follows the name: a state's abbreviation, a country's code. */
export interface Place extends LatLon {
  readonly name: string;
  readonly region: string;
  readonly population: number;
}

export interface PlaceIndex {
  readonly nearest: NearestInTiles<Place>;
  /** Towns so large that they may contain a point even if other centers are nearer. */
  readonly wide: NearestInTiles<Place>;
}

export interface NearPlace {
  readonly place: Place;
  /** From the center of the place to the point. */
  readonly distance: Metres;
  readonly bearing: Degrees;
  /** The point is in the town, judging the town's size by its population. */
  readonly within: boolean;
}

const WIDE_POPULATION = 100_000;
const WIDEST_METRES = metres(25_000);
const NARROWEST_METRES = 1000;
/** Beyond this distance a town is no longer useful to describe a location. */
const FARTHEST_METRES = metres(300_000);
const NEAREST_TRIED = 6;

/** A town of n people extends about 10 m · √n from its center: 3 km for 90,000 people, 16 km for 2.7 million. */
const reachOf = (place: Place): number =>
  Math.min(WIDEST_METRES, Math.max(NARROWEST_METRES, 10 * Math.sqrt(place.population)));

/** Takes about 2 µs for each place. Give it towns, not neighborhoods: a neighborhood would hide its town. */
export function buildPlaceIndex(places: readonly Place[]): PlaceIndex {
  const wide = places.filter(place => place.population >= WIDE_POPULATION);
  const most = NEAREST_TRIED;
  return {
    nearest: new NearestInTiles({ points: places, tree: treeOf(places), most, within: FARTHEST_METRES }),
    wide: new NearestInTiles({ points: wide, tree: treeOf(wide), most, within: WIDEST_METRES }),
  };
}

function treeOf(places: readonly Place[]): KDBush {
  const tree = new KDBush(places.length);
  for (const place of places) tree.add(place.lon, place.lat);
  return tree.finish();
}

/**
 * The town that a point is in, otherwise the nearest one. If a point is in several, as in a suburb next to a city, it
 * is the one whose center is nearer in proportion to its size. Null if no town is within 300 km.
 */
export function nearestPlace(index: PlaceIndex, at: LatLon): NearPlace | null {
  let best: Near<Place> | null = null;
  let bestShare = Number.POSITIVE_INFINITY;
  for (const near of [...index.nearest.nearest(at), ...index.wide.nearest(at)]) {
    const share = near.distance / reachOf(near.point);
    const isBetter = share <= 1 ? share < bestShare : best === null || (bestShare > 1 && near.distance < best.distance);
    if (!isBetter) continue;
    if (share <= 1) bestShare = share;
    best = near;
  }
  if (best === null) return null;
  const { point: place } = best;
  const distance = distanceMetres(place, at);
  return { place, distance, bearing: bearingDegrees(place, at), within: bestShare <= 1 };
}

const COMPASS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** The nearest of the sixteen points of the compass. */
export const compassPoint = (bearing: Degrees): string => COMPASS[Math.round((bearing % 360) / 22.5) % 16] ?? 'N';

/** A location in words, and in parts if the words contain a distance. */
export interface PlaceName {
  /** `Broadview, IL` inside the town, `6 km SSW of Broadview, IL` elsewhere; in kilometers and English. */
  readonly address: string;
  /** Outside every town: the nearest town, distance and direction, for other units and languages. */
  readonly near: { readonly town: string; readonly distance: Metres; readonly bearing: Degrees } | null;
}

/** Null if no town is near enough. */
export function namePlace(index: PlaceIndex, at: LatLon): PlaceName | null {
  const near = nearestPlace(index, at);
  if (near === null) return null;
  const { bearing, distance } = near;
  const town = `${near.place.name}, ${near.place.region}`;
  if (near.within) return { address: town, near: null };
  const km = Math.max(1, Math.round(toKilometres(distance)));
  return { address: `${km} km ${compassPoint(bearing)} of ${town}`, near: { town, distance, bearing } };
}
