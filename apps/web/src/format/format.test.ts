import { celsius, fromKilometresPerHour, fromMiles, metres } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatClock } from './clock.ts';
import { formatAge, formatDuration, formatTotal, spokenAge } from './duration.ts';
import {
  distanceFigure,
  heightFigure,
  joined,
  measureSystemOf,
  odometerFigure,
  speedFigure,
  temperatureFigure,
} from './measure.ts';
import { compassPoint, formatCoordinates, spokenCourse } from './place.ts';
import { endOfDay, formatDay, formatMoment, formatTime, startOfDay } from './time.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('measures', () => {
  it.each([
    ['en-US', 'us'],
    ['es-US', 'us'],
    ['en', 'us'],
    ['de-DE', 'metric'],
    ['es-UY', 'metric'],
    ['en-CA', 'metric'],
  ] as const)('%s reads %s units', (language, system) => {
    expect(measureSystemOf(language)).toBe(system);
  });

  it('shows speed, distance, height and temperature in the reader’s units', () => {
    const speed = fromKilometresPerHour(103);
    expect(joined(speedFigure(speed, 'us'))).toBe('64\u202fmph');
    expect(joined(speedFigure(speed, 'metric'))).toBe('103\u202fkm/h');
    expect(joined(distanceFigure(fromMiles(312.4), 'us'))).toBe('312\u202fmi');
    expect(joined(distanceFigure(metres(1234), 'metric'))).toBe('1.2\u202fkm');
    expect(joined(distanceFigure(metres(9960), 'metric'))).toBe('10\u202fkm');
    expect(joined(odometerFigure(673_141.42, 'us'))).toBe('418,270.7\u202fmi');
    expect(joined(temperatureFigure(celsius(-18), 'us'))).toBe('-0.4\u202f°F');
    expect(joined(heightFigure(metres(182), 'us'))).toBe('597\u202fft');
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
    expect(formatDay(moment)).toBe('Thu 19 Nov');
    expect(formatMoment(moment, moment + HOUR)).toBe('14:02');
    expect(formatMoment(moment, moment + DAY)).toBe('Thu 19 Nov 14:02');
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
