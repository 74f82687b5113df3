import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wallTime } from './wall-time.ts';

describe('times in a file', () => {
  it('are those on the zone’s clocks, whatever was written before, and where clocks change [R2.04]', () => {
    const zones = [
      'UTC',
      'America/Chicago',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Pacific/Apia',
    ];
    const time = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 0, 1) });
    const change = fc
      .constantFrom('2026-03-08T08:00:00Z', '2026-11-01T07:00:00Z', '2026-04-04T15:00:00Z', '2011-12-30T10:00:00Z')
      .chain(at => fc.integer({ min: -7_200_000, max: 7_200_000 }).map(off => Date.parse(at) + off));
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.array(fc.oneof(time, change), { maxLength: 20 }), (zone, times) => {
        const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
        for (const at of times) expect(wallTime(new Date(at).toISOString(), zone)).toBe(format.format(at));
      }),
    );
  });
});
