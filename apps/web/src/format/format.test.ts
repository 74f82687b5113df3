import { celsius, fromKilometresPerHour, fromMiles, metres } from '@milepost/units';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { formatDateOf, isoDateOf } from './date.ts';
import { formatAge, formatDuration, formatTotal, isWorthSaying, spokenAge } from './duration.ts';
import { setFormatTimeZone } from './locale.ts';
import {
  distanceFigure,
  heightFigure,
  joined,
  lengthFigure,
  METRIC,
  measureSystemOf,
  odometerFigure,
  speedFigure,
  temperatureFigure,
  US,
  wholeDistanceFigure,
} from './measure.ts';
import { compassPoint, formatCoordinates, spokenCourse } from './place.ts';
import {
  endOfDay,
  formatClock,
  formatDay,
  formatDayIn,
  formatMoment,
  formatTime,
  hourOfDay,
  midnightOf,
  momentOf,
  startOfDay,
  wallClock,
} from './time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

it('a stay whose start nobody knows has no duration until there is one to speak of', () => {
  expect([0, 59_999, 60_000].map(ms => isWorthSaying(true, ms))).toEqual([false, false, true]);
  expect(isWorthSaying(false, 0)).toBe(true);
});

describe('measures', () => {
  it.each([
    ['en-US', US],
    ['es-US', US],
    ['en', US],
    ['de-DE', METRIC],
    ['es-UY', METRIC],
    ['en-CA', METRIC],
  ] as const)('%s reads %o', (language, system) => {
    expect(measureSystemOf(language)).toBe(system);
  });

  it('shows speed, distance, height and temperature in the reader’s units', () => {
    const speed = fromKilometresPerHour(103);
    expect(joined(speedFigure(speed, US))).toBe('64\u202fmph');
    expect(joined(speedFigure(speed, METRIC))).toBe('103\u202fkm/h');
    expect(joined(distanceFigure(fromMiles(312.4), US))).toBe('312\u202fmi');
    expect(joined(distanceFigure(metres(1234), METRIC))).toBe('1.2\u202fkm');
    expect(joined(distanceFigure(metres(9960), METRIC))).toBe('10\u202fkm');
    // A day without driving, and a record of an engine that has just started.
    expect(joined(wholeDistanceFigure(metres(0), US))).toBe('0\u202fmi');
    expect(joined(wholeDistanceFigure(fromMiles(442.6), US))).toBe('443\u202fmi');
    expect(joined(odometerFigure(673_141.42, US))).toBe('418,270.7\u202fmi');
    expect(joined(temperatureFigure(celsius(-18), US))).toBe('-0.4\u202f°F');
    expect(joined(lengthFigure(metres(150), US))).toBe('492\u202fft');
    expect(joined(lengthFigure(metres(400), US))).toBe('0.2\u202fmi');
    expect(joined(lengthFigure(metres(400), METRIC))).toBe('400\u202fm');
    expect(joined(lengthFigure(metres(1400), METRIC))).toBe('1.4\u202fkm');
    expect(joined(heightFigure(metres(182), US))).toBe('597\u202fft');
  });
});

describe('durations and ages', () => {
  it.each([
    [-500, '0 s'],
    [2 * SECOND, '2 s'],
    [59_999, '59 s'],
    [23 * MINUTE, '23 m'],
    [5 * HOUR + 59 * MINUTE, '5 h'],
    [47 * HOUR, '47 h'],
    [2 * DAY, '2 d'],
  ])('an age of %d ms is %s', (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });

  it.each([
    [45 * SECOND, '45 s'],
    [18 * MINUTE, '18 m'],
    [2 * HOUR + MINUTE, '2 h 01 m'],
    [3 * DAY + 4 * HOUR, '3 d 4 h'],
  ])('a duration of %d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });

  it('a sum of time has no seconds', () => {
    expect([0, 59_999, 18 * MINUTE, 26 * HOUR].map(formatTotal)).toEqual(['0 m', '0 m', '18 m', '26 h 00 m']);
  });

  it('says ages in words, one of a kind in the singular', () => {
    expect([2 * SECOND, MINUTE, 3 * HOUR, 4 * DAY].map(spokenAge)).toEqual([
      '2 seconds',
      '1 minute',
      '3 hours',
      '4 days',
    ]);
  });

  it('an age never reads younger than a smaller one', () => {
    const inSeconds = (text: string) => {
      const [count, unit] = text.split(' ');
      return Number(count) * { s: 1, m: 60, h: 3600, d: 86_400 }[unit as 's' | 'm' | 'h' | 'd'];
    };
    fc.assert(
      fc.property(fc.nat(20 * DAY), fc.nat(20 * DAY), (a, b) => {
        const [younger, older] = a < b ? [a, b] : [b, a];
        expect(inSeconds(formatAge(younger))).toBeLessThanOrEqual(inSeconds(formatAge(older)));
      }),
    );
  });
});

describe('times of day', () => {
  const moment = new Date(2026, 10, 19, 14, 2, 11).getTime();

  it('are in 24 hours, with the day where it is another', () => {
    expect(formatTime(moment)).toBe('14:02');
    expect(formatClock(moment)).toBe('14:02:11');
    expect(formatTime(startOfDay(moment))).toBe('00:00');
    expect(formatDay(moment)).toBe('Thu, Nov 19');
    expect(formatDateOf(moment)).toBe('Nov 19, 2026');
    expect(formatMoment(moment, moment + HOUR)).toBe('14:02');
    expect(formatMoment(moment, moment + DAY)).toBe('Thu, Nov 19 14:02');
  });

  it('a day holds its own midnight and not the next', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), ms => {
        expect(startOfDay(ms)).toBeLessThanOrEqual(ms);
        expect(endOfDay(ms)).toBeGreaterThan(ms);
        expect(startOfDay(endOfDay(ms))).toBe(endOfDay(ms));
      }),
    );
  });
});

