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

/** Names places from local data, so that no vehicle's location leaves this machine. */
export interface Places {
  /** `N Damen Ave, Chicago, IL` where streets are known, else `6 km SSW of Broadview, IL`; null far from any town. */
  placeOf(lat: number, lon: number): PlaceName | null;
  readonly findTowns: TownSearch;
}

/** Street names of the demo's city, part of the map data; without the file an address ends at the town. */
const STREETS = join(import.meta.dirname, '../../../../../data/map/streets-chicago.json.gz');

/** 1/10,000 degree is 11 m, about the width of a street and the scatter of a GPS receiver. */
const CELLS_PER_DEGREE = 10_000;
const REMEMBERED_CELLS = 20_000;

let opened: Promise<Places> | null = null;

/** The data that comes with the server, read once a process: it takes a second, and never changes. */
export function openPlaces(): Promise<Places> {
  opened ??= readPlaces(STREETS);
  return opened;
}

/** Places with the streets of this file. */
export async function readPlaces(streetFile: string): Promise<Places> {
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
      // Clearing the whole cache costs less than tracking what was used last.
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
