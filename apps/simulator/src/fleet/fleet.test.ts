import { advanceMotion, distanceMetres, type MotionState, type VehicleStatus, vehicleStatus } from '@milepost/geo';
import { evaluate, readDutyLog, ruleSets } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { readTours } from '../drive/tour-file.ts';
import { type Character, characters } from './character.ts';
import { reachOf } from './coverage.ts';
import { type Activity, type Day, dayNumberAt, odometerBefore, planDay } from './day.ts';
import { createReporter, livePace } from './reports.ts';
import { timeOf, weekAt, weekOf } from './week.ts';
import type { Work } from './work.ts';

const kinds = [
  ['33', 8],
  ['41', 20],
  ['55', 6],
  ['R-7', 6],
] as const;
const fleet = characters(
  kinds.flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, n) => ({
      name: `${kind}${String(n + 1).padStart(2, '0')}`,
      imei: String(350_000_000_000_000 + n * 17 + count) + kind,
      card: '00001A04A27F1901',
    })),
  ),
  readTours(),
);
const NOON = Date.UTC(2026, 10, 19, 12) / 1000;
const HOUR = 3600;
const A_WEEK = 7 * 24 * HOUR;
/** Four weeks, including the one in which clocks go back. */
const BEGUN = timeOf(weekAt(NOON) - 4, 0);
const ENDED = BEGUN + 4 * A_WEEK;

function daysOf(character: Character): Day[] {
  const days: Day[] = [];
  for (let number = dayNumberAt(character, BEGUN); ; number++) {
    const day = planDay(character, number);
    if (day.from >= ENDED) return days;
    days.push(day);
  }
}
const plans = fleet.map(character => ({ character, days: daysOf(character) }));
const shifts = plans.flatMap(({ days }) => days.filter(({ activities }) => activities.length > 1));

const secondsOf = (days: readonly Day[], kind: Activity['kind'], from = BEGUN, to = ENDED): number =>
  days
    .flatMap(({ activities }) => activities)
    .filter(activity => activity.kind === kind)
    .reduce((sum, activity) => sum + Math.max(0, Math.min(activity.to, to) - Math.max(activity.from, from)), 0);
const shareOf = (chosen: readonly { days: readonly Day[] }[], from = BEGUN, to = ENDED): number =>
  chosen.reduce((sum, { days }) => sum + secondsOf(days, 'driving', from, to), 0) / chosen.length / (to - from);

