import { logDaySchema } from '@milepost/contract';
import { DUTY_CODES, DUTY_STATES, INDICATION_CODES, type LogRecord, openLog } from '@milepost/eld';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RandomRecordLog, randomRecordLog } from '../../../../testing/random-record-log.ts';
import { viewLog } from '../../../logs/log-view.ts';
import { readLogOf } from '../../../logs/read-board-logs.ts';
import { boardLogOf, boardRowOf } from '../board/board-row.ts';
import { drivesIn } from './drives.ts';
import { datesOf, logDayOf } from './log-day.ts';
import { shownClocks } from './shown.ts';

const MINUTE = 60_000;
const TERMS = { ruleSet: 'US_PROPERTY_70_8', declarations: [] } as const;
const viewOf = ({ log, now }: RandomRecordLog) => viewLog(log, TERMS, now);
const nobody = () => null;
const ALL = { from: '2026-01-01', to: '2026-12-31' };

/** The status of a moment, read from the records alone: the last change before it, and the indication since. */
function statusAt({ log }: RandomRecordLog, moment: number): string {
  const active = log
    .records()
    .filter(({ status, event: { type, at } }) => status === 'active' && (type === 1 || type === 3) && at <= moment)
    .map(({ event }, i) => ({ event, i }))
    .sort((a, b) => a.event.at - b.event.at || a.i - b.i);
  let state = '';
  let indication = 0;
  for (const at of [...new Set(active.map(({ event }) => event.at))]) {
    const here = active.filter(({ event }) => event.at === at);
    const duty = here.findLast(({ event }) => event.type === 1);
    if (duty) state = DUTY_STATES.find(name => DUTY_CODES[name] === duty.event.code) ?? state;
    indication = here.findLast(({ event }) => event.type === 3)?.event.code ?? indication;
    if (state === '' && here.some(({ event }) => event.type === 3 && event.code === 1)) state = 'OFF';
    if (state === '') continue;
    const isPersonal = state === 'OFF' && indication === INDICATION_CODES['personal-use'];
    const isYard = state === 'ON' && indication === INDICATION_CODES['yard-move'];
    if (!isPersonal && !isYard) indication = 0;
  }
  if (state === 'OFF' && indication === 1) return 'PC';
  if (state === 'ON' && indication === 2) return 'YM';
  return state || 'OFF';
}

