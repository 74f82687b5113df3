import { expect, it } from 'vitest';
import { deepestZoom, OFFLINE_COVER } from './street-cover.ts';

const CHICAGO = { lat: 41.88, lon: -87.65 };
const DAYTON = { lat: 40.35, lon: -86.81 };

it('goes to the streets where there are some, and to the villages elsewhere', () => {
  expect(deepestZoom(OFFLINE_COVER, CHICAGO)).toBeGreaterThan(14);
  expect(deepestZoom(OFFLINE_COVER, DAYTON)).toBeLessThan(11);
  expect(deepestZoom('everywhere', DAYTON)).toBeGreaterThan(14);
  expect(deepestZoom([[-87, 40, -86, 41]], DAYTON)).toBeGreaterThan(14);
});
