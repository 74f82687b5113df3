import { degrees, epochMs, metresPerSecond, seconds } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubtsOf } from './doubts.ts';
import type { Fix } from './fix.ts';
import { advanceMotion, type MotionState } from './motion.ts';
import { bearingDegrees } from './sphere.ts';
import { driveArbitrary, fixAt, START } from './testing/drive.ts';

const run = (fixes: readonly Fix[], state: MotionState | null = null): MotionState => {
  let next = state;
  for (const fix of fixes) next = advanceMotion(next, fix);
  if (next === null) throw new Error('no fixes');
  return next;
};
const at = (atS: number) => epochMs(START + atS * 1000);
const parked = run([fixAt(0, 0, { ignition: false }), fixAt(10, 0, { ignition: false })]);

describe('moving', () => {
  it('needs two fixes at 5 km/h, and counts from the first of them', () => {
    const once = advanceMotion(parked, fixAt(15, 5));
    expect(once).toMatchObject({ motion: 'stopped', since: at(0) });
    expect(advanceMotion(once, fixAt(20, 5))).toMatchObject({ motion: 'moving', since: at(15) });
  });

  it('still counts 5 km/h as moving after it was stored in single precision', () => {
    const stored = metresPerSecond(Math.fround(5 / 3.6));
    expect(run([fixAt(15, 0, { speed: stored }), fixAt(20, 0, { speed: stored })], parked).motion).toBe('moving');
  });

  it('needs only one fix if the one before it is 20 s old', () => {
    expect(advanceMotion(parked, fixAt(29, 30)).motion).toBe('stopped');
    expect(advanceMotion(parked, fixAt(30, 30))).toMatchObject({ motion: 'moving', since: at(30) });
  });

  it('begins at once if nothing was known before', () => {
    expect(run([fixAt(0, 64)])).toMatchObject({ motion: 'moving', since: at(0) });
  });

  it('needs two fixes with the ignition off, however far apart: it is being towed', () => {
    const pulled = run([fixAt(60, 20, { ignition: false })], parked);
    expect(pulled.motion).toBe('stopped');
    expect(run([fixAt(120, 20, { ignition: false })], pulled)).toMatchObject({ motion: 'moving', since: at(60) });
  });

  it('does not begin with a single fast fix among slow ones', () => {
    expect(run([fixAt(15, 30), fixAt(20, 0), fixAt(25, 30), fixAt(30, 0)], parked).motion).toBe('stopped');
  });

  it('is detected from the distance if the tracker sends no speed', () => {
    const without = (atS: number, eastM: number) => fixAt(atS, null, { eastM, ignition: null });
    expect(run([without(0, 0), without(10, 100), without(20, 200)])).toMatchObject({ motion: 'moving', since: at(10) });
    expect(run([without(0, 0), without(10, 5), without(20, 0)]).motion).toBe('stopped');
  });

  it('is detected from the distance if reports a minute apart both happen to be slow', () => {
    const fixes = [0, 60, 120, 180, 240, 300].map(s => fixAt(s, 2, { eastM: s * 8 }));
    expect(run(fixes)).toMatchObject({ motion: 'moving', since: at(60) });
  });
});

