import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SHEET_STOPS, sheetHeight, stopAfterDrag } from './sheet-stops.ts';

it('rests at the nearest stop after a slow drag', () => {
  expect(stopAfterDrag(120, 0, 'half', 800)).toBe('peek');
  expect(stopAfterDrag(420, 0, 'peek', 800)).toBe('half');
  expect(stopAfterDrag(700, 0, 'half', 800)).toBe('full');
});

it('goes one stop on after a flick, and no farther than there is', () => {
  expect(stopAfterDrag(300, 1, 'peek', 800)).toBe('half');
  expect(stopAfterDrag(300, -1, 'half', 800)).toBe('peek');
  expect(stopAfterDrag(90, -2, 'peek', 800)).toBe('peek');
});

it('stops grow from peek to full on every screen', () => {
  fc.assert(
    fc.property(fc.integer({ min: 320, max: 1400 }), height => {
      const heights = SHEET_STOPS.map(stop => sheetHeight(stop, height));
      expect(heights).toEqual(heights.toSorted((a, b) => a - b));
    }),
  );
});
