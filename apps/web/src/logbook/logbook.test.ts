import type { BoardRow, LogDay } from '@milepost/contract';
import fc from 'fast-check';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, describe, expect, it } from 'vitest';
import { i18n, startI18n } from '../base/i18n.ts';
import { clockFigure } from '../format/duration.ts';
import texts from '../locales/en-US/logbook.json';
import { ClockFigure } from './ClockFigure.tsx';
import { clocksAt, tightest } from './clocks.ts';
import { homeHour, homeOffset, homeTime, homeWhen, momentInSentence } from './home-time.ts';
import { LogGraph } from './LogGraph.tsx';
import { LogTable } from './LogTable.tsx';
import { hoursOf, LINES, lineOf, pathOf, quartersOf, spansOf } from './log-shape.ts';

beforeAll(async () => {
  await startI18n();
  i18n.addResourceBundle('en-US', 'logbook', texts);
});

const HOUR_S = 3600;
const clock = (limitH: number, leftS: number) => ({ limitS: limitH * HOUR_S, leftS });
const row = (status: BoardRow['status']): Pick<BoardRow, 'status' | 'at' | 'clocks' | 'exempt'> => ({
  status,
  exempt: null,
  at: '2026-11-19T18:00:00Z',
  clocks: {
    drive: clock(11, 4 * HOUR_S),
    window: clock(14, 5 * HOUR_S),
    onDuty: null,
    break: clock(8, 1500),
    cycle: clock(70, 18 * HOUR_S),
  },
});
const AT = Date.parse('2026-11-19T18:00:00Z');

describe('the clocks of a board row', () => {
  it('all run while driving, none below zero', () => {
    const later = clocksAt(row('D'), AT + 1_800_000);
    expect(later.drive.leftS).toBe(3.5 * HOUR_S);
    expect(later.window.leftS).toBe(4.5 * HOUR_S);
    expect(later.break?.leftS).toBe(0);
    expect(later.cycle.leftS).toBe(17.5 * HOUR_S);
  });

  it('only shift and cycle run in other work, and none at rest', () => {
    const working = clocksAt(row('YM'), AT + 600_000);
    expect(working.drive.leftS).toBe(4 * HOUR_S);
    expect(working.break?.leftS).toBe(1500);
    expect(working.window.leftS).toBe(5 * HOUR_S - 600);
    expect(clocksAt(row('SB'), AT + 600_000)).toEqual(row('SB').clocks);
    expect(clocksAt({ ...row('D'), exempt: 'agriculture' }, AT + 600_000)).toEqual(row('D').clocks);
  });

  it('never give time back, and a clock before its moment is not wound up', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('OFF', 'SB', 'D', 'ON', 'PC', 'YM'),
        fc.integer({ min: -HOUR_S, max: 24 * HOUR_S }),
        fc.nat(HOUR_S),
        (status, passedS, moreS) => {
          const now = clocksAt(row(status), AT + passedS * 1000);
          const then = clocksAt(row(status), AT + (passedS + moreS) * 1000);
          for (const name of ['drive', 'window', 'cycle'] as const) {
            expect(then[name].leftS).toBeLessThanOrEqual(now[name].leftS);
            expect(now[name].leftS).toBeLessThanOrEqual(row(status).clocks[name].leftS);
          }
        },
      ),
    );
  });

  it('say which is the tightest, and round minutes down', () => {
    expect(tightest(row('D').clocks)).toEqual({ name: 'break', leftS: 1500 });
    expect([0, 59, 60, 15_059, 252_000].map(clockFigure)).toEqual(['0:00', '0:00', '0:01', '4:10', '70:00']);
  });

  it('are read out in words, and their bar is not', () => {
    const html = renderToStaticMarkup(
      createElement(ClockFigure, { name: 'drive', leftS: 15_000, limitS: 11 * HOUR_S }),
    );
    expect(html).toContain('Drive left 4 hours 10 minutes');
    expect(html).toMatch(/data-urgency="enough"[^>]*aria-hidden="true"|aria-hidden="true"[^>]*data-urgency="enough"/);
  });
});

