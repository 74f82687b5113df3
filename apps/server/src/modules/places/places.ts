import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  buildPlaceIndex,
  buildStreetIndex,
  namePlace,
  nearestStreet,
  type PlaceName,
  type StreetFile,
  type StreetIndex,
} from '@milepost/geo';
import { degrees } from '@milepost/units';
import { loadCities } from './cities.ts';
import { type TownSearch, townSearch } from './town-search.ts';

/** Where a place is, in words; from data on this machine, so that no place of a vehicle leaves it. */
export interface Places {
  /** `N Damen Ave, Chicago, IL` where the streets are known, else `6 km SSW of Broadview, IL`; null far from everywhere. */
  placeOf(lat: number, lon: number): PlaceName | null;
  readonly findTowns: TownSearch;
}

/** Street names of the demo's city, a file of the map's data; without it an address ends at the town. */
const STREETS = join(import.meta.dirname, '../../../../../data/map/streets-chicago.json.gz');

/** A ten-thousandth of a degree is 11 m: the width of a street, the scatter of a receiver. */
const CELLS_PER_DEGREE = 10_000;
const REMEMBERED_CELLS = 20_000;

export async function openPlaces(streetFile = STREETS): Promise<Places> {
  const streets = await openStreets(streetFile);
  const towns = await loadCities();
  const index = buildPlaceIndex(towns);
  const remembered = new Map<number, PlaceName | null>();

  const lookUp = (lat: number, lon: number): PlaceName | null => {
    const at = { lat: degrees(lat), lon: degrees(lon) };
    const street = streets && nearestStreet(streets, at);
    const town = namePlace(index, at);
    return street && town?.near === null ? { address: `${street.name}, ${town.address}`, near: null } : town;
  };

  return {
    findTowns: townSearch(towns),
    placeOf: (lat, lon) => {
      if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return null;
      const y = Math.round(lat * CELLS_PER_DEGREE);
      const x = Math.round(lon * CELLS_PER_DEGREE);
      const cell = y * 360 * CELLS_PER_DEGREE + x;
      const known = remembered.get(cell);
      if (known !== undefined) return known;
      const place = lookUp(y / CELLS_PER_DEGREE, x / CELLS_PER_DEGREE);
      // Forgetting all at once costs less than keeping count of what was used last.
      if (remembered.size >= REMEMBERED_CELLS) remembered.clear();
      remembered.set(cell, place);
      return place;
    },
  };
}

async function openStreets(file: string): Promise<StreetIndex | null> {
  const compressed = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (compressed === null) return null;
  const text = (await promisify(gunzip)(compressed)).toString('utf8');
  return buildStreetIndex(JSON.parse(text) as StreetFile);
}
