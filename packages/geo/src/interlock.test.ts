import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doubtsOf } from './doubts.ts';
import { type InterlockCheck, interlock, type NewestFix } from './interlock.ts';
import { advanceMotion, type MotionState } from './motion.ts';

const START = Date.parse('2026-03-02T08:00:00Z');

interface TestFix {
  readonly at: number;
  readonly speed?: number | null;
  readonly ignition?: boolean | null;
  readonly valid?: boolean;
  readonly movement?: boolean | null;
  readonly lat?: number;
}

/** The state after these fixes; `at` in seconds. */
function after(...fixes: readonly TestFix[]): { motion: MotionState | null; newest: NewestFix | null } {
  let motion: MotionState | null = null;
  let newest: NewestFix | null = null;
  for (const { at, speed = 0, ignition = false, valid = true, movement = null, lat = 41.9 } of fixes) {
    const time = epochMs(START + at * 1000);
    const sent = { speed: speed === null ? null : metresPerSecond(speed), ignition, valid };
    const fix = { ...sent, time, lat: degrees(lat), lon: degrees(-87.6), course: null };
    const doubts = doubtsOf(motion?.place ?? null, fix, time);
    motion = advanceMotion(motion, { ...fix, doubts });
    if (doubts.length === 0) newest = { ...sent, fixAt: time, receivedAt: time, movement };
  }
  return { motion, newest };
}
const judge = ({ motion, newest }: ReturnType<typeof after>, atS: number) =>
  interlock(motion, newest, epochMs(START + atS * 1000));
const failing = (...args: Parameters<typeof judge>) =>
  judge(...args)
    .checks.filter(({ holds }) => !holds)
    .map(({ check }) => check);

const every10s = (count: number, fix: Omit<TestFix, 'at'>): TestFix[] =>
  Array.from({ length: count }, (_, i) => ({ at: i * 10, ...fix }));

describe('[R7.35] the interlock', () => {
  it('passes for a vehicle that stands with its ignition off and has just reported it', () => {
    expect(judge(after({ at: 0 }), 5)).toEqual({
      holds: true,
      possibleAt: null,
      checks: [
        { check: 'standing', holds: true, measured: 0, limit: 0, on: null },
        { check: 'ignition', holds: true, measured: 0, limit: 60, on: false },
        { check: 'fresh', holds: true, measured: 5, limit: 60, on: null },
        { check: 'still', holds: true, measured: null, limit: null, on: null },
      ] satisfies InterlockCheck[],
    });
  });

  it('tells when it will pass if only time is missing, but not if anything else is', () => {
    const at = (fixes: readonly TestFix[], atS: number) => judge(after(...fixes), atS).possibleAt;
    expect(at(every10s(3, { ignition: true }), 25)).toBe(START + 60_000);
    expect(at([{ at: 0, ignition: true, movement: true }], 5)).toBeNull();
    expect(at([{ at: 0, speed: 14, ignition: true }], 5)).toBeNull();
    expect(at([{ at: 0, ignition: true }], 500)).toBeNull();
    expect(at(every10s(8, { ignition: true }), 75)).toBeNull();
  });

  it.each<[string, readonly TestFix[], number, readonly string[]]>([
    ['there has never been a report', [], 0, ['standing', 'ignition', 'fresh']],
    ['it moves', [{ at: 0, speed: 14, ignition: true }], 1, ['standing', 'ignition']],
    ['it creeps', [{ at: 0, speed: 0.3 }], 1, ['standing']],
    ['it sends no speed', [{ at: 0, speed: null }], 1, ['standing']],
    [
      'it waits at a red light',
      [
        { at: 0, speed: 14, ignition: true },
        { at: 20, ignition: true },
      ],
      21,
      ['ignition'],
    ],
    [
      'it crawled for a minute',
      [...every10s(7, { speed: 1, ignition: true }), { at: 70, ignition: true }],
      71,
      ['ignition'],
    ],
    ['it has idled for 50 s', every10s(6, { ignition: true }), 51, ['ignition']],
    ['it sends no ignition, and only an earlier fix had it', [{ at: 0 }, { at: 10, ignition: null }], 11, ['ignition']],
    ['its position is unreliable', [{ at: 0 }, { at: 10, valid: false }], 11, ['standing', 'ignition', 'fresh']],
    ['its position is impossible', [{ at: 0 }, { at: 10, lat: 45 }], 11, ['standing', 'ignition', 'fresh']],
    ['it was towed without a speed', [{ at: 0 }, { at: 120, lat: 41.95 }], 121, ['standing']],
    ['the fix is a minute old', [{ at: 0 }], 61, ['fresh']],
    ['the tracker senses movement', [{ at: 0, movement: true }], 1, ['still']],
  ])('fails when %s', (_, fixes, at, checks) => {
    expect(failing(after(...fixes), at)).toEqual(checks);
  });

  it('passes with the ignition on once all fixes of a minute have a speed of 0', () => {
    expect(judge(after(...every10s(7, { ignition: true })), 61).holds).toBe(true);
    // The minute starts over after every meter.
    const nudged = [
      ...every10s(7, { ignition: true }),
      { at: 70, speed: 1, ignition: true },
      { at: 80, ignition: true },
    ];
    expect(failing(after(...nudged), 81)).toEqual(['ignition']);
  });

  it('lets a slow tracker’s fix be older, up to five minutes', () => {
    const slow = [0, 120, 240].map(at => ({ at, speed: 10, ignition: true }));
    expect(judge(after(...slow, { at: 360 }), 360 + 239).holds).toBe(true);
    expect(failing(after(...slow, { at: 360 }), 360 + 241)).toEqual(['fresh']);
    const hourly = [0, 3000, 6000].map(at => ({ at, speed: 10, ignition: true, lat: 41.9 + at / 1e5 }));
    expect(failing(after(...hourly, { at: 6600, lat: 41.96 }), 6600 + 301)).toEqual(['fresh']);
  });

  it('uses our clock, too: a fix that came long ago is old, whatever its own time', () => {
    const { motion, newest } = after({ at: 100 });
    const early = newest && { ...newest, receivedAt: epochMs(START) };
    expect(interlock(motion, early, epochMs(START + 101_000)).holds).toBe(false);
  });

  it('never passes after a fix with a speed, whatever came before', () => {
    const fix = fc.record({
      gap: fc.integer({ min: 1, max: 400 }),
      speed: fc.constantFrom(0, 0, 0.1, 3, 20),
      ignition: fc.constantFrom(true, false, null),
    });
    fc.assert(
      fc.property(fc.array(fix, { maxLength: 30 }), fc.integer({ min: 0, max: 400 }), (before, laterS) => {
        let at = 0;
        const fixes = before.map(({ gap, ...rest }) => {
          at += gap;
          return { ...rest, at };
        });
        const last = { at: at + 10, speed: 5, ignition: false };
        expect(judge(after(...fixes, last), at + 10 + laterS).holds).toBe(false);
      }),
    );
  });
});
