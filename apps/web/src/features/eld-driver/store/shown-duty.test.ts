import type { DutyAction, LogDay, MyDuty, ShownStatus } from '@milepost/contract';
import { readDutyLog } from '@milepost/hos';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clocksAt } from './clocks.ts';
import { type ChainEnd, newEntry } from './entry.ts';
import { shownDuty } from './shown-duty.ts';

const MIDNIGHT = Date.parse('2026-11-26T00:00:00Z');
const HOUR = 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString();
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const TODAY = {
  date: '2026-11-26',
  from: iso(MIDNIGHT),
  to: iso(MIDNIGHT + 24 * HOUR),
  timeZone: 'UTC',
  through: iso(MIDNIGHT + 8 * HOUR),
  segments: [
    { status: 'OFF', from: iso(MIDNIGHT), to: iso(MIDNIGHT + 6 * HOUR), record: null },
    { status: 'ON', from: iso(MIDNIGHT + 6 * HOUR), to: iso(MIDNIGHT + 8 * HOUR), record: null },
  ],
  totals: { OFF: 21_600, SB: 0, D: 0, ON: 7200 },
  records: [],
  violations: [],
  certification: { count: 0, lastAt: null, changedSince: false },
  proposals: 0,
} as unknown as LogDay;
const WORD = {
  now: iso(MIDNIGHT + 8 * HOUR),
  row: { status: 'ON', since: iso(MIDNIGHT + 6 * HOUR) },
  vehicle: null,
  ...{ coDrivers: [], askedCoDriver: null, teamRequests: [], handedOver: [] },
  vehicles: [{ id: '4', deviceName: '4133', plate: null, isUsual: true }],
  question: null,
  days: [TODAY],
  toCertify: ['2026-11-24', '2026-11-25'],
  unclaimed: [{ record: id(50) }],
  trailers: '',
  shippingDocument: '',
  inspection: null,
  dutyLog: {
    ruleset: 'US_PROPERTY_70_8',
    timezone: 'UTC',
    homeTerminalStartOfDay: '00:00',
    segments: [
      { status: 'OFF', start: iso(MIDNIGHT - 48 * HOUR), end: iso(MIDNIGHT + 6 * HOUR) },
      { status: 'ON', start: iso(MIDNIGHT + 6 * HOUR), end: null },
    ],
    declarations: [],
  },
} as unknown as MyDuty;

const entries = (...steps: readonly (readonly [atMs: number, action: DutyAction])[]) => {
  let last: ChainEnd | null = null;
  return steps.map(([atMs, action], n) => {
    const entry = newEntry('7', id(n), atMs, action)(last);
    last = { owner: '7', position: entry.position, hash: entry.hash, atMs: Date.parse(entry.at) };
    return entry;
  });
};
const status = (to: ShownStatus): DutyAction => ({ kind: 'status', status: to, note: '' });