describe('a week of the fleet', () => {
  it('has no gap: each shift ends parked where the next one begins', () => {
    for (const { days } of plans) {
      for (const [nth, day] of days.entries()) {
        expect(day.activities[0]!.from).toBe(day.from);
        expect(day.activities.at(-1)).toMatchObject({ kind: 'parked', to: day.to });
        for (const [index, activity] of day.activities.slice(1).entries()) {
          expect(activity.from).toBe(day.activities[index]!.to);
        }
        const next = days[nth + 1];
        if (!next) continue;
        expect(next.from).toBe(day.to);
        expect(next.activities[0]!.leg.points.at(-1)).toEqual(day.activities.at(-1)!.leg.points.at(-1));
      }
    }
  });

  it('spends a tenth to a third of the time on the road, by type of work, and spares almost none', () => {
    const working = plans.filter(({ character }) => character.week.length >= 5);
    expect(working).toHaveLength(35);
    for (const { character, days } of working) {
      const share = shareOf([{ days }]);
      expect([character.imei, share > 0.08 && share < 0.3]).toEqual([character.imei, true]);
    }
    for (const plan of plans.filter(each => !working.includes(each))) expect(shareOf([plan])).toBeLessThan(0.04);
    const of = (work: Work) => shareOf(working.filter(({ character }) => character.work === work));
    expect(of('haul')).toBeGreaterThan(of('delivery') + 0.04);
    expect(shareOf(plans)).toBeGreaterThan(0.1);
    expect(shareOf(plans)).toBeLessThan(0.2);
  });

  it('is quiet at night and on weekends', () => {
    const midweek = (hour: number) => BEGUN + (3 * 24 + hour) * HOUR;
    const day = shareOf(plans, midweek(8), midweek(16));
    const night = shareOf(plans, midweek(24), midweek(28));
    const sunday = shareOf(plans, BEGUN + A_WEEK, BEGUN + A_WEEK + 24 * HOUR);
    expect(day).toBeGreaterThan(0.2);
    expect(day).toBeLessThan(0.45);
    expect(night).toBeLessThan(day / 2);
    expect(sunday).toBeLessThan(day / 2);
    const doorToDoor = plans.filter(({ character }) => character.work === 'delivery');
    expect(shareOf(doorToDoor, midweek(23), midweek(29))).toBe(0);
  });

  it('has at least one vehicle at work at any hour, and one moving in any quarter of an hour', () => {
    for (let time = BEGUN; time < ENDED; time += HOUR / 4) {
      const atWork = shifts.filter(({ from, workEnds }) => from <= time && time < workEnds);
      expect([time, atWork.length >= 2]).toEqual([time, true]);
      const moves = shifts.some(({ activities }) =>
        activities.some(({ kind, from, to }) => kind === 'driving' && from < time + HOUR / 4 && to > time),
      );
      expect([time, moves]).toEqual([time, true]);
    }
  });

  it('keeps every driver within the hours-of-service rules', () => {
    for (const { character, days } of plans) {
      const segments = days
        .flatMap(({ activities }) => activities)
        // Half an hour without the vehicle is a break; shorter stops are work.
        .map(({ kind, from, to }) => ({
          status: kind === 'driving' ? 'D' : kind === 'parked' && to - from >= HOUR / 2 ? 'OFF' : 'ON',
          start: from * 1000,
          end: to * 1000,
        }));
      const log = readDutyLog({ timezone: 'America/Chicago', segments });
      if (!log.ok) throw new Error(JSON.stringify(log.errors));
      const { violations } = evaluate(log.value, ruleSets.US_PROPERTY_70_8, epochMs(ENDED * 1000));
      expect([character.imei, violations]).toEqual([character.imei, []]);
    }
  });

  it('rests ten hours between any two shifts', () => {
    for (const { workEnds, to } of shifts) expect(to - workEnds).toBeGreaterThan(10 * HOUR);
  });

  it('begins its shifts by local time, before and after clocks go back', () => {
    const early = characters([{ imei: '1', name: '4101', card: null }], readTours())[0]!;
    const starts = daysOf(early).map(({ from }) =>
      new Date(from * 1000).toLocaleString('en-US', { timeZone: 'America/Chicago', weekday: 'short', hour: 'numeric' }),
    );
    for (const start of starts.slice(1)) expect(start).toMatch(/^(Mon|Tue|Wed|Thu|Fri),? [45]\sAM$/);
    expect(timeOf(weekAt(NOON), 0)).toBe(Date.UTC(2026, 10, 15, 6) / 1000);
    expect(timeOf(weekAt(Date.UTC(2026, 9, 21) / 1000), 60)).toBe(Date.UTC(2026, 9, 18, 6) / 1000);
  });

  it('differs from week to week, but is the same when planned again', () => {
    const { character, days } = plans[8]!;
    const plan = (number: number) => planDay(character, number).activities.map(({ from, to }) => to - from);
    const number = dayNumberAt(character, NOON);
    expect(plan(number)).toEqual(plan(number));
    expect(plan(number)).not.toEqual(plan(number - 5));
    expect(days.length).toBeGreaterThanOrEqual(20);
    // Vehicles have a day off now and then.
    const off = plans.flatMap(each => each.days).filter(({ activities }) => activities.length === 1);
    expect(off.length).toBeGreaterThan(8);
    expect(off.length).toBeLessThan(80);
  });

  it('has every status in the course of a day', () => {
    const hours = statusesOfADay();
    for (const hour of hours) {
      expect(hour.stopped).toBeGreaterThan(10);
      expect(hour.offline).toBe(1);
    }
    const mean = (status: VehicleStatus) => hours.reduce((sum, hour) => sum + (hour[status] ?? 0), 0) / hours.length;
    expect(mean('moving') / fleet.length).toBeGreaterThan(0.1);
    expect(mean('moving') / fleet.length).toBeLessThan(0.3);
    expect(mean('idling')).toBeGreaterThan(0.1);
    expect(mean('no-gps')).toBeGreaterThan(0.5);
    expect(mean('outdated')).toBeGreaterThan(0.05);
  });

  it('drives around the clock if a vehicle has no role', () => {
    const others = characters(
      Array.from({ length: 5 }, (_, n) => ({ imei: String(n), name: `Truck ${n}`, card: null })),
      readTours(),
    );
    for (const character of others) expect(shareOf([{ days: daysOf(character) }])).toBeGreaterThan(0.5);
  });
});

it('reads a week', () => {
  expect(weekOf('Fri-Sun 20:30, Mon 06:00 half')).toEqual([
    { minute: 20 * 60 + 30, part: 'whole' },
    { minute: (24 + 6) * 60, part: 'half' },
    { minute: (5 * 24 + 20) * 60 + 30, part: 'whole' },
    { minute: (6 * 24 + 20) * 60 + 30, part: 'whole' },
  ]);
  expect(() => weekOf('Someday 06:00')).toThrow('Someday');
});

