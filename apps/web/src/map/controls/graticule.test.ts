import fc from 'fast-check';
import { expect, it } from 'vitest';
import { graticule } from './graticule.ts';

const labels = (box: Parameters<typeof graticule>[0]) => graticule(box).map(({ properties }) => properties?.label);

it('writes coordinates as they are read', () => {
  expect(labels([-88, 41.5, -87, 42])).toEqual([
    '88.0° W',
    '87.8° W',
    '87.6° W',
    '87.4° W',
    '87.2° W',
    '87.0° W',
    '41.6° N',
    '41.8° N',
    '42.0° N',
  ]);
  expect(labels([170, -10, 200, 10])).toContain('170° W');
});

it('has enough lines to read a place by and not so many that they hide the vehicles', () => {
  const view = fc.record({
    west: fc.double({ min: -180, max: 170, noNaN: true }),
    width: fc.double({ min: 0.005, max: 360, noNaN: true }),
    south: fc.double({ min: -80, max: 70, noNaN: true }),
  });
  fc.assert(
    fc.property(view, ({ west, width, south }) => {
      const lines = graticule([west, south, west + width, south + width / 2]);
      expect(lines.length).toBeGreaterThanOrEqual(3);
      expect(lines.length).toBeLessThanOrEqual(40);
      expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
    }),
  );
});