describe('the log as a driver sees it without a network', () => {
  it('goes on in the present status', () => {
    const shown = shownDuty(WORD, [], MIDNIGHT + 10 * HOUR);
    expect(shown.days[0]?.segments.at(-1)).toMatchObject({ status: 'ON', to: iso(MIDNIGHT + 10 * HOUR) });
    expect(shown.days[0]?.totals.ON).toBe(4 * 3600);
  });

  it('shows what the driver has entered, and counts it', () => {
    const waiting = entries([MIDNIGHT + 9 * HOUR, status('PC')], [MIDNIGHT + 11 * HOUR, status('SB')]);
    const shown = shownDuty(WORD, waiting, MIDNIGHT + 12 * HOUR);
    expect(shown.row).toMatchObject({ status: 'SB', since: iso(MIDNIGHT + 11 * HOUR) });
    expect(shown.days[0]?.segments.map(one => one.status)).toEqual(['OFF', 'ON', 'PC', 'SB']);
    expect(shown.days[0]?.totals).toEqual({ OFF: 8 * 3600, SB: 3600, D: 0, ON: 3 * 3600 });
  });

  it('signs in and out, certifies, and takes answered things off the list', () => {
    const signedIn = shownDuty(
      WORD,
      entries([MIDNIGHT + 9 * HOUR, { kind: 'sign-in', vehicleId: '4' }]),
      MIDNIGHT + 9 * HOUR,
    );
    expect(signedIn.vehicle?.deviceName).toBe('4133');
    const later = entries(
      [MIDNIGHT + 9 * HOUR, { kind: 'sign-in', vehicleId: '4' }],
      [MIDNIGHT + 9 * HOUR, { kind: 'certify', dates: ['2026-11-24'] }],
      [MIDNIGHT + 9 * HOUR, { kind: 'claim', vehicleId: '4', record: id(50), mine: true }],
      [MIDNIGHT + 10 * HOUR, { kind: 'sign-out', status: 'OFF' }],
    );
    expect(shownDuty(WORD, later, MIDNIGHT + 10 * HOUR)).toMatchObject({
      vehicle: null,
      toCertify: ['2026-11-25'],
      unclaimed: [],
      row: { status: 'OFF' },
    });
  });

  it('declares an exemption and ends it, and the clocks follow', () => {
    const declared = entries([
      MIDNIGHT + 7 * HOUR,
      { kind: 'declare', exception: 'agriculture', reason: 'Corn to the elevator' },
    ]);
    const during = clocksAt(shownDuty(WORD, declared, MIDNIGHT + 9 * HOUR), MIDNIGHT + 9 * HOUR);
    expect(during).toMatchObject({ exempt: 'agriculture', clocks: { window: { leftS: 13 * 3600 } } });
    const ended = [...declared, ...entries([MIDNIGHT + 8 * HOUR, { kind: 'end-exemption', exception: 'agriculture' }])];
    const after = clocksAt(shownDuty(WORD, ended, MIDNIGHT + 9 * HOUR), MIDNIGHT + 9 * HOUR);
    expect(after).toMatchObject({ exempt: null, clocks: { window: { leftS: 12 * 3600 } } });
  });

  it('shows an exemption that is declared before the first status, until it is ended', () => {
    const empty = { ...WORD, dutyLog: { ...WORD.dutyLog, segments: [] } };
    const at = MIDNIGHT + 9 * HOUR;
    const rested = clocksAt(shownDuty(empty, [], at), at);
    expect(rested).toMatchObject({ exempt: null, isCounted: true, clocks: { drive: { leftS: 11 * 3600 } } });
    const declared = entries([MIDNIGHT + 7 * HOUR, { kind: 'declare', exception: 'agriculture', reason: 'Corn' }]);
    expect(clocksAt(shownDuty(empty, declared, at), at).exempt).toBe('agriculture');
    const ended = [...declared, ...entries([MIDNIGHT + 8 * HOUR, { kind: 'end-exemption', exception: 'agriculture' }])];
    expect(clocksAt(shownDuty(empty, ended, at), at).exempt).toBeNull();
  });

  it('begins a new day at midnight', () => {
    const shown = shownDuty(WORD, [], MIDNIGHT + 49 * HOUR);
    expect(shown.days.map(({ date }) => date)).toEqual(['2026-11-28', '2026-11-27', '2026-11-26']);
    expect(shown.days.map(({ totals }) => totals.ON / 3600)).toEqual([1, 24, 18]);
  });

  it('has the days that ended without a network certified like the others', () => {
    const at = MIDNIGHT + 49 * HOUR;
    expect(shownDuty(WORD, [], at).toCertify).toEqual([...WORD.toCertify, '2026-11-26', '2026-11-27']);
    const signed = entries([at - HOUR / 2, { kind: 'certify', dates: ['2026-11-26'] }]);
    expect(shownDuty(WORD, signed, at).toCertify).toEqual([...WORD.toCertify, '2026-11-27']);
    const notBegun = { ...WORD, row: { ...WORD.row, since: null } };
    expect(shownDuty(notBegun, [], at).toCertify).toEqual(WORD.toCertify);
  });

  it('is always a log that the engine reads, without gaps, and every day is as long as it has lasted', () => {
    const moves = fc.array(
      fc.record({
        afterMs: fc.integer({ min: -9 * HOUR, max: 9 * HOUR }),
        to: fc.constantFrom('OFF', 'SB', 'D', 'ON', 'PC', 'YM'),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(moves, fc.integer({ min: 0, max: 30 * HOUR }), (list, moreMs) => {
        let atMs = MIDNIGHT + 8 * HOUR;
        const steps = list.map(({ afterMs, to }) => {
          atMs += afterMs;
          return [atMs, status(to as ShownStatus)] as const;
        });
        const waiting = entries(...steps);
        const nowMs = Math.max(MIDNIGHT + 8 * HOUR, ...waiting.map(({ at }) => Date.parse(at))) + moreMs;
        const shown = shownDuty(WORD, waiting, nowMs);
        expect(readDutyLog(shown.dutyLog).ok).toBe(true);
        expect(clocksAt(shown, nowMs).isCounted).toBe(true);
        for (const day of shown.days) {
          const sum = Object.values(day.totals).reduce((a, b) => a + b, 0);
          expect(Math.round(sum)).toBe(Math.round((Date.parse(day.through) - Date.parse(day.from)) / 1000));
        }
      }),
    );
  });
});
