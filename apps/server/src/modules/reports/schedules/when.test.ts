import type { ReportRule } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { calendarOf } from '../../history/days/calendar.ts';
import { daysOfPeriod, nextAt } from './when.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const clockIn = (zone: string) => (ms: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(ms);

describe('[R2.04] a schedule', () => {
  const zones = ['America/New_York', 'Europe/Berlin', 'Pacific/Chatham', 'UTC'];
  const rules = fc.oneof(
    fc.record({ every: fc.constant('day' as const), minute: fc.integer({ min: 360, max: 1439 }) }),
    fc.record({
      every: fc.constant('week' as const),
      weekday: fc.integer({ min: 1, max: 7 }),
      minute: fc.integer({ min: 360, max: 1439 }),
    }),
    fc.record({
      every: fc.constant('month' as const),
      day: fc.integer({ min: 1, max: 28 }),
      minute: fc.integer({ min: 360, max: 1439 }),
    }),
  );

  it.each(zones)('is next due at its time on the clock, soon, and after the moment, in %s', zone => {
    const calendar = calendarOf(zone);
    const clock = clockIn(zone);
    const year = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) });
    fc.assert(
      fc.property(rules, year, (rule: ReportRule, after) => {
        const at = nextAt(calendar, rule, after);
        expect(at).toBeGreaterThan(after);
        expect(at - after).toBeLessThanOrEqual(
          (rule.every === 'day' ? 1 : rule.every === 'week' ? 7 : 31) * DAY + 60 * MINUTE,
        );
        const two = (value: number): string => String(value).padStart(2, '0');
        const [date, time] = clock(at).split(' ');
        expect(time).toBe(`${two(Math.floor(rule.minute / 60))}:${two(rule.minute % 60)}`);
        if (rule.every === 'month') expect(Number(date?.slice(8))).toBe(rule.day);
        if (rule.every === 'week') expect((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7).toBe(rule.weekday - 1);
      }),
    );
  });

  it('is about the days before the one on which it is due', () => {
    const calendar = calendarOf('America/Chicago');
    // A Tuesday.
    const today = calendar.numberOf('2026-03-31');
    const dates = (period: Parameters<typeof daysOfPeriod>[1], first: 1 | 7 = 1) => {
      const { from, to } = daysOfPeriod(calendar, period, today, first);
      return [calendar.dateOf(from), calendar.dateOf(to)];
    };
    expect(dates('nextThirty')).toEqual(['2026-03-31', '2026-04-30']);
    expect(dates('yesterday')).toEqual(['2026-03-30', '2026-03-30']);
    expect(dates('seven')).toEqual(['2026-03-24', '2026-03-30']);
    expect(dates('lastWeek')).toEqual(['2026-03-23', '2026-03-29']);
    expect(dates('lastWeek', 7)).toEqual(['2026-03-22', '2026-03-28']);
    expect(dates('lastMonth')).toEqual(['2026-02-01', '2026-02-28']);
  });
});
