import type { PositionMessage } from '@milepost/decoders';
import { expect, it } from 'vitest';
import { readTours } from '../drive/tour-file.ts';
import { characters } from './character.ts';
import { isAwake } from './coverage.ts';
import { createReporter, livePace, type Reporter } from './reports.ts';
import { createSchedule } from './schedule.ts';
import { driveVehicle } from './vehicle.ts';

const [character] = characters([{ imei: '001010100001017', name: '4101', card: null }], readTours());
if (!character) throw new Error('no vehicle');
const NOON = Date.UTC(2026, 10, 19, 12) / 1000;
const reporter: Reporter = createReporter(character);
/** A moment in a drive, a minute after its start and with time left. */
const DRIVING = (() => {
  for (let time = NOON; ; time += 60) {
    const activity = reporter.activityAt(time);
    if (activity?.kind === 'driving' && time - activity.from > 60 && activity.to - time > 300) return time;
  }
})();
const STANDS = reporter.activityAt(DRIVING)?.to ?? 0;
const GOES_ON = (() => {
  for (let time = STANDS; ; ) {
    const activity = reporter.activityAt(time);
    if (activity?.kind === 'driving') return time;
    time = activity?.to ?? time + 1;
  }
})();

const start = () => createSchedule(createReporter(character), livePace(character));
const speedOf = ({ speed }: PositionMessage) => speed ?? 0;

it('follows the plan until a command comes', () => {
  expect(start().measure(DRIVING, GOES_ON + 300)).toEqual([
    ...createReporter(character)(DRIVING, GOES_ON + 300, livePace(character)),
  ]);
});

it('warms up while it is parked, and is as planned before and afterwards', () => {
  const rest = (() => {
    for (let time = NOON; ; time += 3600) {
      const activity = reporter.activityAt(time);
      if (activity?.kind === 'parked' && activity.to - time > 7200) return time;
    }
  })();
  const schedule = start();
  const [from, on, off] = [rest + 100, rest + 1000, rest + 1240];
  schedule.warmUp(on, off);
  const planned = start().measure(from, rest + 3000);
  // However the time is split into calls.
  const measured: PositionMessage[] = [];
  for (let at = from; at < rest + 3000; at += 7) measured.push(...schedule.measure(at, Math.min(at + 7, rest + 3000)));
  const within = ({ time }: PositionMessage) => time >= (on - 10) * 1000 && time <= off * 1000;
  expect(measured.filter(each => !within(each))).toEqual(planned.filter(each => !within(each)));
  const warm = measured.filter(within);
  expect(warm.map(({ time }) => time / 1000)).toEqual([...warm.map(({ time }) => time / 1000)].sort((a, b) => a - b));
  expect(warm.map(({ event }) => event).filter(Boolean)).toEqual(['ignitionOn', 'ignitionOff']);
  expect(warm.map(({ ignition }) => ignition)).toEqual(warm.map(({ time }) => time >= on * 1000 && time < off * 1000));
  expect(warm.length).toBeGreaterThan(9);
  expect(warm.every(({ lat, speed }) => lat === planned[0]?.lat && speed === 0)).toBe(true);
});

it('stays at its next stop once the engine is cut, and drives on when it may start again', () => {
  const schedule = start();
  schedule.change({ kind: 'engineStop' }, DRIVING);
  const onItsWay = schedule.measure(DRIVING, STANDS - 1);
  expect(onItsWay.some(report => speedOf(report) > 3)).toBe(true);
  const later = GOES_ON + 1800;
  const held = [...schedule.measure(STANDS - 1, STANDS + 40), ...schedule.measure(STANDS + 40, later)];
  expect(held.map(speedOf).every(speed => speed === 0)).toBe(true);
  expect(held.map(({ ignition }) => ignition).every(on => on === false)).toBe(true);
  expect(held.filter(({ event }) => event !== null).map(({ event }) => event)).toEqual(['ignitionOff']);
  expect(held.length).toBeGreaterThan(5);
  expect(new Set(held.map(({ lat, lon }) => `${lat} ${lon}`)).size).toBe(1);

  schedule.change({ kind: 'engineResume' }, later);
  const after = schedule.measure(later, later + (GOES_ON - STANDS) + 300);
  expect(after.some(report => speedOf(report) > 3)).toBe(true);
  const all = [...onItsWay, ...held, ...after];
  for (const [i, { time, odometer }] of all.slice(1).entries()) {
    expect(time).toBeGreaterThan(all[i]!.time);
    expect(odometer ?? 0).toBeGreaterThanOrEqual(all[i]!.odometer ?? 0);
  }
});

it('is back on schedule after the day’s long rest', () => {
  const schedule = start();
  schedule.change({ kind: 'engineStop' }, STANDS);
  schedule.measure(STANDS, STANDS + 60);
  schedule.change({ kind: 'engineResume' }, STANDS + 600);
  const DAY = 86_400;
  for (let time = STANDS + 600; time < STANDS + DAY; time += 300)
    schedule.measure(time, Math.min(time + 300, STANDS + DAY));
  expect(schedule.measure(STANDS + DAY, STANDS + DAY + 300)).toEqual([
    ...createReporter(character)(STANDS + DAY, STANDS + DAY + 300, livePace(character)),
  ]);
});

it('reports at the interval set by a command', () => {
  const schedule = start();
  schedule.change({ kind: 'setGprsInterval', seconds: 20 }, DRIVING);
  const times = schedule.measure(DRIVING, DRIVING + 200).filter(({ event }) => event === null);
  const seconds = times.map(({ time }) => time / 1000);
  expect(seconds.slice(1).map((time, i) => time - seconds[i]!)).toEqual(Array(seconds.length - 1).fill(20));
});

it('continues from the given odometer', () => {
  const schedule = start();
  schedule.change({ kind: 'setOdometer', metres: 5_000_000 }, DRIVING);
  const [first] = schedule.measure(DRIVING, DRIVING + 60);
  expect(first?.odometer).toBeGreaterThanOrEqual(5_000_000);
  expect(first?.odometer).toBeLessThan(5_001_000);
});

it('sleeps for nine of ten minutes if its tracker sleeps', () => {
  const minutes = Array.from({ length: 600 }, (_, second) =>
    isAwake({ ...character, behaviour: 'asleep' }, NOON + second),
  );
  expect(minutes.filter(Boolean)).toHaveLength(60);
  expect(isAwake(character, NOON)).toBe(true);
});

it('tells since when it has been parked, over days, but not while driving', () => {
  const outbox = {
    add: () => {},
    addHistory: () => {},
    rest: () => {},
    close: () => {},
    pastDelivered: true,
    acknowledged: 0,
    empty: true,
  };
  const driven = driveVehicle(character, outbox, NOON);
  expect(driven.parkedSince(DRIVING)).toBe(DRIVING);
  let longest = 0;
  for (let at = NOON; at < NOON + 7 * 86_400; at += 1800) {
    const since = driven.parkedSince(at);
    longest = Math.max(longest, at - since);
    if (since === at) continue;
    const speeds = [...createReporter(character)(since, at, livePace(character))].map(speedOf);
    expect(Math.max(0, ...speeds)).toBe(0);
    expect(reporter.activityAt(since - 1)?.kind).not.toBe('parked');
  }
  expect(longest).toBeGreaterThan(86_400);
});
