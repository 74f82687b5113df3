import fc from 'fast-check';
import { expect, it } from 'vitest';
import { reportedAt } from './reported-at.ts';

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
const digits = (most: number) => fc.integer({ min: 0, max: most });

/** What `Date` reads, if it writes it the same way. */
function byDate(date: string, time: string): number | null {
  const moment = new Date(`${date}T${time}Z`);
  return Number.isNaN(moment.getTime()) || moment.toISOString() !== `${date}T${time}.000Z` ? null : moment.getTime();
}

it('agrees with the calendar for any digits', () => {
  const dates = fc.tuple(fc.oneof(digits(9999), fc.integer({ min: 1990, max: 2040 })), digits(14), digits(33));
  const times = fc.tuple(digits(26), digits(62), digits(62));
  fc.assert(
    fc.property(dates, times, ([year, month, day], [hour, minute, second]) => {
      const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
      const time = `${pad(hour)}:${pad(minute)}:${pad(second)}`;
      expect(reportedAt(date, time)).toBe(byDate(date, time));
    }),
    { numRuns: 5000 },
  );
});

it.each([
  '2024-02-29',
  '2023-02-29',
  '2026-04-30',
  '2026-04-31',
  '2026-12-31',
  '0050-01-01',
  '0000-00-00',
  '9999-99-99',
])('agrees with the calendar on %s', date => {
  for (const time of ['00:00:00', '23:59:59', '24:00:00', '12:60:00']) {
    expect(reportedAt(date, time)).toBe(byDate(date, time));
  }
});
