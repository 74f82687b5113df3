import fc from 'fast-check';
import { expect, it } from 'vitest';
import { daysBetween, formatDate, formatMonth, isoDateOf } from './date.ts';

it('calendar days stay the days they are, in whatever zone', () => {
  expect(formatDate('2026-11-19')).toBe('Nov 19, 2026');
  expect(formatDate('2027-01-01')).toBe('Jan 1, 2027');
  expect(formatMonth('2027-01-31')).toBe('Jan 2027');
});

it('a moment’s day is the reader’s', () => {
  expect(isoDateOf(new Date(2026, 10, 9, 23, 59).getTime())).toBe('2026-11-09');
});

it('days between are counted whole, also where the clock changes in between', () => {
  expect(daysBetween('2026-03-28', '2026-03-30')).toBe(2);
  fc.assert(
    fc.property(fc.nat(20_000), fc.integer({ min: -5000, max: 5000 }), (start, length) => {
      const day = (n: number) => new Date(n * 86_400_000).toISOString().slice(0, 10);
      expect(daysBetween(day(start), day(start + length))).toBe(length);
    }),
  );
});
