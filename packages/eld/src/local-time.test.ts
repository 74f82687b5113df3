import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf, fileDate, fileDateAndTime, fileOffset, isZone, startOfDate } from './local-time.ts';

const at = (iso: string) => epochMs(Date.parse(iso));
const CHICAGO = { timeZone: 'America/Chicago', startOfDay: 0 };
const NOON = { timeZone: 'America/Chicago', startOfDay: 12 * 60 };

describe('time at the home terminal', { timeout: 60_000 }, () => {
  it('is written in the file’s format, including daylight saving time', () => {
    expect(fileDateAndTime(at('2026-02-03T21:30:00Z'), 'America/Chicago')).toEqual({ date: '020326', time: '153000' });
    expect(fileDateAndTime(at('2026-07-04T04:59:59Z'), 'America/Chicago')).toEqual({ date: '070326', time: '235959' });
    expect(fileOffset(at('2026-02-03T21:30:00Z'), 'America/Chicago')).toBe('06');
    expect(fileOffset(at('2026-07-04T04:59:59Z'), 'America/Chicago')).toBe('05');
    // The offsets must not make Tokyo look like Alaska, nor Newfoundland like New Brunswick.
    expect(fileOffset(at('2026-02-03T21:30:00Z'), 'Asia/Tokyo')).toBe('-09');
    expect(fileOffset(at('2026-02-03T21:30:00Z'), 'Pacific/Guam')).toBe('-10');
    expect(fileOffset(at('2026-02-03T21:30:00Z'), 'America/St_Johns')).toBe('03:30');
    expect(fileOffset(at('2026-02-03T21:30:00Z'), 'UTC')).toBe('00');
    expect(fileDate('2026-02-03')).toBe('020326');
  });

  it('begins the day at the carrier’s hour', () => {
    expect(dayOf(at('2026-02-03T05:59:59Z'), CHICAGO)).toBe('2026-02-02');
    expect(dayOf(at('2026-02-03T06:00:00Z'), CHICAGO)).toBe('2026-02-03');
    expect(dayOf(at('2026-02-03T17:59:59Z'), NOON)).toBe('2026-02-02');
    expect(dayOf(at('2026-02-03T18:00:00Z'), NOON)).toBe('2026-02-03');
  });

  it('has days of 23 and 25 hours', () => {
    const hours = (date: string) => (startOfDate(addDays(date, 1), CHICAGO) - startOfDate(date, CHICAGO)) / 3_600_000;
    expect([hours('2026-03-08'), hours('2026-11-01'), hours('2026-06-01')]).toEqual([23, 25, 24]);
  });

  it('begins a day at the clock change when its start hour is skipped', () => {
    const home = { timeZone: 'America/Chicago', startOfDay: 150 };
    expect(new Date(startOfDate('2026-03-08', home)).toISOString()).toBe('2026-03-08T08:00:00.000Z');
  });

  it('assigns every moment to the day whose start and end enclose it', () => {
    const moments = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2030, 0, 1) });
    const zones = fc.constantFrom('America/Chicago', 'America/Phoenix', 'America/St_Johns', 'Pacific/Honolulu', 'UTC');
    const starts = fc.constantFrom(0, 60, 6 * 60, 12 * 60, 23 * 60);
    fc.assert(
      fc.property(moments, zones, starts, (moment, timeZone, startOfDay) => {
        const date = dayOf(epochMs(moment), { timeZone, startOfDay });
        expect(startOfDate(date, { timeZone, startOfDay })).toBeLessThanOrEqual(moment);
        expect(startOfDate(addDays(date, 1), { timeZone, startOfDay })).toBeGreaterThan(moment);
      }),
    );
  });

  it('recognizes a valid time zone', () => {
    expect(['America/Chicago', 'UTC', 'Chicago', ''].map(isZone)).toEqual([true, true, false, false]);
  });
});
