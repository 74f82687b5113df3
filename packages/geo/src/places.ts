import { type Degrees, type Metres, metres, toKilometres } from '@milepost/units';
import { around } from 'geokdbush';
import KDBush from 'kdbush';
import type { LatLon } from './fix.ts';
import { bearingDegrees, distanceMetres } from './sphere.ts';

/** A town by its middle. `region` follows the name: a state's letters, a country's code. */
export interface Place extends LatLon {
  readonly name: string;
  readonly region: string;
  readonly population: number;
}

export interface PlaceIndex {
  readonly places: readonly Place[];
  readonly tree: KDBush;
  /** Towns so wide that they may be around a point although the middles of others are nearer. */
  readonly wide: readonly Place[];
  readonly wideTree: KDBush;
}

export interface NearPlace {
  readonly place: Place;
  /** From the middle of the place to the point asked for. */
  readonly distance: Metres;
  readonly bearing: Degrees;
  /** The point lies in the town, as far as its population tells how wide it is. */
  readonly within: boolean;
}

const WIDE_POPULATION = 100_000;
const WIDEST_METRES = metres(25_000);
const NARROWEST_METRES = 1000;
/** Beyond this a place says nothing about where one is. */
const FARTHEST_METRES = metres(300_000);
const NEAREST_TRIED = 6;

/** A town of n people reaches about 10 m · √n from its middle: 3 km for 90,000 people, 16 km for 2.7 million. */
const reachOf = (place: Place): number =>
  Math.min(WIDEST_METRES, Math.max(NARROWEST_METRES, 10 * Math.sqrt(place.population)));

/** Takes about 2 µs a place to build. Give it towns, not their quarters: a quarter would hide its town. */
export function buildPlaceIndex(places: readonly Place[]): PlaceIndex {
  const wide = places.filter(place => place.population >= WIDE_POPULATION);
  return { places, tree: treeOf(places), wide, wideTree: treeOf(wide) };
}

function treeOf(places: readonly Place[]): KDBush {
  const tree = new KDBush(places.length);
  for (const place of places) tree.add(place.lon, place.lat);
  return tree.finish();
}

/**
 * The town that a point is in, else the nearest one. In several at once, as in a suburb that touches the city, it is
 * the one whose middle is nearer in proportion to its width. Null where no town is within 300 km.
 */
export function nearestPlace(index: PlaceIndex, at: LatLon): NearPlace | null {
  const near = pick(index.places, around(index.tree, at.lon, at.lat, NEAREST_TRIED, toKilometres(FARTHEST_METRES)));
  const wide = pick(index.wide, around(index.wideTree, at.lon, at.lat, NEAREST_TRIED, toKilometres(WIDEST_METRES)));
  let best: NearPlace | null = null;
  let bestShare = Number.POSITIVE_INFINITY;
  for (const place of [...near, ...wide]) {
    const distance = distanceMetres(place, at);
    const share = distance / reachOf(place);
    const within = share <= 1;
    const better = within ? share < bestShare : best === null || (!best.within && distance < best.distance);
    if (!better) continue;
    if (within) bestShare = share;
    best = { place, distance, bearing: bearingDegrees(place, at), within };
  }
  return best;
}

const pick = (places: readonly Place[], ids: readonly number[]): Place[] =>
  ids.flatMap(id => {
    const place = places[id];
    return place ? [place] : [];
  });

const COMPASS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');

/** The nearest of the sixteen points of the compass. */
export const compassPoint = (bearing: Degrees): string => COMPASS[Math.round((bearing % 360) / 22.5) % 16] ?? 'N';

/** A place in words, and in parts where the words hold a distance. */
export interface PlaceName {
  /** `Broadview, IL` inside it, `6 km SSW of Broadview, IL` elsewhere: in kilometres and English. */
  readonly address: string;
  /** Outside of every town: how far from which one, in which direction. For readers of other units and languages. */
  readonly near: { readonly town: string; readonly distance: Metres; readonly bearing: Degrees } | null;
}

/** Null far from everything. */
export function namePlace(index: PlaceIndex, at: LatLon): PlaceName | null {
  const near = nearestPlace(index, at);
  if (near === null) return null;
  const { bearing, distance } = near;
  const town = `${near.place.name}, ${near.place.region}`;
  if (near.within) return { address: town, near: null };
  const km = Math.max(1, Math.round(toKilometres(distance)));
  return { address: `${km} km ${compassPoint(bearing)} of ${town}`, near: { town, distance, bearing } };
}
