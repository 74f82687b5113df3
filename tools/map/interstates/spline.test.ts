import { expect, it } from 'vitest';
import { metresBetween, splineThrough } from './spline.ts';

const TOWNS = [
  [-87.65, 41.85],
  [-88.08, 41.5251],
  [-88.6298, 40.8809],
  [-89.6437, 39.8017],
] as const;

it('passes through every town, in order', () => {
  const curve = splineThrough(TOWNS).map(position => position.join());
  const places = TOWNS.map(town => curve.indexOf(town.join()));
  expect(places[0]).toBe(0);
  expect(places.at(-1)).toBe(curve.length - 1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

it('has a point about every 12 km and no jump', () => {
  const curve = splineThrough(TOWNS);
  const steps = curve.slice(1).map((to, index) => metresBetween(curve[index]!, to));
  expect(Math.max(...steps)).toBeLessThan(20_000);
  expect(Math.min(...steps)).toBeGreaterThan(5000);
});
