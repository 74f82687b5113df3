import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Readings } from '../readings.ts';
import { allStates, stateAt } from './borders.ts';
import { stateShares } from './state-miles.ts';

it.each([
  ['Illinois', 41.85, -87.75],
  ['Indiana', 41.58, -87.35],
  ['Wisconsin', 43.04, -88.0],
  ['Texas', 31.0, -99.0],
  ['Colorado', 39.0, -105.5],
  ['District of Columbia', 38.905, -77.03],
  ['Alaska', 61.2, -149.9],
  ['Hawaii', 21.4, -158.0],
  ['Ontario', 43.7, -79.4],
  ['Québec', 45.5, -73.6],
  ['British Columbia', 49.25, -123.1],
  ['Prince Edward Island', 46.25, -63.13],
  ['Newfoundland and Labrador', 47.56, -52.72],
  ['Nunavut', 63.75, -68.51],
  ['Ciudad de México', 19.43, -99.13],
  ['Nuevo León', 25.67, -100.31],
  ['Tamaulipas', 27.4, -99.55],
  ['Texas', 27.53, -99.5],
  ['Ontario', 42.3, -83.0],
  ['Michigan', 42.35, -83.06],
])('%s is where it is', (name, lat, lon) => expect(stateAt(lat, lon, null)?.name).toBe(name));

it('is none in Guatemala, Greenland and the Atlantic', () => {
  for (const [lat, lon] of [
    [14.6, -90.5],
    [64.2, -51.7],
    [35, -60],
  ] as const) {
    expect(stateAt(lat, lon, null)).toBeNull();
  }
});

it('knows 56 states and territories of the US, 13 provinces of Canada, 32 states of Mexico; no place is in two', () => {
  const states = allStates();
  const counts = Map.groupBy(states, ({ country }) => country);
  expect([...counts].map(([country, { length }]) => [country, length])).toEqual([
    ['US', 56],
    ['CA', 13],
    ['MX', 32],
  ]);
  fc.assert(
    fc.property(
      fc.double({ min: 16, max: 60, noNaN: true }),
      fc.double({ min: -124, max: -67, noNaN: true }),
      (lat, lon) => {
        const found = stateAt(lat, lon, null);
        if (found) expect(stateAt(lat, lon, found)).toBe(found);
        // Two countries' borders are from two sources, which differ by less than 3 km.
        const others = states.filter(other => other !== found && stateAt(lat, lon, other) === other);
        for (const { country } of others) expect(country).not.toBe(found?.country);
        if (others.length > 0) expect(Math.min(...[-1, 1].map(by => distanceToOther(lat, lon, by)))).toBeLessThan(0.03);
      },
    ),
    { numRuns: 200 },
  );
});

/** How far north or south another state is found, in degrees. */
function distanceToOther(lat: number, lon: number, by: number): number {
  const found = stateAt(lat, lon, null);
  for (let step = 0; step < 0.1; step += 0.005) if (stateAt(lat + by * step, lon, null) !== found) return step;
  return 1;
}

it('divides a trip so that its shares are the trip, to the millimeter, and silence belongs to no state', () => {
  const reading = (minute: number, lon: number, odometer: number | null = null): Readings => ({
    timeMs: minute * 60_000,
    lat: 41.6,
    lon,
    isBelieved: true,
    odometer,
    fuel: null,
    speed: null,
    event: null,
    rfid: null,
    temperature: null,
    ignition: true,
  });
  // East across the border of Illinois and Indiana at 87.525° west.
  const drive = Array.from({ length: 31 }, (_, i) => reading(i, -87.75 + i * 0.015, 1000 + i * 1250));
  const shares = stateShares(drive, 37_412_345);
  expect(shares.map(({ state }) => state?.name)).toEqual(['Illinois', 'Indiana']);
  expect(shares.reduce((sum, { millimetres }) => sum + millimetres, 0)).toBe(37_412_345);
  expect(shares.map(({ odometerM }) => odometerM)).toEqual([15 * 1250, 15 * 1250]);
  expect(Math.abs((shares[0]?.millimetres ?? 0) - 37_412_345 / 2)).toBeLessThan(700_000);
  const silent = stateShares([reading(0, -87.75), reading(30, -87.3)], 37_000_000);
  expect(silent).toEqual([{ state: null, millimetres: 37_000_000, odometerM: null }]);
});
