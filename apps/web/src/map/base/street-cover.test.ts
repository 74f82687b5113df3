import { expect, it } from 'vitest';
import { coverOf, deepestZoom } from './street-cover.ts';

const CHICAGO = { lat: 41.88, lon: -87.65 };
const FILE = { kind: 'file', name: 'a.pmtiles', version: '1', attribution: '' } as const;
const DAYTON = { lat: 40.35, lon: -86.81 };

it('goes to the streets where there are some, and to the villages elsewhere', () => {
  expect(deepestZoom(coverOf({ kind: 'built-in' }), CHICAGO)).toBeGreaterThan(14);
  expect(deepestZoom(coverOf({ kind: 'built-in' }), DAYTON)).toBeLessThan(11);
  expect(deepestZoom(coverOf({ kind: 'tiles', url: '', attribution: null, hosts: [] }), DAYTON)).toBeGreaterThan(14);
  expect(deepestZoom(coverOf({ ...FILE, bounds: [-87, 40, -86, 41] }), DAYTON)).toBeGreaterThan(14);
});
