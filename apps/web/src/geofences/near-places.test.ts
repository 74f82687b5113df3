import type { Geofence } from '@milepost/contract';
import { afterAll, expect, it, vi } from 'vitest';
import { queryClient } from '../base/queries.ts';
import { coordinates, nearPlaces } from './near-places.ts';
import { geofencesQuery } from './use-geofences.ts';

const towns = vi.hoisted(() => {
  // Other files of the worker have loaded these modules with the real ones, and will again.
  vi.resetModules();
  return vi.fn();
});
afterAll(() => {
  vi.doUnmock('../base/queries.ts');
  vi.doUnmock('../base/api.ts');
  vi.resetModules();
});
vi.mock('../base/queries.ts', async () => {
  const { QueryClient } = await import('@tanstack/react-query');
  return { queryClient: new QueryClient() };
});
vi.mock('../base/api.ts', () => ({ call: (_route: unknown, input: unknown) => towns(input) }));

const JOLIET = { lat: 41.525, lon: -88.0817 };

it('reads coordinates however they are separated', () => {
  expect(coordinates('41.88, -87.63')).toEqual({ lat: 41.88, lon: -87.63 });
  expect(coordinates('41.88/-87.63')).toEqual({ lat: 41.88, lon: -87.63 });
  expect(coordinates('-33 151.2')).toEqual({ lat: -33, lon: 151.2 });
  expect([coordinates('91, 0'), coordinates('1, 181'), coordinates('Dock 12'), coordinates('41.88')]).toEqual([
    null,
    null,
    null,
    null,
  ]);
});

it('measures from the edge of a geofence, else from the town that fits best, and knows what is unknown', async () => {
  const depot = { name: 'Depot North', shape: { kind: 'circle', center: [-87.63, 41.88], radiusM: 1000 } } as Geofence;
  queryClient.setQueryData(geofencesQuery.queryKey, [depot]);
  towns.mockImplementation(({ query }: { query: { q: string } }) =>
    Promise.resolve(query.q === 'Joliet' ? [{ name: 'Joliet', region: 'IL', ...JOLIET }] : []),
  );
  const places = await nearPlaces(['north', 'Joliet', 'Nowhere', '41.88, -87.63']);
  expect([...places.keys()]).toEqual(['north', 'Joliet', '41.88, -87.63']);
  // A tenth of a degree of latitude is 11.1 km.
  expect(places.get('north')?.({ lat: 41.98, lon: -87.63 })).toBeCloseTo(10.1, 1);
  expect(places.get('north')?.({ lat: 41.885, lon: -87.63 })).toBe(0);
  expect(places.get('41.88, -87.63')?.({ lat: 41.98, lon: -87.63 })).toBeCloseTo(11.1, 1);
  expect(places.get('Joliet')?.(JOLIET)).toBe(0);
});