/** The number of vehicles in each status at each half hour of a day, as the server sees them. */
function statusesOfADay(): Partial<Record<VehicleStatus, number>>[] {
  const hours = Array.from({ length: 48 }, (): Partial<Record<VehicleStatus, number>> => ({}));
  const begun = NOON - 2 * HOUR;
  for (const character of fleet) {
    const reports = createReporter(character);
    const reachedUntil = reachOf(character, begun, createReporter(character));
    let state: MotionState | null = null;
    let measured = begun;
    for (let time = begun; time < NOON + 24 * HOUR; time += 300) {
      const reached = Math.max(measured, reachedUntil(time));
      for (const position of reports(measured, reached, { driving: 30, idling: 30, parked: 300 })) {
        state = advanceMotion(state, { ...position, doubts: [] });
      }
      measured = reached;
      if (time < NOON || (time - NOON) % (HOUR / 2) !== 0) continue;
      const live = state && { ...state, heardAt: state.fixAt };
      const { status } = live ? vehicleStatus(live, epochMs(time * 1000)) : { status: 'offline' as const };
      const hour = hours[(time - NOON) / (HOUR / 2)]!;
      hour[status] = (hour[status] ?? 0) + 1;
    }
  }
  return hours;
}

describe('a tracker’s reports', () => {
  it('are in order, never jump, and the odometer never runs backward, even across midnight', () => {
    for (const character of [fleet[0]!, fleet[10]!, fleet[13]!, fleet[39]!]) {
      const turn = planDay(character, dayNumberAt(character, NOON)).from;
      const all = [...createReporter(character)(turn - 24 * HOUR, turn + 4 * HOUR, livePace(character))];
      expect(all.length).toBeGreaterThan(500);
      for (const [index, now] of all.slice(1).entries()) {
        const before = all[index]!;
        const seconds = (now.time - before.time) / 1000;
        expect(seconds).toBeGreaterThan(0);
        expect(distanceMetres(before, now)).toBeLessThan(seconds * 33 + 5);
        expect(now.odometer!).toBeGreaterThanOrEqual(before.odometer! - 1);
        expect(now.fuel!).toBeGreaterThanOrEqual(8);
      }
    }
  });

  it('are the same whether requested at once or in parts', () => {
    const character = fleet[5]!;
    const pace = livePace(character);
    const reports = createReporter(character);
    const bits = [];
    for (let time = NOON; time < NOON + HOUR; time += 7)
      bits.push(...reports(time, Math.min(time + 7, NOON + HOUR), pace));
    expect(bits).toEqual([...createReporter(character)(NOON, NOON + HOUR, pace)]);
  });

  it('contain what happened: engine, brakes, speed, and a power cut that ends', () => {
    const events = fleet.flatMap(character =>
      [...createReporter(character)(BEGUN, BEGUN + A_WEEK, { driving: 60, idling: 60, parked: 600 })].map(
        one => one.event,
      ),
    );
    expect(new Set(events)).toEqual(
      new Set([null, 'ignitionOn', 'ignitionOff', 'harshBraking', 'overspeed', 'powerCut', 'powerRestored']),
    );
  });

  it('report a cooled box’s temperature near its set point', () => {
    const reefer = fleet.find(character => character.setPoint !== null)!;
    for (const { temperature } of createReporter(reefer)(NOON, NOON + 24 * HOUR, livePace(reefer))) {
      expect(Math.abs(temperature! - reefer.setPoint!)).toBeLessThan(5);
    }
  });
});

describe('problems', () => {
  it('one vehicle is lost, one has no fix, two drive through dead zones in turn', () => {
    const quirks = fleet.map(character => character.quirk).filter(quirk => quirk !== 'none');
    expect(quirks.sort()).toEqual(['dead-zone', 'dead-zone', 'lost', 'no-fix']);
    const zones = fleet.filter(character => character.quirk === 'dead-zone');
    const always = { activityAt: (time: number) => ({ kind: 'driving', from: time, to: time }) as Activity };
    for (let time = NOON; time < NOON + 2 * HOUR; time += 60) {
      expect(zones.some(character => reachOf(character, NOON, always)(time) < time)).toBe(true);
    }
    // A parked vehicle is within coverage.
    const parked = { activityAt: () => null };
    for (const zone of zones) expect(reachOf(zone, NOON, parked)(NOON)).toBe(NOON);
    const lost = fleet.find(character => character.quirk === 'lost')!;
    const plan = createReporter(lost);
    const lostAt = reachOf(lost, NOON, plan)(NOON);
    expect(NOON - lostAt).toBeGreaterThan(24 * HOUR);
    expect(plan.activityAt(lostAt)?.kind).toBe('driving');
  });

  it('a roof blocks the satellites, and the report is marked invalid', () => {
    const character = fleet.find(one => one.quirk === 'no-fix')!;
    const reports = [...createReporter(character)(BEGUN, BEGUN + A_WEEK, livePace(character))];
    const away = reports.filter(({ speed }) => (speed ?? 0) > 0);
    expect(away.length).toBeGreaterThan(100);
    expect(away.every(({ valid }) => valid)).toBe(true);
    expect(reports.filter(({ valid }) => !valid).length / reports.length).toBeGreaterThan(0.3);
  });
});

it('counts every drive on the odometer, however far back the reports start', () => {
  const character = fleet[9]!;
  const number = dayNumberAt(character, NOON);
  const before = planDay(character, number - 1);
  expect(odometerBefore(character, number) - odometerBefore(character, number - 1)).toBeCloseTo(before.metres, 3);
});
