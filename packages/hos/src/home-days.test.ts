import { type EpochMs, epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { dateOf, homeDays } from './home-days.ts';
import { toLocalIso, zoneNamed } from './zone.ts';

// A generous timeout: these tests are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const chicago = (startOfDay: number) => homeDays({ timeZone: 'America/Chicago', startOfDay });
const dayOn = (date: string): number => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
const hoursOf = (startOfDay: number, date: string): number => {
  const days = chicago(startOfDay);
  return (days.startOf(dayOn(date) + 1) - days.startOf(dayOn(date))) / 3_600_000;
};
const local = (instant: EpochMs, timeZone = 'America/Chicago'): string => {
  const zone = zoneNamed(timeZone);
  return zone ? toLocalIso(instant, zone) : '';
};

describe('home-terminal days', () => {
  it('have 23 or 25 hours when the clocks change', () => {
    expect(hoursOf(0, '2026-03-08')).toBe(23);
    expect(hoursOf(0, '2026-11-01')).toBe(25);
    expect(hoursOf(0, '2026-06-10')).toBe(24);
    expect(hoursOf(12 * 60, '2026-03-07')).toBe(23);
  });

  it('begin at the clock change if it skips their start hour, and at the first occurrence if it repeats it', () => {
    expect(local(chicago(150).startOf(dayOn('2026-03-08')))).toBe('2026-03-08T03:00:00-05:00');
    expect(local(chicago(90).startOf(dayOn('2026-11-01')))).toBe('2026-11-01T01:30:00-05:00');
    expect(hoursOf(90, '2026-11-01')).toBe(25);
  });

  it('contain every instant assigned to them', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2099, 0) }),
        fc.constantFrom('America/St_Johns', 'America/Chicago', 'Pacific/Apia', 'Asia/Kathmandu', 'Africa/Cairo'),
        fc.constantFrom(0, 77, 150, 720, 1439),
        (instant, timeZone, startOfDay) => {
          const days = homeDays({ timeZone, startOfDay });
          const day = days.dayOf(epochMs(instant));
          expect(days.startOf(day)).toBeLessThanOrEqual(instant);
          expect(days.startOf(day + 1)).toBeGreaterThan(instant);
          // A date that a zone has skipped (Apia, 30 December 2011) begins together with the next.
          if (days.startOf(day) === days.startOf(day - 1)) return;
          expect(local(days.startOf(day), timeZone).slice(0, 10)).toBe(dateOf(day));
        },
      ),
      { numRuns: 300 },
    ));
});
