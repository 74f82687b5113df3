import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fix, isBelieved } from './fix.ts';
import { advanceMotion, type MotionState, SPARSE_MS, UNKNOWN_MOTION } from './motion.ts';
import { type FixThen, motionThen, STILL_AFTER_MS } from './motion-then.ts';
import { driveArbitrary, fixAt, START } from './testing/drive.ts';
import { DEFAULT_THRESHOLDS, isMovingSpeed } from './thresholds.ts';

const whole = (fixes: readonly Fix[]): MotionState =>
  fixes.reduce((state, fix) => advanceMotion(state, fix), UNKNOWN_MOTION);
const shown = ({ motion, since, fixAt: at, gpsValid, place, interval }: MotionState) => ({
  motion,
  since,
  at,
  gpsValid,
  place,
  interval: motion === 'stopped' ? null : interval,
});

/** Drives of one after the other, as long as a tracker's day. */
const days: fc.Arbitrary<Fix[]> = fc.array(driveArbitrary, { minLength: 1, maxLength: 4 }).map(drives => {
  let shiftMs = 0;
  return drives.flatMap(drive => {
    const moved = drive.map(fix => ({ ...fix, time: epochMs(fix.time + shiftMs) }));
    shiftMs += (drive.at(-1)?.time ?? 0) - (drive[0]?.time ?? 0) + 30_000;
    return moved;
  });
});
/** Drives with hours between them in which the tracker reports every few seconds. */
const daysWithStops: fc.Arbitrary<Fix[]> = fc
  .array(
    fc.record({
      drive: driveArbitrary,
      count: fc.integer({ min: 1, max: 400 }),
      everyS: fc.constantFrom(5, 10, 59, 60, 61),
      ignition: fc.constantFrom(true, false, null),
      creepsEvery: fc.constantFrom(1, 7, 50, 1000),
      sleepsEvery: fc.constantFrom(13, 1000),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map(parts => {
    let atS = 0;
    return parts.flatMap(({ drive, count, everyS, ignition, creepsEvery, sleepsEvery }) => {
      const moved = drive.map(fix => ({ ...fix, time: epochMs(fix.time + atS * 1000) }));
      atS = ((moved.at(-1)?.time ?? START) - START) / 1000;
      const stop = Array.from({ length: count }, (_, i) => {
        atS += i % sleepsEvery === sleepsEvery - 1 ? 900 : everyS;
        const isCreeping = i % creepsEvery === creepsEvery - 1;
        return fixAt(atS, isCreeping ? 2 : 0, { eastM: i % 12, ignition: i % 3 === 0 ? null : ignition });
      });
      return [...moved, ...stop];
    });
  });
/** Drives with a report every few seconds, and whatever interrupts them. */
const daysOnTheRoad: fc.Arbitrary<Fix[]> = fc
  .array(
    fc.record({
      drive: driveArbitrary,
      count: fc.integer({ min: 1, max: 150 }),
      everyS: fc.constantFrom(1, 5, 10, 59, 60, 61),
      kmh: fc.constantFrom(5, 30, 90),
      ignition: fc.constantFrom(true, true, false, null),
      quirk: fc.constantFrom('none', 'slow', 'no speed', 'invalid', 'jump', 'silence', 'key', 'no key'),
      nth: fc.integer({ min: 3, max: 60 }),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map(parts => {
    let atS = 0;
    let eastM = 0;
    return parts.flatMap(({ drive, count, everyS, kmh, ignition, quirk, nth }) => {
      const before = drive.map(fix => ({ ...fix, time: epochMs(fix.time + atS * 1000) }));
      atS = ((before.at(-1)?.time ?? START) - START) / 1000;
      const road = Array.from({ length: count }, (_, i) => {
        const is = (which: typeof quirk): boolean => which === quirk && i % nth === nth - 1;
        atS += is('silence') ? 400 : everyS;
        eastM += (kmh / 3.6) * everyS;
        return fixAt(atS, is('no speed') ? null : is('slow') ? 2 : kmh, {
          eastM: eastM + (is('jump') ? 900_000 : 0),
          ignition: is('key') ? !ignition : is('no key') ? null : ignition,
          valid: !is('invalid'),
          doubts: is('jump') ? ['impossible-speed'] : [],
        });
      });
      return [...before, ...road];
    });
  });
/** Stops without what only says that the vehicle stands, except for its beginning and the last `kept` of it. */
function withoutStanding(fixes: readonly Fix[], kept: number): FixThen[] {
  const isSlow = (fix: Fix) => isBelieved(fix) && fix.speed !== null && !isMovingSpeed(fix.speed, DEFAULT_THRESHOLDS);
  const goesOn = (fix: Fix, before: Fix) =>
    isSlow(fix) && isSlow(before) && fix.ignition === before.ignition && fix.time - before.time < SPARSE_MS;
  const left: FixThen[] = [];
  for (let from = 0, to = 1; from < fixes.length; from = to++) {
    while (to < fixes.length && goesOn(fixes[to] as Fix, fixes[to - 1] as Fix)) to++;
    const run = fixes.slice(from, to);
    const until = (run[0] as Fix).time + STILL_AFTER_MS;
    const beginning = run.filter(({ time }) => time < until);
    const leftOut = run.length - beginning.length - kept;
    if (leftOut <= 0) left.push(...run);
    else left.push(...beginning, ...run.slice(-kept).map((fix, i) => (i === 0 ? { ...fix, leftOut } : fix)));
  }
  return left;
}
const inOrder = (fixes: readonly Fix[]) => fixes.toSorted((a, b) => a.time - b.time);

describe('motion then', () => {
  it('is what all fixes show, wherever the reading began, if it is certain', () => {
    let certain = 0;
    fc.assert(
      fc.property(days, fc.nat(), (day, cut) => {
        const fixes = inOrder(day);
        const from = cut % fixes.length;
        const then = motionThen(fixes.slice(from), from === 0);
        if (!then.isCertain) return;
        if (from > 0) certain++;
        expect(shown(then.state)).toEqual(shown(whole(fixes)));
      }),
      { numRuns: 2000 },
    );
    expect(certain).toBeGreaterThan(100);
  });

  it('is the same when reports of a vehicle that stands or drives are passed over', () => {
    const kept = ({ course: _, ...state }: MotionState) => state;
    fc.assert(
      fc.property(fc.oneof(daysWithStops, daysOnTheRoad), fc.nat(), (fixes, cut) => {
        expect(kept(motionThen(fixes, true).state)).toEqual(kept(whole(fixes)));
        const from = cut % fixes.length;
        const then = motionThen(fixes.slice(from), from === 0);
        if (then.isCertain) expect(shown(then.state)).toEqual(shown(whole(fixes)));
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same when they are left out, wherever the reading began', () => {
    const kept = ({ course: _, halted: __, ...state }: MotionState) => state;
    let leftOut = 0;
    fc.assert(
      fc.property(daysWithStops, fc.integer({ min: 6, max: 20 }), fc.nat(), (fixes, newest, cut) => {
        const some = withoutStanding(fixes, newest);
        leftOut += fixes.length - some.length;
        expect(kept(motionThen(some, true).state)).toEqual(kept(whole(fixes)));
        const from = cut % some.length;
        const then = motionThen(some.slice(from), from === 0);
        if (then.isCertain) expect(shown(then.state)).toEqual(shown(whole(fixes)));
      }),
      { numRuns: 1000 },
    );
    expect(leftOut).toBeGreaterThan(10_000);
  });

  it('is certain after a drive and its end, and not before', () => {
    const drive = Array.from({ length: 8 }, (_, i) => fixAt(i * 10, 50, { eastM: i * 140 }));
    expect(motionThen(drive, false).isCertain).toBe(false);
    const parked = fixAt(90, 0, { eastM: 1000, ignition: false });
    expect(motionThen([...drive, parked], false)).toMatchObject({
      isCertain: true,
      state: { motion: 'stopped', since: parked.time },
    });
  });

  it('is certain whatever the fixes are, if none is missing', () => {
    expect(motionThen([fixAt(0, 50)], true).isCertain).toBe(true);
    expect(motionThen([], true)).toEqual({ state: UNKNOWN_MOTION, isCertain: true });
  });
});