const ZONE = 'America/Chicago';
const dayOf = (from: string, to: string, segments: LogDay['segments']) => ({
  date: '2026-11-01',
  from,
  to,
  timeZone: ZONE,
  through: to,
  segments,
  totals: { OFF: 6 * HOUR_S, SB: 0, D: 18 * HOUR_S, ON: HOUR_S },
  violations: [{ from: '2026-11-01T20:00:00Z', to: '2026-11-01T21:00:00Z' }],
});
const LONG_DAY = dayOf('2026-11-01T05:00:00Z', '2026-11-02T06:00:00Z', [
  { status: 'OFF', from: '2026-11-01T03:00:00Z', to: '2026-11-01T11:00:00Z', record: null },
  { status: 'YM', from: '2026-11-01T11:00:00Z', to: '2026-11-01T12:00:00Z', record: 'a' },
  { status: 'D', from: '2026-11-01T12:00:00Z', to: '2026-11-02T06:00:00Z', record: 'b' },
]);

describe('the graph of a day', () => {
  it('has 25 hours where clocks go back, one of them twice, and 23 where they go forward', () => {
    const hourIn = (ms: number) => homeHour(ms, ZONE);
    const long = hoursOf(Date.parse(LONG_DAY.from), Date.parse(LONG_DAY.to), hourIn).map(({ hour }) => hour);
    expect(long).toHaveLength(26);
    expect(long.slice(0, 4)).toEqual([0, 1, 1, 2]);
    const short = hoursOf(Date.parse('2026-03-08T06:00:00Z'), Date.parse('2026-03-09T05:00:00Z'), hourIn);
    expect(short.map(({ hour }) => hour).slice(0, 4)).toEqual([0, 1, 3, 4]);
    expect(short).toHaveLength(24);
    expect(quartersOf(0, 23 * 3_600_000)).toHaveLength(69);
  });

  it('begins where the day does, and draws indications on their lines', () => {
    const spans = spansOf(LONG_DAY);
    expect(spans[0]?.fromMs).toBe(Date.parse(LONG_DAY.from));
    expect(spans.map(({ status }) => lineOf(status))).toEqual(['OFF', 'ON', 'D']);
    const path = pathOf(
      spans,
      ms => (ms - Date.parse(LONG_DAY.from)) / 3_600_000,
      line => LINES.indexOf(line),
    );
    expect(path).toBe('M0.0 0.0H6.0V3.0H7.0V2.0H25.0');
  });

  it('leaves a gap where nothing was recorded', () => {
    const spans = spansOf(
      dayOf('2026-11-03T06:00:00Z', '2026-11-04T06:00:00Z', [
        { status: 'D', from: '2026-11-03T08:00:00Z', to: '2026-11-03T09:00:00Z', record: null },
        { status: 'ON', from: '2026-11-03T10:00:00Z', to: '2026-11-03T11:00:00Z', record: null },
      ]),
    );
    expect(
      pathOf(
        spans,
        ms => ms / 3_600_000,
        () => 1,
      ).match(/M/g),
    ).toHaveLength(2);
  });

  it('says its totals in one sentence, and a table has every segment as a row', () => {
    const graph = renderToStaticMarkup(createElement(LogGraph, { day: LONG_DAY, chosen: 2, onChoose: () => {} }));
    expect(graph).toContain('Off duty 6:00');
    expect(graph).toContain('Driving 18:00');
    expect(graph).toContain(`Driving, 06:00 to 00:00`);
    expect(graph).toContain('>YM<');
    const table = renderToStaticMarkup(createElement(LogTable, { day: LONG_DAY }));
    expect(table.match(/<tr/g)).toHaveLength(4);
    expect(table).toContain('Yard move');
    expect(homeTime(Date.parse('2026-11-01T12:00:00Z'), ZONE)).toBe('06:00');
  });

  it('[R2.14] a time on the desk is the home terminal’s, and names its zone if the viewer’s clock shows another', () => {
    const ms = Date.parse('2026-11-26T11:10:00Z');
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(homeWhen(ms, ms, 'Pacific/Kiritimati')).toBe('01:10 GMT+14');
    expect(homeWhen(ms, ms - 12 * 3_600_000, 'Pacific/Kiritimati')).toBe('Fri, Nov 27 01:10 GMT+14');
    expect(homeWhen(ms, ms, here)).toMatch(/^\d\d:\d\d$/);
  });

  it('says how far the terminal is from UTC, summer and winter, and does not break in a sentence', () => {
    const [winter, summer] = [Date.parse('2026-11-26T11:10:00Z'), Date.parse('2026-07-01T11:10:00Z')];
    expect([homeOffset(winter, ZONE), homeOffset(summer, ZONE)]).toEqual(['UTC−06:00', 'UTC−05:00']);
    expect(homeOffset(winter, 'America/St_Johns')).toBe('UTC−03:30');
    expect(momentInSentence(winter, ZONE)).toBe('Thu,\u00a0Nov\u00a026\u00a005:10');
  });
});
