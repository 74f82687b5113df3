import { expect, it } from 'vitest';
import { scaleFor } from './scale.ts';

it('has a few round lines that reach over all values', () => {
  expect(scaleFor(8413)).toEqual([0, 5000, 10_000]);
  expect(scaleFor(740)).toEqual([0, 250, 500, 750]);
  expect(scaleFor(0)).toEqual([0, 1]);
  for (const most of [0.3, 1, 9, 10, 11, 99, 12_345]) {
    const lines = scaleFor(most);
    expect(lines.at(-1)).toBeGreaterThanOrEqual(most);
    expect(lines.length).toBeLessThanOrEqual(5);
  }
});
