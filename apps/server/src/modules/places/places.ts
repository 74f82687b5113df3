import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import {
  buildStreetIndex,
  findStreet,
  type KnownPlaces,
  namePlace,
  openPlaceIndex,
  PlaceCells,
  type PlaceName,
  placeData,
  type StreetFile,
  type StreetIndex,
  textsOf,
} from '@milepost/geo';
import { degrees } from '@milepost/units';
import { loadCities } from './cities.ts';
import { type TownSearch, townSearch } from './town-search.ts';

/** Names places from local data, so that no vehicle's location leaves this machine. */
export interface Places {
  /** `N Damen Ave, Chicago, IL` where streets are known, else `6 km SSW of Broadview, IL`; null far from any town. */
  placeOf(lat: number, lon: number): PlaceName | null;
  readonly findTowns: TownSearch;
  readonly known: KnownPlaces;
}

/** Street names of the demo's city, part of the map data; without the file an address ends at the town. */
const STREETS = join(import.meta.dirname, '../../../../../data/map/streets-chicago.json.gz');

const REMEMBERED_CELLS = 2 ** 15;

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
  const known: KnownPlaces = { towns: placeData(towns), streets };
  const cells = new PlaceCells(REMEMBERED_CELLS, placeNames(known));

  return {
    known,
    findTowns: townSearch(towns),
    placeOf: (lat, lon) => (Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? cells.at(lat, lon) : null),
  };
}

function placeNames({ streets, towns }: KnownPlaces): (lat: number, lon: number) => PlaceName | null {
  const index = openPlaceIndex(towns);
  const streetName = streets && textsOf(streets.names);
  return (lat, lon) => {
    const town = namePlace(index, { lat: degrees(lat), lon: degrees(lon) });
    if (streets === null || streetName === null || town?.near !== null) return town;
    const street = findStreet(streets, lat, lon);
    return street < 0 ? town : { address: `${streetName(street)}, ${town.address}`, near: null };
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
