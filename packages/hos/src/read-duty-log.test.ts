import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { EXCEPTIONS } from './exception.ts';
import { LOG_ERROR_CODES, type RawLog, type RawSegment } from './raw-log.ts';
import { readDutyLog } from './read-duty-log.ts';
import { DUTY_STATUSES } from './status.ts';

// A generous timeout: these tests are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const segment = (status: string, from: number, to: number | null): RawSegment => ({
  status,
  start: `2026-02-02T${String(from).padStart(2, '0')}:00:00-06:00`,
  end: to === null ? null : `2026-02-02T${String(to).padStart(2, '0')}:00:00-06:00`,
});
const log = (segments: readonly RawSegment[], more: Partial<RawLog> = {}): unknown => ({
  timezone: 'America/Chicago',
  segments,
  ...more,
});
const codes = (raw: unknown): string[] => {
  const read = readDutyLog(raw);
  return read.ok ? [] : read.errors.map(({ code, at }) => `${code} ${at}`);
};

describe('reading a duty log', () => {
  it('sorts segments, and accepts a last one without an end', () => {
    const read = readDutyLog(log([segment('D', 8, null), segment('OFF', 5, 6), segment('ON', 6, 8)]));
    expect(read.ok && read.value.segments.map(({ status }) => status)).toEqual(['OFF', 'ON', 'D']);
    expect(read.ok && read.value.segments.at(-1)).toMatchObject({
      start: Date.UTC(2026, 1, 2, 14),
      end: Date.UTC(2026, 1, 2, 14),
    });
  });

  it('reads UTC, offsets and milliseconds as the same instants', () => {
    const instants = ['2026-02-02T12:00:00Z', '2026-02-02T06:00:00-06:00', Date.UTC(2026, 1, 2, 12)];
    const starts = instants.map(start => {
      const read = readDutyLog(log([{ status: 'ON', start }]));
      return read.ok && read.value.segments[0]?.start;
    });
    expect(new Set(starts)).toEqual(new Set([Date.UTC(2026, 1, 2, 12)]));
  });

  it.each<[string, unknown, string[]]>([
    ['no object', [], ['not-an-object ']],
    ['an unknown time zone', log([segment('D', 8, 9)], { timezone: 'Mars/Olympus' }), ['unknown-time-zone timezone']],
    [
      'an invalid hour',
      log([segment('D', 8, 9)], { homeTerminalStartOfDay: '24:00' }),
      ['bad-start-of-day homeTerminalStartOfDay'],
    ],
    ['nothing', log([]), ['no-segments segments']],
    ['an unknown status', log([segment('REST', 8, 9)]), ['unknown-status segments[0].status']],
    [
      'a local time without an offset',
      log([{ status: 'D', start: '2026-02-02T06:00:00' }]),
      ['bad-time segments[0].start'],
    ],
    ['30 February', log([{ status: 'D', start: '2026-02-30T06:00:00Z' }]), ['bad-time segments[0].start']],
    ['half a millisecond', log([{ status: 'D', start: 1.5e12 + 0.5 }]), ['bad-time segments[0].start']],
    ['something that is not a time', log([segment('ON', 8, 8)]), ['empty-segment segments[0]']],
    ['a gap', log([segment('ON', 6, 8), segment('D', 9, 10)]), ['gap segments[1]']],
    ['an overlap', log([segment('ON', 6, 8), segment('D', 7, 10)]), ['overlap segments[1]']],
    [
      'an open segment before the last',
      log([segment('ON', 6, null), segment('D', 7, 10)]),
      ['bad-time segments[0].end', 'gap segments[1]'],
    ],
    [
      'an unheard-of exemption',
      log([segment('ON', 6, 7)], { flags: { magic: true } }),
      ['unknown-exception flags.magic'],
    ],
    [
      'a declaration that ends before it starts',
      log([segment('ON', 6, 7)], { declarations: [{ exception: 'adverseDriving', start: 1.7e12, end: 1.6e12 }] }),
      ['bad-time declarations[0].end'],
    ],
  ])('refuses %s', (_, raw, expected) => expect(codes(raw)).toEqual(expected));

  it('reports all errors at once', () =>
    expect(codes({ timezone: 7, homeTerminalStartOfDay: 3, segments: [{}, 5] })).toEqual([
      'unknown-time-zone timezone',
      'unknown-status segments[0].status',
      'not-a-segment segments[1]',
    ]));

  it('[I3] turns any input into a log or error codes', () => {
    const time = fc.oneof(
      fc.integer({ min: 1_767_225_600_000, max: 1_767_225_600_000 + 1000 }),
      fc.constantFrom('2026-02-02T06:00:00Z', '2026-02-02T06:00', '', null, undefined, -1, Number.NaN, 1e300),
      fc.anything(),
    );
    const piece = fc.record(
      { status: fc.oneof(fc.constantFrom<string>(...DUTY_STATUSES), fc.anything()), start: time, end: time },
      { requiredKeys: [] },
    );
    const raw = fc.oneof(
      fc.anything(),
      fc.record(
        {
          timezone: fc.oneof(fc.constantFrom('America/Chicago', 'UTC', 'x'), fc.anything()),
          homeTerminalStartOfDay: fc.oneof(fc.constantFrom('00:00', '12:30', '99:99'), fc.anything()),
          segments: fc.oneof(fc.array(fc.oneof(piece, fc.anything())), fc.anything()),
          flags: fc.oneof(fc.dictionary(fc.constantFrom(...EXCEPTIONS, '__proto__'), fc.boolean()), fc.anything()),
          declarations: fc.anything(),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(raw, value => {
        const read = readDutyLog(value);
        if (read.ok) {
          for (const [index, { start }] of read.value.segments.entries()) {
            if (index > 0) expect(start).toBe(read.value.segments[index - 1]?.end);
          }
        } else {
          expect(read.errors.length).toBeGreaterThan(0);
          for (const { code } of read.errors) expect(LOG_ERROR_CODES).toContain(code);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
