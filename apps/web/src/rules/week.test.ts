import type { RuleWhen } from '@milepost/contract';
import { weeklySchedule } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { minuteOf, weekOf } from './week.ts';

/** 00:00 UTC on a Monday. */
const MONDAY = Date.UTC(2026, 0, 5);
const time = fc
  .integer({ min: 0, max: 1439 })
  .map(minute => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`);
const weekly: fc.Arbitrary<RuleWhen> = fc.record({
  days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  from: time,
  to: time,
  is: fc.constantFrom('within', 'outside'),
});

it('[R7.37] the week as it is drawn is the week as rules are watched', () => {
  fc.assert(
    fc.property(weekly, fc.integer({ min: 0, max: 7 * 1440 - 1 }), (when, minute) => {
      const { days, from, is, to } = when;
      const schedule = weeklySchedule(
        { days: new Set(days), from: minuteOf(from), to: minuteOf(to), isOutside: is === 'outside' },
        () => 0,
      );
      const [day, at] = [Math.floor(minute / 1440), minute % 1440];
      const isDrawn = weekOf(when)[day]?.some(([begin, end]) => at >= begin && at < end) ?? false;
      expect(isDrawn).toBe(schedule.isWithin(epochMs(MONDAY + minute * 60_000)));
    }),
  );
});

it('a night is drawn on both of its days, touching spans as one, and always as whole days', () => {
  const night = weekOf({ days: [1], from: '22:00', to: '05:00', is: 'within' });
  expect(night.slice(0, 3)).toEqual([[[1320, 1440]], [[0, 300]], []]);
  expect(weekOf({ days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '08:00', is: 'within' })[3]).toEqual([[0, 1440]]);
  expect(weekOf(null)).toEqual(Array(7).fill([[0, 1440]]));
});
