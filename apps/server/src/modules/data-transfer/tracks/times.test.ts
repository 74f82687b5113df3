import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Times } from './times.ts';

const NEVER = Number.NEGATIVE_INFINITY;
const chicago = new Times({ timeZone: 'America/Chicago', dateOrder: 'mdy' });
const paris = new Times({ timeZone: 'Europe/Paris', dateOrder: 'dmy' });
const iso = (at: number | null) => at && new Date(at).toISOString();

describe('times of files', () => {
  it.each([
    ['2026-03-04T05:06:07Z', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04T05:06:07.25+02:00', '2026-03-04T03:06:07.250Z'],
    ['2026-03-04 05:06:07 UTC', '2026-03-04T05:06:07.000Z'],
    ['2026-03-04 05:06', '2026-03-04T11:06:00.000Z'],
    ['03/04/2026 5:06:07 PM', '2026-03-04T23:06:07.000Z'],
    ['3/4/2026 12:00 am', '2026-03-04T06:00:00.000Z'],
    ['20260304050607', '2026-03-04T11:06:07.000Z'],
    ['1772600767', '2026-03-04T05:06:07.000Z'],
    ['1772600767250', '2026-03-04T05:06:07.250Z'],
  ])('%s', (text, expected) => {
    expect(iso(chicago.read(text, NEVER))).toBe(expected);
  });

  it.each(['', 'soon', '2026-13-01 00:00', '2026-02-30 10:00', '03/04/2026 25:00', '2026-03-04', '13:00 pm', '12'])(
    'none in “%s”',
    text => {
      expect(chicago.read(text, NEVER)).toBeNull();
    },
  );

  it('has the day first where people write it so', () => {
    expect(iso(paris.read('03/04/2026 12:00', NEVER))).toBe('2026-04-03T10:00:00.000Z');
  });

  it('tells the hour that comes twice apart by the row before', () => {
    const first = chicago.read('2026-11-01 01:30:00', NEVER) ?? 0;
    expect(iso(first)).toBe('2026-11-01T06:30:00.000Z');
    expect(iso(chicago.read('2026-11-01 01:10:00', first))).toBe('2026-11-01T07:10:00.000Z');
    // Clocks skip 02:30.
    expect(iso(chicago.read('2026-03-08 02:30:00', NEVER))).toBe('2026-03-08T08:30:00.000Z');
  });

  it('is what the clock of the zone shows, in all zones', () => {
    const zones = ['America/Chicago', 'Europe/Paris', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns'];
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 946_684_800, max: 2_000_000_000 }), (timeZone, s) => {
        const clock = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
        const wall = clock.format(s * 1000);
        const at = new Times({ timeZone, dateOrder: 'dmy' }).read(wall, NEVER);
        expect(at).not.toBeNull();
        expect(clock.format(at ?? 0)).toBe(wall);
        expect(Math.abs((at ?? 0) - s * 1000)).toBeLessThanOrEqual(3_600_000);
      }),
    );
  });
});
