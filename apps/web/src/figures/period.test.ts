import { expect, it } from 'vitest';
import { daysOf, lengthOf, problemOf } from './period.ts';

const TODAY = '2026-11-22';

it('[R2.11] a period ends today and counts it', () => {
  expect(daysOf('today', {}, TODAY)).toEqual({ from: TODAY, to: TODAY });
  expect(daysOf('7', {}, TODAY)).toEqual({ from: '2026-11-16', to: TODAY });
  expect(lengthOf(daysOf('quarter', {}, TODAY))).toBe(91);
  const custom = { from: '2026-02-27', to: '2026-03-02' };
  expect([daysOf('custom', custom, TODAY), lengthOf(custom)]).toEqual([custom, 4]);
});

it('says why a custom period is none, and shows four weeks meanwhile', () => {
  expect(problemOf({ from: '2026-11-02', to: '' })).toBe('incomplete');
  expect(problemOf({ from: '2026-11-02', to: '2026-13-02' })).toBe('incomplete');
  expect(problemOf({ from: '2026-11-02', to: '2026-11-01' })).toBe('wrong');
  expect(problemOf({ from: '2026-01-01', to: '2026-06-01' })).toBe('tooLong');
  expect(lengthOf(daysOf('custom', { from: 'x' }, TODAY))).toBe(28);
});
