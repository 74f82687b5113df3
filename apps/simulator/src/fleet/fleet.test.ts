import { advanceMotion, distanceMetres, type MotionState, type VehicleStatus, vehicleStatus } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { readTours } from '../drive/tour-file.ts';
import { characters } from './character.ts';
import { reachedUntil } from './coverage.ts';
import { dayNumberAt, planDay } from './day.ts';
import { createReporter, livePace } from './reports.ts';

const kinds = [
  ['33', 8],
  ['41', 20],
  ['55', 6],
  ['R-', 6],
] as const;
const fleet = characters(
  kinds.flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, n) => ({
      name: `${kind}${String(n).padStart(2, '0')}`,
      imei: String(350_000_000_000_000 + n * 17 + count) + kind,
      card: '00001A04A27F1901',
    })),
  ),
  readTours(),
);
const NOON = Date.UTC(2026, 10, 19, 12) / 1000;
const HOUR = 3600;

/** How many vehicles are in each status at each hour of a day, as the server sees them. */
function statusesOfADay(): Partial<Record<VehicleStatus, number>>[] {
  const hours = Array.from({ length: 24 }, (): Partial<Record<VehicleStatus, number>> => ({}));
  const begun = NOON - 2 * HOUR;
  for (const character of fleet) {
    const reports = createReporter(character);
    let state: MotionState | null = null;
    let measured = begun;
    for (let time = begun; time < NOON + 24 * HOUR; time += 300) {
      const reached = Math.max(measured, reachedUntil(character, time, begun));
      for (const position of reports(measured, reached, livePace(character))) {
        state = advanceMotion(state, { ...position, doubts: [] });
      }
      measured = reached;
      if (time < NOON || (time - NOON) % HOUR !== 0) continue;
      const live = state && { ...state, heardAt: state.fixAt };
      const { status } = live ? vehicleStatus(live, epochMs(time * 1000)) : { status: 'offline' as const };
      const hour = hours[(time - NOON) / HOUR]!;
      hour[status] = (hour[status] ?? 0) + 1;
    }
  }
  return hours;
}

describe('a day of the fleet', () => {
  const days = fleet.map(character => planDay(character, dayNumberAt(character, NOON)));

  it('has no gap and ends at home, parked for a rest', () => {
    for (const day of days) {
      expect(day.activities[0]!.from).toBe(day.from);
      expect(day.activities.at(-1)).toMatchObject({ kind: 'parked', to: day.to });
      for (const [index, activity] of day.activities.slice(1).entries()) {
        expect(activity.from).toBe(day.activities[index]!.to);
      }
    }
  });

  it('leaves time for a rest, whatever the day was like', () => {
    for (const character of fleet) {
      for (let number = 20_770; number < 20_780; number++) {
        const rest = planDay(character, number).activities.at(-1)!;
        expect(rest.kind).toBe('parked');
        expect(rest.to - rest.from).toBeGreaterThan(HOUR / 4);
      }
    }
  });

  it('shows every status at any hour, and six of ten vehicles moving', () => {
    const hours = statusesOfADay();
    const moving = hours.map(hour => (hour.moving ?? 0) / fleet.length);
    for (const [hour, share] of moving.entries()) {
      expect(share).toBeGreaterThan(0.4);
      expect(share).toBeLessThan(0.8);
      expect(hours[hour]).toMatchObject({ offline: 1 });
      expect(hours[hour]!.stopped).toBeGreaterThan(2);
    }
    const mean = (status: VehicleStatus) => hours.reduce((sum, hour) => sum + (hour[status] ?? 0), 0) / hours.length;
    expect(mean('moving') / fleet.length).toBeGreaterThan(0.55);
    expect(mean('moving') / fleet.length).toBeLessThan(0.68);
    expect(mean('idling')).toBeGreaterThan(1.5);
    expect(mean('no-gps')).toBeGreaterThan(0.7);
    expect(mean('outdated')).toBeGreaterThan(0.2);
  });

  it('is the same day when it is planned again', () => {
    const character = fleet[3]!;
    expect(planDay(character, 20_776).activities).toEqual(planDay(character, 20_776).activities);
  });
});

describe('a tracker’s reports', () => {
  it('are in order, never jump, and the odometer never runs back, over the turn of the day', () => {
    for (const character of [fleet[0]!, fleet[9]!, fleet[14]!, fleet[39]!]) {
      const turn = dayNumberAt(character, NOON) * 86_400 + character.dayBegins;
      const all = [...createReporter(character)(turn - 6 * HOUR, turn + 2 * HOUR, livePace(character))];
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

  it('are the same whether asked for at once or bit by bit', () => {
    const character = fleet[5]!;
    const pace = livePace(character);
    const reports = createReporter(character);
    const bits = [];
    for (let time = NOON; time < NOON + HOUR; time += 7)
      bits.push(...reports(time, Math.min(time + 7, NOON + HOUR), pace));
    expect(bits).toEqual([...createReporter(character)(NOON, NOON + HOUR, pace)]);
  });

  it('say what happened: engine, brakes, speed, and a power cut that ends', () => {
    const events = fleet.flatMap(character =>
      [...createReporter(character)(NOON, NOON + 24 * HOUR, { driving: 60, idling: 60, parked: 600 })].map(
        one => one.event,
      ),
    );
    expect(new Set(events)).toEqual(
      new Set([null, 'ignitionOn', 'ignitionOff', 'harshBraking', 'overspeed', 'powerCut', 'powerRestored']),
    );
  });

  it('tell a cooled box’s temperature near its set point', () => {
    const reefer = fleet.find(character => character.setPoint !== null)!;
    for (const { temperature } of createReporter(reefer)(NOON, NOON + 6 * HOUR, livePace(reefer))) {
      expect(Math.abs(temperature! - reefer.setPoint!)).toBeLessThan(5);
    }
  });
});

describe('troubles', () => {
  it('one vehicle is lost, one has no fix, two drive through dead zones in turn', () => {
    const quirks = fleet.map(character => character.quirk).filter(quirk => quirk !== 'none');
    expect(quirks.sort()).toEqual(['dead-zone', 'dead-zone', 'lost', 'no-fix']);
    const zones = fleet.filter(character => character.quirk === 'dead-zone');
    for (let time = NOON; time < NOON + 2 * HOUR; time += 60) {
      expect(zones.some(character => reachedUntil(character, time, NOON) < time)).toBe(true);
    }
    const lost = fleet.find(character => character.quirk === 'lost')!;
    expect(NOON - reachedUntil(lost, NOON, NOON)).toBeGreaterThan(24 * HOUR);
  });

  it('a roof hides the satellites, and the report says so', () => {
    const character = fleet.find(one => one.quirk === 'no-fix')!;
    const valid = [...createReporter(character)(NOON, NOON + 12 * HOUR, livePace(character))].map(one => one.valid);
    expect(valid).toContain(true);
    expect(valid.filter(one => !one).length / valid.length).toBeGreaterThan(0.6);
  });
});