describe('places', () => {
  it.each([
    [0, 'N'],
    [22, 'NNE'],
    [359, 'N'],
    [-90, 'W'],
    [180, 'S'],
    [720, 'N'],
  ])('a course of %d° is %s', (course, point) => {
    expect(compassPoint(course)).toBe(point);
  });

  it('speaks eight directions and writes coordinates to the metre', () => {
    expect(spokenCourse(350)).toBe('north');
    expect(spokenCourse(50)).toBe('north-east');
    expect(formatCoordinates(41.878113, -87.629799)).toBe('41.87811, -87.62980');
  });
});

describe('another zone than the device’s', () => {
  it('writes a moment into a field for day and time, and reads it back', () => {
    setFormatTimeZone('America/Chicago');
    expect(wallClock(Date.parse('2026-07-01T14:02:30Z'))).toBe('2026-07-01T09:02');
    expect(momentOf('2026-12-01T09:02')).toBe(Date.parse('2026-12-01T15:02:00Z'));
    for (const text of ['', '2026-13-01T00:00', 'tomorrow']) expect(momentOf(text)).toBeNull();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e9 }), minutes => {
        const ms = minutes * 1000 - ((minutes * 1000) % 60_000);
        // When clocks go back, one hour occurs twice. Either of the two moments is right.
        expect(Math.abs((momentOf(wallClock(ms)) ?? 0) - ms) % HOUR).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  const ZONES = ['America/Chicago', 'Europe/Paris', 'Asia/Kathmandu', 'Pacific/Apia', 'America/Sao_Paulo', 'UTC'];
  afterEach(() => setFormatTimeZone(undefined));

  it('knows the days of another zone too, and names it where its clocks differ', () => {
    setFormatTimeZone('Asia/Kathmandu');
    const late = Date.parse('2026-11-23T02:00:00Z');
    expect(isoDateOf(late)).toBe('2026-11-23');
    expect(isoDateOf(late, 'America/Chicago')).toBe('2026-11-22');
    expect(new Date(startOfDay(late, 'America/Chicago')).toISOString()).toBe('2026-11-22T06:00:00.000Z');
    expect(new Date(endOfDay(late, 'America/Chicago')).toISOString()).toBe('2026-11-23T06:00:00.000Z');
    expect(formatDayIn(late, 'America/Chicago')).toBe('Sun, Nov 22 (CST)');
    setFormatTimeZone('America/Winnipeg');
    expect(formatDayIn(late, 'America/Chicago')).toBe('Sun, Nov 22');
  });

  it('has its own midnight, also where a day has 23 or 25 hours', () => {
    setFormatTimeZone('America/Chicago');
    const noon = Date.parse('2026-03-08T18:00:00Z');
    expect(new Date(startOfDay(noon)).toISOString()).toBe('2026-03-08T06:00:00.000Z');
    expect((endOfDay(noon) - startOfDay(noon)) / HOUR).toBe(23);
    const autumn = Date.parse('2026-11-01T18:00:00Z');
    expect((endOfDay(autumn) - startOfDay(autumn)) / HOUR).toBe(25);
    expect(formatTime(startOfDay(autumn))).toBe('00:00');
    setFormatTimeZone('Asia/Kathmandu');
    expect(formatMoment(Date.parse('2026-11-19T20:00:00Z'), Date.parse('2026-11-19T10:00:00Z'))).toBe(
      'Fri, Nov 20 01:45',
    );
  });

  it('has its own hours, also on a day on which the clocks change', () => {
    const hours = (day: string) => [0, 6, 12, 18].map(hour => new Date(hourOfDay(midnightOf(day), hour)).toISOString());
    setFormatTimeZone('America/Chicago');
    expect(hours('2026-11-01').map(iso => iso.slice(11, 16))).toEqual(['05:00', '12:00', '18:00', '00:00']);
    expect(hours('2026-03-08').map(iso => iso.slice(11, 16))).toEqual(['06:00', '11:00', '17:00', '23:00']);
    setFormatTimeZone('Pacific/Auckland');
    expect(hours('2026-11-19')[1]).toBe('2026-11-18T17:00:00.000Z');
  });

  it('every moment lies in its day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_500_000_000_000 }), fc.constantFrom(...ZONES), (ms, zone) => {
        setFormatTimeZone(zone);
        expect(startOfDay(ms)).toBeLessThanOrEqual(ms);
        expect(endOfDay(ms)).toBeGreaterThan(ms);
        expect(isoDateOf(startOfDay(ms))).toBe(isoDateOf(ms));
        expect(isoDateOf(startOfDay(ms) - 1) < isoDateOf(ms)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
