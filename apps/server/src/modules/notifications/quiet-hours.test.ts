import { homeDays, zoneNamed } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { quietUntil } from './quiet-hours.ts';

// A busy machine is slow, not wrong.
vi.setConfig({ testTimeout: 120_000 });

const CHICAGO = 'America/Chicago';
const until = (from: string, to: string, at: string, timeZone = CHICAGO): string | null => {
  const end = quietUntil({ from, to, timeZone }, epochMs(Date.parse(at)));
  return end === null ? null : new Date(end).toISOString();
};

describe('quiet hours', () => {
  it.each([
    ['within one day', '12:00', '13:30', '2026-06-10T12:00:00-05:00', '2026-06-10T13:30:00-05:00'],
    ['before midnight', '22:00', '06:00', '2026-06-10T23:15:00-05:00', '2026-06-11T06:00:00-05:00'],
    ['after midnight', '22:00', '06:00', '2026-06-11T05:59:59-05:00', '2026-06-11T06:00:00-05:00'],
    ['from midnight', '00:00', '06:00', '2026-06-11T00:00:00-05:00', '2026-06-11T06:00:00-05:00'],
    [
      'through the night without the hour from two to three',
      '22:00',
      '06:00',
      '2026-03-08T01:59:00-06:00',
      '2026-03-08T06:00:00-05:00',
    ],
    [
      'through the night with that hour twice',
      '22:00',
      '06:00',
      '2026-11-01T01:30:00-06:00',
      '2026-11-01T06:00:00-06:00',
    ],
    ['to a time that the clocks jump over', '22:00', '02:30', '2026-03-08T01:00:00-06:00', '2026-03-08T03:00:00-05:00'],
    ['to the first of two equal times', '22:00', '01:30', '2026-11-01T01:00:00-05:00', '2026-11-01T01:30:00-05:00'],
    ['from the first of two equal times', '01:30', '06:00', '2026-11-01T01:15:00-06:00', '2026-11-01T06:00:00-06:00'],
  ])('last %s', (_, from, to, at, end) => {
    expect(until(from, to, at)).toBe(new Date(end).toISOString());
  });

  it.each([
    ['at their end', '22:00', '06:00', '2026-06-11T06:00:00-05:00'],
    ['before they begin', '22:00', '06:00', '2026-06-10T21:59:59-05:00'],
    ['outside of those within one day', '12:00', '13:30', '2026-06-10T13:30:00-05:00'],
    ['when the time at which they ended comes again', '22:00', '01:30', '2026-11-01T01:15:00-06:00'],
    ['where clocks jump over all of them', '02:10', '02:50', '2026-03-08T03:00:00-05:00'],
  ])('are over %s', (_, from, to, at) => {
    expect(until(from, to, at)).toBeNull();
  });

  it('are on the clock of their zone', () => {
    const at = '2026-06-10T23:00:00-05:00';
    expect(until('22:00', '06:00', at)).not.toBeNull();
    expect(until('22:00', '06:00', at, 'Europe/Paris')).toBeNull();
    expect(until('22:00', '06:00', at, 'Asia/Kathmandu')).toBeNull();
  });
});

const time = fc.integer({ min: 0, max: 1439 }).map(minute => {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
});
const anyHours = fc.record({
  from: time,
  to: time,
  timeZone: fc.constantFrom(
    CHICAGO,
    'America/St_Johns',
    'Europe/Paris',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'UTC',
  ),
});
const anyMoment = fc.oneof(
  fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2035, 0) }),
  // Around changes of the clock.
  fc
    .constantFrom('2026-03-08T08:00:00Z', '2026-11-01T07:00:00Z', '2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z')
    .chain(change => fc.integer({ min: -36, max: 36 }).map(half => Date.parse(change) + half * 1_800_000)),
);
const wallMinute = (at: number, timeZone: string): number =>
  Math.floor(((at + (zoneNamed(timeZone)?.offsetAt(epochMs(at)) ?? 0)) % 86_400_000) / 60_000);
const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));

describe('for any hours, zone and moment', () => {
  it('they end later, within a day and an hour, and are over then', () =>
    fc.assert(
      fc.property(anyHours, anyMoment, (hours, at) => {
        const end = quietUntil(hours, epochMs(at));
        if (end === null) return;
        expect(end).toBeGreaterThan(at);
        expect(end - at).toBeLessThanOrEqual(25 * 3_600_000);
        expect(quietUntil(hours, end)).toBeNull();
        // All the way to the end it is the same end.
        expect(quietUntil(hours, epochMs(end - 1))).toBe(end);
        expect(quietUntil(hours, epochMs(Math.floor((at + end) / 2)))).toBe(end);
      }),
      { numRuns: 1000 },
    ));

  it('on a day without a change of the clock it is what the wall says', () =>
    fc.assert(
      fc.property(anyHours, anyMoment, ({ from, to, timeZone }, at) => {
        const { dayOf, startOf } = homeDays({ timeZone, startOfDay: 0 });
        const day = dayOf(epochMs(at));
        fc.pre([-1, 0, 1].every(step => startOf(day + step + 1) - startOf(day + step) === 86_400_000));
        const [begin, end, now] = [minuteOf(from), minuteOf(to), wallMinute(at, timeZone)];
        const isInside = begin < end ? now >= begin && now < end : begin > end && (now >= begin || now < end);
        expect(quietUntil({ from, to, timeZone }, epochMs(at)) !== null).toBe(isInside);
      }),
      { numRuns: 1000 },
    ));
});
