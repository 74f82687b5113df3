import fc from 'fast-check';
import { expect, it } from 'vitest';
import { METRIC, US } from '../../format/measure.ts';
import { scaleOf } from './scale.ts';

it.each([
  [57, US, '2 mi', 56.5],
  [57, METRIC, '5 km', 87.7],
  [0.6, US, '100 ft', 50.8],
  [0.6, METRIC, '50 m', 83.3],
] as const)('%d m a pixel, %s: %s', (metresPerPixel, system, label, px) => {
  const scale = scaleOf(metresPerPixel, 100, system);
  expect(scale.label).toBe(label);
  expect(scale.px).toBeCloseTo(px, 0);
});

it('is never longer than there is room, and never a mere dot', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.05, max: 1e5, noNaN: true }), fc.constantFrom(US, METRIC), (metres, system) => {
      const { px } = scaleOf(metres, 100, system);
      expect(px).toBeLessThan(100.001);
      expect(px).toBeGreaterThan(39);
    }),
  );
});
