import { type EpochMs, epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import type { Evaluation } from './evaluation.ts';
import { readDutyLog } from './read-duty-log.ts';
import { ruleSets, withoutTrust } from './rule-sets.ts';
import { type Example, readExample } from './testing/example.ts';
import { toLocalIso, zoneNamed } from './zone.ts';

function evaluated(
  example: Omit<Example, 'title'>,
  ruleSet = ruleSets[example.ruleSet ?? 'US_PROPERTY_70_8'],
): Evaluation {
  const { raw, asOf } = readExample({ title: '', ...example });
  const log = readDutyLog(raw);
  if (!log.ok) throw new Error(JSON.stringify(log.errors));
  return evaluate(log.value, ruleSet, epochMs(asOf));
}

/** `02 20:30`: day of the month and wall clock in Chicago. */
const when = (instant: EpochMs | null): string | null => {
  const zone = zoneNamed('America/Chicago');
  return instant === null || zone === null ? null : toLocalIso(instant, zone).slice(8, 16).replace('T', ' ');
};
const hours = (milliseconds: number): number => milliseconds / 3_600_000;

describe('what comes next', () => {
  it('is the first limit that the driver would reach by driving on', () => {
    const { next } = evaluated({ log: 'd1 06:00-07:00 ON; 07:00-11:00 D' });
    expect([when(next.mustStopBy), next.binds, hours(next.driving)]).toEqual(['02 15:00', 'break', 4]);
    expect(next.mayDriveAgainAt).toBeNull();
  });

  it('is the end of the break or rest, or earlier in the sleeper berth when that completes a split', () => {
    const broken = evaluated({ log: 'd1 06:00-14:00 D; 14:00-14:10 ON' });
    expect([broken.next.binds, when(broken.next.mayDriveAgainAt)]).toEqual(['break', '02 14:30']);
    const late = evaluated({ log: 'd1 06:00-12:00 D; 12:00-15:00 OFF; 15:00-20:00 D; 20:00-20:30 ON' });
    expect(late.next.binds).toBe('window');
    expect(when(late.next.mayDriveAgainAt)).toBe('03 06:30');
    expect(when(late.next.mayDriveAgainAtInSleeper)).toBe('03 03:30');
  });

  it('counts the current rest', () =>
    expect(when(evaluated({ log: 'd1 06:00-17:00 D; 17:00-d2 01:00 SB' }).next.mayDriveAgainAt)).toBe('03 03:00'));

  it('resets Canada’s daily limits at midnight, not the shift’s', () => {
    const { next } = evaluated({
      ruleSet: 'CA_SOUTH_CYCLE1_70_7',
      log: 'd1 00:00-07:00 D; 07:00-15:00 OFF; 15:00-20:00 D',
    });
    // One hour is left today; the shift would allow eight.
    expect([hours(next.driving), next.binds, when(next.mustStopBy)]).toEqual([1, 'drive', '02 21:00']);
    const tomorrow = evaluated({
      ruleSet: 'CA_SOUTH_CYCLE1_70_7',
      log: 'd1 00:00-07:00 D; 07:00-15:00 OFF; 15:00-21:00 D; 21:00-23:00 OFF',
    });
    expect([when(tomorrow.next.mayDriveAgainAt), tomorrow.next.binds]).toEqual(['03 00:00', 'drive']);
  });

  it('continues the last status until another begins', () => {
    const { status, clocks, violations } = evaluated({ log: 'd1 06:00-07:00 D', asOf: 'd1 18:00' });
    expect([status, hours(clocks.drive.used)]).toEqual(['D', 12]);
    expect(violations.map(({ rule }) => rule)).toEqual(['US_30MIN', 'US_11H']);
  });

  it('has full clocks before the log', () => {
    const { status, clocks } = evaluated({ log: 'd5 06:00-07:00 D', asOf: 'd1 00:00', withoutPast: true });
    expect([status, hours(clocks.drive.remaining), hours(clocks.cycle.remaining)]).toEqual([null, 11, 70]);
  });
});

describe('the recap', () => {
  const log = [1, 2, 3, 4, 5, 6, 7, 8].map(day => `d${day} 08:00-16:00 ON; 16:00-d${day + 1} 08:00 OFF`).join('; ');

  it('lists the days, and the hours that come back tomorrow', () => {
    const { recap, clocks } = evaluated({ log, asOf: 'd8 20:00' });
    expect(recap.days.map(({ date, onDuty }) => `${date} ${hours(onDuty)}`)).toEqual([
      '2026-02-02 8',
      '2026-02-03 8',
      '2026-02-04 8',
      '2026-02-05 8',
      '2026-02-06 8',
      '2026-02-07 8',
      '2026-02-08 8',
      '2026-02-09 8',
    ]);
    expect(hours(clocks.cycle.remaining)).toBe(6);
    expect(hours(recap.gainedTomorrow)).toBe(8);
    expect(hours(recap.remainingTomorrow)).toBe(14);
    expect(when(recap.nextDayStart)).toBe('10 00:00');
    expect(when(recap.restartAt)).toBe('11 02:00');
  });

  it('counts nothing from before a restart, and recognizes one that completes tomorrow', () => {
    const { recap } = evaluated({ log: 'd1 06:00-16:00 ON; 16:00-d3 04:00 OFF; 04:00-05:00 ON' });
    expect(recap.days.map(({ counted }) => hours(counted)).filter(counted => counted > 0)).toEqual([1]);
    expect(when(recap.restartedAt)).toBe('04 04:00');
    const resting = evaluated({ log: 'd1 06:00-14:00 ON; 14:00-d2 23:00 OFF' }).recap;
    expect([hours(resting.gainedTomorrow), hours(resting.remainingTomorrow)]).toEqual([8, 70]);
  });
});

describe('the evidence of a violation', () => {
  it('is the log from the calculation point on, and the excluded rests', () => {
    const { violations } = evaluated({
      log: 'd1 00:00-01:00 ON; 01:00-07:00 D; 07:00-08:00 OFF; 08:00-12:00 D; 12:00-14:00 ON; 14:00-21:00 SB; 21:00-d2 00:00 D; 00:00-03:00 SB',
    });
    const [window, drive] = violations;
    expect(window).toMatchObject({ rule: 'US_14H', clause: '49 CFR 395.3(a)(2)', severity: 'violation' });
    expect([when(window?.start ?? null), when(window?.end ?? null), hours(window?.over ?? 0)]).toEqual([
      '02 21:00',
      '03 00:00',
      3,
    ]);
    expect(when(window?.countedFrom ?? null)).toBe('02 00:00');
    expect(window?.excluded.map(({ start, end }) => [when(start), when(end)])).toEqual([['02 14:00', '02 21:00']]);
    expect(drive?.segments.map(({ status }) => status)).toEqual(['ON', 'D', 'OFF', 'D', 'ON', 'SB', 'D']);
  });

  it('excludes only the sleeper-berth part where only that counts', () => {
    const { violations, pairing } = evaluated({
      ruleSet: 'CA_SOUTH_CYCLE1_70_7',
      log: 'd1 06:00-12:00 D; 12:00-13:00 OFF; 13:00-18:00 SB; 18:00-d2 00:00 D; 00:00-05:00 SB; 05:00-15:00 D',
    });
    expect(pairing?.rests.map(({ start, end }) => [when(start), when(end)])).toEqual([
      ['02 13:00', '02 18:00'],
      ['03 00:00', '03 05:00'],
    ]);
    expect(violations.find(({ rule }) => rule === 'CA_13H_DRIVE')?.clause).toBe('SOR/2005-313 s. 13(1)');
    expect(when(violations.find(({ rule }) => rule === 'CA_13H_DRIVE')?.countedFrom ?? null)).toBe('02 18:00');
  });

  it('names the day’s clause where the day’s limit was reached first', () => {
    const [violation] = evaluated({
      ruleSet: 'CA_SOUTH_CYCLE1_70_7',
      log: 'd1 00:00-07:00 D; 07:00-15:00 OFF; 15:00-22:00 D',
    }).violations;
    expect([violation?.clause, when(violation?.countedFrom ?? null)]).toEqual(['SOR/2005-313 s. 12(1)', '02 00:00']);
  });
});

describe('a long sleeper rest without its other half', () => {
  const log = 'd1 06:00-12:00 D; 12:00-19:00 SB; 19:00-23:00 D';

  it('is excluded from the window by policy, and marked provisional', () => {
    const { pairing, clocks } = evaluated({ log });
    expect([pairing?.provisional, hours(clocks.window.remaining)]).toEqual([true, 4]);
  });

  it('counts when the law is read strictly', () => {
    const { pairing, violations } = evaluated({ log }, withoutTrust(ruleSets.US_PROPERTY_70_8));
    expect([pairing, violations.map(({ rule, start }) => `${rule} ${when(start)}`)]).toEqual([
      null,
      ['US_14H 02 20:00'],
    ]);
  });
});
