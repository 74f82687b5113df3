import { degrees, epochMs, fromKilometresPerHour, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubtsOf } from './doubts.ts';
import { FIX_DOUBTS, type ReportedFix } from './fix.ts';
import { fixAt } from './testing/drive.ts';

const DAY_MS = 86_400_000;
const before = fixAt(0, 50);
const judge = (fix: ReportedFix, receivedAt: number = fix.time) => doubtsOf(before, fix, epochMs(receivedAt));

describe('doubts', () => {
  it('has none about an ordinary fix, a first one, or a repetition', () => {
    expect(judge(fixAt(10, 50, { eastM: 140 }))).toEqual([]);
    expect(doubtsOf(null, fixAt(10, 50, { eastM: 9e6 }), epochMs(fixAt(10, 50).time))).toEqual([]);
    expect(judge(before)).toEqual([]);
  });

  it('out-of-range: latitude or longitude is not on Earth', () => {
    for (const [lat, lon] of [
      [90.0001, 0],
      [0, -180.1],
      [Number.NaN, 5],
      [5, Number.POSITIVE_INFINITY],
    ] as const) {
      expect(judge(fixAt(10, 50, { lat: degrees(lat), lon: degrees(lon) }))).toEqual(['out-of-range']);
    }
  });

  it('null-island: what a receiver without a fix sends; not the coast of the same parallel', () => {
    expect(judge(fixAt(10, 0, { lat: degrees(0), lon: degrees(0) }))).toEqual(['null-island']);
    expect(judge(fixAt(10, 0, { lat: degrees(-0.009), lon: degrees(0.009) }))).toEqual(['null-island']);
    const libreville = { lat: degrees(0.0), lon: degrees(9.45) };
    expect(doubtsOf(null, fixAt(10, 0, libreville), fixAt(10, 0).time)).toEqual([]);
  });

  it('impossible-time: later than its reception, or earlier by a GPS week rollover', () => {
    const fix = fixAt(10, 0);
    expect(judge(fix, fix.time - 10 * 60_000)).toEqual([]);
    expect(judge(fix, fix.time - 10 * 60_000 - 1)).toEqual(['impossible-time']);
    expect(judge(fix, fix.time + 14 * 365 * DAY_MS)).toEqual([]);
    expect(judge(fix, fix.time + 1024 * 7 * DAY_MS)).toEqual(['impossible-time']);
    expect(judge({ ...fix, time: epochMs(Number.NaN) }, fix.time)).toEqual(['impossible-time']);
  });

  it('impossible-speed: more than 360 km/h since the last reliable place, with 200 m for scatter', () => {
    expect(judge(fixAt(10, 50, { eastM: 1190 }))).toEqual([]);
    expect(judge(fixAt(10, 50, { eastM: 1210 }))).toEqual(['impossible-speed']);
    expect(judge(fixAt(1, 0, { eastM: 250 }))).toEqual([]);
    expect(judge(fixAt(10, 0, { speed: fromKilometresPerHour(361) }))).toEqual(['impossible-speed']);
    expect(judge(fixAt(10, 0, { speed: metresPerSecond(-1) }))).toEqual(['impossible-speed']);
  });

  it('judges a late fix by the same distance in the other direction', () => {
    expect(judge(fixAt(-10, 50, { eastM: -1190 }))).toEqual([]);
    expect(judge(fixAt(-10, 50, { eastM: -1210 }))).toEqual(['impossible-speed']);
  });

  it('does not compare the place of a fix that the tracker marks invalid', () => {
    expect(judge(fixAt(10, 0, { eastM: 9e5, valid: false }))).toEqual([]);
  });

  it('[I3] never throws, and returns only known doubts', () => {
    const number = fc.oneof(fc.double(), fc.constantFrom(0, -0, 90, -180, 1e308));
    fc.assert(
      fc.property(number, number, number, number, fc.boolean(), (lat, lon, time, speed, valid) => {
        const fix = { ...before, lat: degrees(lat), lon: degrees(lon), time: epochMs(time), valid };
        const doubts = doubtsOf(before, { ...fix, speed: metresPerSecond(speed) }, before.time);
        expect(doubts.every(doubt => FIX_DOUBTS.includes(doubt))).toBe(true);
        expect(new Set(doubts).size).toBe(doubts.length);
      }),
    );
  });
});
