import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { encodeStreets } from '@milepost/geo';
import { degrees } from '@milepost/units';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Places, readPlaces } from './places.ts';

let folder: string;
let withStreets: Places;
let withoutStreets: Places;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'milepost-places-'));
  const points = [
    { lat: degrees(41.9), lon: degrees(-87.6775) },
    { lat: degrees(41.91), lon: degrees(-87.6775) },
  ];
  const file = join(folder, 'streets.json.gz');
  await writeFile(file, gzipSync(JSON.stringify(encodeStreets([{ name: 'N Damen Ave', points }]))));
  [withStreets, withoutStreets] = await Promise.all([readPlaces(file), readPlaces(join(folder, 'none.json.gz'))]);
});
afterAll(() => rm(folder, { recursive: true }));

it('names street and town where the streets are known', () => {
  expect(withStreets.placeOf(41.905, -87.6776)?.address).toBe('N Damen Ave, Chicago, IL');
  expect(withStreets.placeOf(41.905, -87.65)?.address).toBe('Chicago, IL');
});

it.each([
  [41.905, -87.6776, 'Chicago, IL'],
  [-34.905, -56.165, 'Montevideo, Uruguay'],
  [39.5, -98.1, '5 km N of Beloit, KS'],
])('names the town, or the way from it: %d, %d is %s', (lat, lon, address) => {
  expect(withoutStreets.placeOf(lat, lon)?.address).toBe(address);
});

it('returns nothing at sea, at the poles and for invalid coordinates', () => {
  for (const [lat, lon] of [
    [0, 0],
    [90, 0],
    [-90, 180],
    [91, 0],
    [0, 181],
    [Number.NaN, 0],
    [0, Number.POSITIVE_INFINITY],
  ] as const) {
    expect(withStreets.placeOf(lat, lon)).toBeNull();
  }
});

it('returns the same after its cache is cleared', () => {
  const before = withoutStreets.placeOf(41.905, -87.6776);
  for (let i = 0; i < 100_000; i++) withoutStreets.placeOf(-60, i / 10_000);
  expect(withoutStreets.placeOf(41.905, -87.6776)).toEqual(before);
});