describe('[R2.14] the vehicles of a day', () => {
  const record = (device: string, at: number, event: object = {}): LogRecord =>
    ({ device, status: 'active', event: { type: 1, code: 3, at, ...event } }) as LogRecord;

  it('are each there from its first record until the driver signs out or is in another', () => {
    const records = [
      record('vehicle:7', 100),
      record('vehicle:7', 900),
      record('vehicle:8', 2000),
      record('vehicle:8', 3000, { type: 5, code: 2 }),
      record('vehicle:7', 5000),
      record('vehicle:9', 6000, {}),
    ];
    expect(drivesIn(records, 1000, 5500)).toEqual([
      { deviceId: '7', from: '1970-01-01T00:00:01.000Z', to: '1970-01-01T00:00:02.000Z' },
      { deviceId: '8', from: '1970-01-01T00:00:02.000Z', to: '1970-01-01T00:00:03.000Z' },
      { deviceId: '7', from: '1970-01-01T00:00:05.000Z', to: '1970-01-01T00:00:05.500Z' },
    ]);
  });

  it('meet in order within the day, for any log', () => {
    fc.assert(
      fc.property(randomRecordLog, random => {
        const view = viewOf(random);
        for (const date of datesOf(view, ALL)) {
          const { drives, from, through } = logDayOf(view, 12, date, nobody);
          const times = drives.flatMap(drive => [drive.from, drive.to]);
          expect([from, ...times, through]).toEqual([from, ...times, through].toSorted());
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('[R2.14] a day of a log', () => {
  it('has segments that meet, and totals that add up to the day, of 23, 24 or 25 hours', () => {
    const lengths = new Set<number>();
    fc.assert(
      fc.property(randomRecordLog, random => {
        const view = viewOf(random);
        for (const date of datesOf(view, ALL)) {
          const day = logDayOf(view, 12, date, nobody);
          expect(logDaySchema.safeParse(day).error).toBeUndefined();
          const [from, to, through] = [day.from, day.to, day.through].map(at => Date.parse(at)) as [
            number,
            number,
            number,
          ];
          if (through === to) lengths.add((to - from) / 3_600_000);
          const sum = Object.values(day.totals).reduce((total, part) => total + part, 0);
          expect(sum * 1000).toBe(through - from);
          if (through > from) {
            expect(day.segments[0]?.from).toBe(day.from);
            expect(day.segments.at(-1)?.to).toBe(day.through);
          }
          for (const [i, segment] of day.segments.entries()) {
            expect(Date.parse(segment.to)).toBeGreaterThan(Date.parse(segment.from));
            if (i > 0) expect(segment.from).toBe(day.segments[i - 1]?.to);
          }
        }
      }),
    );
    expect([...lengths].sort()).toEqual([23, 24, 25]);
  });

  it('shows in every minute what the records of that minute say', () => {
    fc.assert(
      fc.property(randomRecordLog, random => {
        const view = viewOf(random);
        for (const date of datesOf(view, ALL)) {
          const { from, segments } = logDayOf(view, 12, date, nobody);
          for (const segment of segments) {
            const last = Date.parse(segment.to) - MINUTE;
            for (let at = Date.parse(segment.from); at <= last; at += 37 * MINUTE) {
              expect([from, at, segment.status]).toEqual([from, at, statusAt(random, at)]);
            }
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('finds what a form and manner check finds', () => {
    fc.assert(
      fc.property(randomRecordLog, random => {
        const view = viewOf(random);
        const toCertify = new Set(random.log.daysToCertify(random.now));
        for (const date of datesOf(view, ALL)) {
          const { formErrors, certification } = logDayOf(view, 12, date, nobody);
          const codes = formErrors.map(({ code }) => code);
          const isWanted = codes.includes('not-certified') || codes.includes('changed-since');
          expect([date, isWanted]).toEqual([date, toCertify.has(date)]);
          if (codes.includes('changed-since')) expect(certification.count).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('takes the time before the log as rest, and says so', () => {
    const at = Date.parse('2026-02-03T14:00:00Z');
    const empty = openLog({ log: 'driver:12', home: { timeZone: 'America/Chicago', startOfDay: 0 } });
    const day = logDayOf(viewLog(empty, TERMS, at), 12, '2026-02-03', nobody);
    expect(day.segments).toEqual([
      { status: 'OFF', from: '2026-02-03T06:00:00.000Z', to: '2026-02-03T14:00:00.000Z', record: null },
    ]);
    expect(day.formErrors.map(({ code }) => code)).toEqual(['starts-later']);
  });
});

describe('[R2.14] a row of the board', () => {
  it('has the clocks that the whole log gives, at any later moment', () => {
    fc.assert(
      fc.property(randomRecordLog, fc.integer({ min: 0, max: 3000 }), (random, later) => {
        const board = boardLogOf(readLogOf(viewOf(random)));
        const now = random.now + later * MINUTE;
        const facts = {
          driverId: '12',
          name: 'Ann',
          departmentId: null,
          vehicle: null,
          certificationAskedAt: null,
          faults: [],
          standing: null,
          here: null,
        };
        const row = boardRowOf(board, { ...facts, reportAt: null, syncAt: null }, now);
        const view = viewLog(random.log, TERMS, now);
        expect(row.clocks).toEqual(shownClocks(view.evaluation.clocks));
        expect(row.status).toBe(view.segments.at(-1)?.status ?? 'OFF');
        if (view.segments.length === 0) return;
        const days = datesOf(view, ALL).slice(-15, -1);
        const wanting = new Set(random.log.daysToCertify(now));
        expect(row.uncertifiedDays).toBe(days.filter(date => wanting.has(date)).length);
        const today = logDayOf(view, 12, datesOf(view, ALL).at(-1) ?? '', nobody);
        expect(row.violations.map(({ rule, from }) => [rule, from])).toEqual(
          today.violations.map(({ rule, from }) => [rule, from]),
        );
      }),
    );
  });
});
