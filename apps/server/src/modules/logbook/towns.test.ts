import { locationDescription, type TownFinder } from '@milepost/eld';
import { degrees } from '@milepost/units';
import { beforeAll, expect, it } from 'vitest';
import { openTowns } from './towns.ts';

let find: TownFinder;
beforeAll(async () => {
  find = await openTowns();
});

it.each([
  [41.78, -87.7, '5mi SSW IL Chicago'],
  [40.4, -86.95, '3mi SW IN West Lafayette'],
  // Only smaller places nearby.
  [39.5, -98.1, '24mi WSW KS Concordia'],
])('an event at %d, %d is %s', (lat, lon, text) => {
  expect(locationDescription(find, degrees(lat), degrees(lon))).toBe(text);
});

it('finds nothing at sea and in other countries', () => {
  expect(locationDescription(find, degrees(0), degrees(0))).toBeNull();
  expect(locationDescription(find, degrees(-34.9), degrees(-56.2))).toBeNull();
});