describe('idling', () => {
  const driving = run([fixAt(0, 50), fixAt(10, 50, { eastM: 140 })]);

  it('begins after more than 3 minutes at less than 5 km/h with the ignition on, since the first of them', () => {
    const light = run([fixAt(20, 0), fixAt(110, 4), fixAt(200, 0)], driving);
    expect(light).toMatchObject({ motion: 'moving', since: at(0) });
    expect(advanceMotion(light, fixAt(201, 0))).toMatchObject({ motion: 'idling', since: at(20) });
  });

  it('starts over after a fast fix in between', () => {
    expect(run([fixAt(20, 0), fixAt(110, 9), fixAt(115, 0), fixAt(210, 0)], driving).motion).toBe('moving');
  });

  it('does not end with one fast fix in stop-and-go traffic', () => {
    const idling = run([fixAt(20, 0), fixAt(210, 0)], driving);
    expect(run([fixAt(220, 7), fixAt(230, 0)], idling)).toMatchObject({ motion: 'idling', since: at(20) });
  });

  it('follows a stop when the engine has run for more than 3 minutes; until then the stop continues', () => {
    const started = run([fixAt(100, 0), fixAt(280, 0)], parked);
    expect(started).toMatchObject({ motion: 'stopped', since: at(0) });
    expect(advanceMotion(started, fixAt(290, 0))).toMatchObject({ motion: 'idling', since: at(100) });
  });

  it('replaces a provisional stop, from its beginning', () => {
    expect(run([fixAt(0, 0), fixAt(60, 0)])).toMatchObject({ motion: 'stopped', since: at(0) });
    expect(run([fixAt(0, 0), fixAt(181, 0)])).toMatchObject({ motion: 'idling', since: at(0) });
  });
});

describe('stopped', () => {
  const driving = run([fixAt(0, 50), fixAt(10, 50, { eastM: 140 })]);

  it('begins with the first slow fix after the ignition is off', () => {
    const stopped = run([fixAt(20, 0), fixAt(40, 0, { ignition: false })], driving);
    expect(stopped).toMatchObject({ motion: 'stopped', since: at(40) });
  });

  it('needs more than 3 minutes if the tracker never sends the ignition', () => {
    const fix = (s: number, kmh: number, eastM: number) => fixAt(s, kmh, { eastM, ignition: null });
    const halted = run([fix(0, 50, 0), fix(10, 50, 140), fix(20, 0, 150), fix(200, 0, 150)]);
    expect(halted).toMatchObject({ motion: 'moving', since: at(0) });
    expect(advanceMotion(halted, fix(201, 0, 150))).toMatchObject({ motion: 'stopped', since: at(20) });
  });

  it('remembers the ignition when a report leaves it out', () => {
    expect(run([fixAt(20, 0, { ignition: false }), fixAt(300, 0, { ignition: null })], driving)).toMatchObject({
      motion: 'stopped',
      since: at(20),
    });
  });

  it('begins in a garage: no valid fix, but the ignition goes off', () => {
    const inside = run([fixAt(20, null, { valid: false, ignition: false })], driving);
    expect(inside).toMatchObject({ motion: 'stopped', since: at(20), gpsValid: false });
  });
});

describe('silence', () => {
  it('longer than the outdated limit makes motion be determined anew', () => {
    const driving = run([fixAt(0, 50), fixAt(10, 50, { eastM: 140 })]);
    expect(run([fixAt(10 + 600, 0)], driving)).toMatchObject({ motion: 'moving', since: at(0) });
    expect(run([fixAt(10 + 601, 0)], driving)).toMatchObject({ motion: 'stopped', since: at(611) });
    expect(run([fixAt(10 + 601, 50, { eastM: 2000 })], driving)).toMatchObject({ motion: 'moving', since: at(611) });
  });

  it('of a parked tracker leaves the stop as it is, unless it wakes somewhere else', () => {
    const hours = (n: number) => n * 3600;
    expect(run([fixAt(hours(20), 0, { ignition: false })], parked).since).toBe(at(0));
    expect(run([fixAt(hours(20), 0, { ignition: false, eastM: 20_000 })], parked).since).toBe(at(hours(20)));
    expect(run([fixAt(hours(25), 0, { ignition: false })], parked).since).toBe(at(hours(25)));
  });
});

