import { degrees } from '@milepost/units';
import { expect, it } from 'vitest';
import { loadCities } from './cities.ts';
import { townSearch } from './town-search.ts';

const town = (name: string, region: string, population: number) => ({
  name,
  region,
  population,
  lat: degrees(0),
  lon: degrees(0),
});
const names = (found: readonly { readonly name: string; readonly region: string }[]): string[] =>
  found.map(({ name, region }) => `${name}, ${region}`);

it('puts exact names first, then beginnings, then words inside; larger towns before smaller', async () => {
  const find = townSearch([
    town('Yorkton', 'Canada', 15_000),
    town('New York City', 'NY', 8_000_000),
    town('York', 'PA', 44_000),
    town('York', 'United Kingdom', 150_000),
    town('Yorkville', 'IL', 20_000),
    town('Cork', 'Ireland', 200_000),
  ]);
  expect(names(await find('york', 9))).toEqual([
    'York, United Kingdom',
    'York, PA',
    'Yorkville, IL',
    'Yorkton, Canada',
    'New York City, NY',
  ]);
  expect(names(await find('York, PA', 9))).toEqual(['York, PA']);
  expect(names(await find('york', 1))).toHaveLength(1);
  expect(await find('…', 9)).toEqual([]);
});

it('accepts names without accents and with any separator between words', async () => {
  const find = townSearch([town('Saint-Jérôme', 'Canada', 68_000), town('Zürich', 'Switzerland', 341_000)]);
  expect(names(await find('saint jerome', 3))).toEqual(['Saint-Jérôme, Canada']);
  expect(names(await find('  ZURICH', 3))).toEqual(['Zürich, Switzerland']);
});

it('finds towns worldwide', async () => {
  const find = townSearch(await loadCities());
  expect(names(await find('springfield, il', 3))[0]).toBe('Springfield, IL');
  expect(names(await find('chica', 3))[0]).toBe('Chicago, IL');
});
