import { type Degrees, type Metres, metres, toKilometres } from '@milepost/units';
import KDBush from 'kdbush';
import type { LatLon } from './fix.ts';
import { distanceOfSquare, NearestInTiles } from './place-tiles.ts';
import { bearingDegrees, distanceMetres, EARTH_RADIUS } from './sphere.ts';
import type { StreetIndex } from './streets.ts';
import { sharedOf, type TextList, textList, textsOf } from './text-list.ts';

/** A town, located by its center. `region` follows the name: a state's abbreviation, a country's code. */
export interface Place extends LatLon {
  readonly name: string;
  readonly region: string;
  readonly population: number;
}

/** Towns as plain arrays in memory that threads can share. */
export interface PlaceData {
  readonly lat: Float64Array;
  readonly lon: Float64Array;
  readonly population: Float64Array;
  readonly names: TextList;
  readonly regions: TextList;
  readonly regionOf: Uint16Array;
  /** Where the towns lie, to search. */
  readonly tree: SharedArrayBuffer;
  /** Towns so large that they may contain a point even if other centers are nearer. */
  readonly wide: { readonly ids: Uint32Array; readonly lat: Float64Array; readonly lon: Float64Array };
  readonly wideTree: SharedArrayBuffer;
}

/** What places are named from, in memory that threads can share. */
export interface KnownPlaces {
  readonly towns: PlaceData;
  /** Where streets are known. */
  readonly streets: StreetIndex | null;
}

export interface PlaceIndex {
  readonly data: PlaceData;
  readonly nearest: NearestInTiles;
  readonly wide: NearestInTiles;
  readonly nameOf: (town: number) => string;
  readonly regionOf: (town: number) => string;
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
const reachOf = (population: number): number =>
  Math.min(WIDEST_METRES, Math.max(NARROWEST_METRES, 10 * Math.sqrt(population)));

/** Takes about 2 µs for each place. Give it towns, not neighborhoods: a neighborhood would hide its town. */
export const buildPlaceIndex = (places: readonly Place[]): PlaceIndex => openPlaceIndex(placeData(places));

export function placeData(places: readonly Place[]): PlaceData {
  const regions = [...new Set(places.map(({ region }) => region))];
  const numberOf = new Map(regions.map((region, i) => [region, i]));
  const wide = [...places.entries()].filter(([, { population }]) => population >= WIDE_POPULATION);
  const largest = wide.map(([, place]) => place);
  return {
    lat: numbersOf(places, 'lat'),
    lon: numbersOf(places, 'lon'),
    population: numbersOf(places, 'population'),
    names: textList(places.map(({ name }) => name)),
    regions: textList(regions),
    regionOf: sharedOf(
      Uint16Array,
      places.map(({ region }) => numberOf.get(region) as number),
    ),
    tree: treeOf(places),
    wide: {
      ids: sharedOf(
        Uint32Array,
        wide.map(([id]) => id),
      ),
      lat: numbersOf(largest, 'lat'),
      lon: numbersOf(largest, 'lon'),
    },
    wideTree: treeOf(largest),
  };
}

const numbersOf = (places: readonly Place[], name: 'lat' | 'lon' | 'population'): Float64Array =>
  sharedOf(
    Float64Array,
    places.map(place => place[name]),
  );

function treeOf(places: readonly Place[]): SharedArrayBuffer {
  const tree = new KDBush(places.length, 64, Float64Array, SharedArrayBuffer);
  for (const place of places) tree.add(place.lon, place.lat);
  return tree.finish().data as SharedArrayBuffer;
}

/** The same in any thread. */
export function openPlaceIndex(data: PlaceData): PlaceIndex {
  const { lat, lon, tree, wide, wideTree } = data;
  const most = NEAREST_TRIED;
  const regions = textsOf(data.regions);
  return {
    data,
    nameOf: textsOf(data.names),
    regionOf: town => regions(data.regionOf[town] as number),
    nearest: new NearestInTiles({ lat, lon, tree: KDBush.from(tree), most, within: FARTHEST_METRES }),
    wide: new NearestInTiles({
      ...{ lat: wide.lat, lon: wide.lon },
      ...{ tree: KDBush.from(wideTree), most, within: WIDEST_METRES },
    }),
  };
}

/** The town that a point is in, otherwise the nearest one, by its place in the data. */
export interface FoundTown {
  town: number;
  /** The point is in the town, judging the town's size by its population. */
  within: boolean;
}

/**
 * Finds the town that a point is in, otherwise the nearest one. If a point is in several, as in a suburb next to a city,
 * it is the one whose center is nearer in proportion to its size. False if no town is within 300 km.
 */
export function findTown({ data, nearest, wide }: PlaceIndex, lat: number, lon: number, found: FoundTown): boolean {
  let best = -1;
  let [bestDistance, bestShare] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const near = nearest.find(lat, lon);
  const all = near + wide.find(lat, lon);
  for (let i = 0; i < all; i++) {
    const isNear = i < near;
    const town = (isNear ? nearest.ids[i] : data.wide.ids[wide.ids[i - near] as number]) as number;
    const square = (isNear ? nearest.squares[i] : wide.squares[i - near]) as number;
    const reach = reachOf(data.population[town] as number);
    // The straight line is shorter than the way: where it doesn't end in the town, only the nearest town counts, and of
    // each list that is the first one.
    if (square > (reach / EARTH_RADIUS) ** 2 && i > 0 && i !== near) continue;
    const distance = distanceOfSquare(square);
    const share = distance / reach;
    const isBetter = share <= 1 ? share < bestShare : best < 0 || (bestShare > 1 && distance < bestDistance);
    if (!isBetter) continue;
    if (share <= 1) bestShare = share;
    best = town;
    bestDistance = distance;
  }
  if (best < 0) return false;
  found.town = best;
  found.within = bestShare <= 1;
  return true;
}

/** The way from a town's center to a point. */
export function wayFrom(data: PlaceData, town: number, at: LatLon): { distance: Metres; bearing: Degrees } {
  const center = centerOf(data, town);
  return { distance: distanceMetres(center, at), bearing: bearingDegrees(center, at) };
}

const centerOf = ({ lat, lon }: PlaceData, town: number): LatLon => ({
  lat: lat[town] as Degrees,
  lon: lon[town] as Degrees,
});

const found: FoundTown = { town: 0, within: false };

/** The same, with all that is known of the town. Null if no town is within 300 km. */
export function nearestPlace(index: PlaceIndex, at: LatLon): NearPlace | null {
  if (!findTown(index, at.lat, at.lon, found)) return null;
  const { town, within } = found;
  const { data } = index;
  const place = {
    name: index.nameOf(town),
    region: index.regionOf(town),
    population: data.population[town] as number,
    ...centerOf(data, town),
  };
  return { place, ...wayFrom(data, town, at), within };
}

/** `Broadview, IL`. */
export const townName = ({ nameOf, regionOf }: PlaceIndex, town: number): string =>
  `${nameOf(town)}, ${regionOf(town)}`;

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
  if (!findTown(index, at.lat, at.lon, found)) return null;
  const town = townName(index, found.town);
  if (found.within) return { address: town, near: null };
  const { bearing, distance } = wayFrom(index.data, found.town, at);
  const km = Math.max(1, Math.round(toKilometres(distance)));
  return { address: `${km} km ${compassPoint(bearing)} of ${town}`, near: { town, distance, bearing } };
}