describe('the rest of the state', () => {
  it('the interval, as the median of the last five gaps while awake', () => {
    const drive = run([0, 10, 20, 30, 40, 340, 350].map(s => fixAt(s, 50, { eastM: s * 14 })));
    expect(drive.interval).toBe(seconds(10));
    expect(parked.interval).toBeNull();
  });

  it('the course, from the last two places when the tracker sends none, and through a halt', () => {
    const a = fixAt(0, 50);
    const b = fixAt(10, 50, { eastM: 140 });
    const driving = run([a, b]);
    expect(driving.course).toBeCloseTo(bearingDegrees(a, b), 9);
    expect(run([fixAt(20, 0, { course: degrees(0), eastM: 140 })], driving).course).toBe(driving.course);
    expect(run([fixAt(20, 50, { course: degrees(12), eastM: 280 })], driving).course).toBe(12);
  });

  it('the last reliable place, while newer fixes are invalid or doubted', () => {
    const driving = run([fixAt(0, 50)]);
    const lost = run([fixAt(10, 50, { valid: false }), fixAt(20, 50, { doubts: ['null-island'] })], driving);
    expect(lost).toMatchObject({ gpsValid: false, fixAt: at(20), motion: 'moving' });
    expect(lost.place).toEqual(driving.place);
  });

  it('nothing from a fix with an impossible time', () => {
    const driving = run([fixAt(0, 50)]);
    expect(advanceMotion(driving, fixAt(86_400, 0, { doubts: ['impossible-time'] }))).toBe(driving);
  });

  it('an impossible place is accepted once three fixes agree on it', () => {
    let state = run([fixAt(0, 50), fixAt(10, 50, { eastM: 140 })]);
    const seen: (string | undefined)[] = [];
    for (const s of [20, 30, 40, 50]) {
      const fix = fixAt(s, 50, { eastM: 900_000 + s * 14 });
      const doubts = doubtsOf(state.place, fix, fix.time);
      seen.push(doubts[0]);
      state = advanceMotion(state, { ...fix, doubts });
    }
    expect(seen).toEqual(['impossible-speed', 'impossible-speed', 'impossible-speed', undefined]);
    expect(state).toMatchObject({ gpsValid: true, place: { time: at(50) } });
  });
});

describe('for any drive', () => {
  it('[I6] repeated, late and out-of-order fixes leave live motion as it is', () => {
    fc.assert(
      fc.property(driveArbitrary, drive => {
        let state: MotionState | null = null;
        for (const [i, fix] of drive.entries()) {
          state = advanceMotion(state, fix);
          expect(advanceMotion(state, fix)).toBe(state);
          for (const earlier of drive.slice(0, i)) expect(advanceMotion(state, earlier)).toBe(state);
        }
      }),
    );
  });

  it('the state survives being written and read as JSON', () => {
    fc.assert(
      fc.property(driveArbitrary, fc.nat(60), (drive, cut) => {
        const half = Math.min(cut, drive.length - 1);
        const before = run(drive.slice(0, half + 1));
        const restored = JSON.parse(JSON.stringify(before)) as MotionState;
        expect(restored).toEqual(before);
        expect(run(drive.slice(half), restored)).toEqual(run(drive.slice(half), before));
      }),
    );
  });

  it('the same drive at another time gives the same motion at that time', () => {
    fc.assert(
      fc.property(driveArbitrary, fc.integer({ min: -1e9, max: 1e9 }), (drive, shift) => {
        const moved = drive.map(fix => ({ ...fix, time: epochMs(fix.time + shift) }));
        const [here, there] = [run(drive), run(moved)];
        expect(there.motion).toBe(here.motion);
        expect(there.since).toBe(here.since === null ? null : here.since + shift);
        expect(there.interval).toBe(here.interval);
      }),
    );
  });

  it('since is never later than the newest fix, and motion is known from the first believed fix on', () => {
    fc.assert(
      fc.property(driveArbitrary, drive => {
        let state: MotionState | null = null;
        for (const fix of drive) {
          state = advanceMotion(state, fix);
          if (fix.valid) expect(state.motion).not.toBeNull();
          expect(state.motion === null).toBe(state.since === null);
          if (state.since !== null) expect(state.since).toBeLessThanOrEqual(fix.time);
        }
      }),
    );
  });
});
