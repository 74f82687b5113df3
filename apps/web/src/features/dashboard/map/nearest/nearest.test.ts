import { expect, it } from 'vitest';
import { PositionStore } from '../../../../live/position-store.ts';
import { movingState, NO_DATA, vehicle } from '../../../../live/testing/fleet.ts';
import { nearestTo } from './nearest.ts';

const NOW = Date.parse('2026-11-19T19:02:11Z');
const LOOP = { lat: 41.8781, lon: -87.6298 };
const imeiOf = (n: number): string => String(356_307_000_000_000 + n);

const store = new PositionStore(() => NOW);
store.applyVehicles([
  ...Array.from({ length: 12 }, (_, n) =>
    vehicle(imeiOf(n), { live: movingState(NOW, { lat: LOOP.lat + 0.01 * n, lon: LOOP.lon }) }),
  ),
  vehicle(imeiOf(99), { live: NO_DATA }),
]);

it('gives the ten closest with distance and direction, without the vehicle itself and those without a place', () => {
  const found = nearestTo(LOOP, store.entries.values(), imeiOf(0));
  expect(found.map(({ imei }) => imei)).toEqual(Array.from({ length: 10 }, (_, i) => imeiOf(i + 1)));
  expect(found[0]?.distance).toBeCloseTo(1112, -1);
  expect(found[0]?.direction).toBeCloseTo(0, 5);
});

it('asked about a spot of the map, no vehicle is left out', () => {
  const [first] = nearestTo({ ...LOOP, lat: LOOP.lat - 0.001 }, store.entries.values(), null);
  expect(first).toMatchObject({ imei: imeiOf(0) });
});
