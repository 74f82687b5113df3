import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Readings } from '../readings.ts';
import { stateShares } from './state-miles.ts';
import { stateAt, usStates } from './us-states.ts';

it.each([
  ['Illinois', 41.85, -87.75],
  ['Indiana', 41.58, -87.35],
  ['Wisconsin', 43.04, -88.0],
  ['Texas', 31.0, -99.0],
  ['Colorado', 39.0, -105.5],
  ['District of Columbia', 38.905, -77.03],
  ['Alaska', 61.2, -149.9],
  ['Hawaii', 21.4, -158.0],
])('%s is where it is', (name, lat, lon) => expect(stateAt(lat, lon, null)?.name).toBe(name));

it('is none in Toronto, Mexico City and the Atlantic', () => {
  for (const [lat, lon] of [
    [43.7, -79.4],
    [19.4, -99.1],
    [35, -60],
  ] as const) {
    expect(stateAt(lat, lon, null)).toBeNull();
  }
});

it('knows 50 states, the District of Columbia and five territories, and no place is in two', () => {
  const states = usStates();
  expect(states).toHaveLength(56);
  fc.assert(
    fc.property(
      fc.double({ min: 25, max: 49, noNaN: true }),
      fc.double({ min: -124, max: -67, noNaN: true }),
      (lat, lon) => {
        const found = stateAt(lat, lon, null);
        for (const other of states) if (other !== found) expect(stateAt(lat, lon, other)).toBe(found);
      },
    ),
    { numRuns: 60 },
  );
});

it('divides a trip so that its shares are the trip, to the millimeter, and silence belongs to no state', () => {
  const reading = (minute: number, lon: number, odometer: number | null = null): Readings => ({
    timeMs: minute * 60_000,
    lat: 41.6,
    lon,
    isBelieved: true,
    odometer,
    fuel: null,
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
