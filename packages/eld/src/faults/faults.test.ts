import { type EpochMs, epochMs, fromMiles } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FaultState, indicatorsOf, NO_FAULTS } from './fault-state.ts';
import { advanceFaults } from './faults.ts';
import type { Observation } from './observation.ts';
import { type RollingDay, totalOf, withStretch } from './rolling-day.ts';

const START = Date.parse('2026-02-03T14:00:00Z');
const at = (minutes: number): EpochMs => epochMs(START + minutes * 60_000);
const HOURS = 60;

type Without<T> = T extends Observation ? Omit<T, 'at'> : never;
/** The faults logged (`+P`) and cleared (`-P`), with the minute. */
function watch(...observations: (readonly [minute: number, Without<Observation>])[]) {
  let state: FaultState = NO_FAULTS;
  const logged: string[] = [];
  for (const [minute, observation] of observations) {
    const step = advanceFaults(state, { ...observation, at: at(minute) } as Observation);
    ({ state } = step);
    logged.push(...step.marks.map(({ code, faultCode }) => `${code % 2 ? '+' : '-'}${faultCode} ${minute}`));
  }
  return { logged, state };
}

describe('malfunctions and data diagnostics', () => {
  it('1 and P: power', () => {
    const powered = (engine: number) => ({ kind: 'powered', engineOnAt: at(engine) }) as const;
    expect(watch([1, powered(0)], [12.1, powered(11)], [20, powered(20)]).logged).toEqual(['+1 12.1', '-1 20']);
    const missed = (from: number, to: number) => ({ kind: 'missed-driving', from: at(from), to: at(to) }) as const;
    const twice = watch([20, missed(0, 16)], [60, missed(40, 54)], [24 * HOURS + 61, missed(61, 62)]);
    expect(twice.logged).toEqual(['+1 20', '+P 60', '-P 1501']);
  });

  it('2 and E: engine synchronization', () => {
    const sources = (available: boolean) => ({ kind: 'engine-sources', available }) as const;
    const short = watch([0, sources(false)], [0.05, sources(false)], [0.1, sources(false)], [0.2, sources(true)]);
    expect(short.logged).toEqual(['+2 0.1', '-2 0.2']);
    const long = watch(
      [0, sources(false)],
      [20, sources(true)],
      [100, sources(false)],
      [111, sources(false)],
      [112, sources(true)],
      [24 * HOURS + 15, sources(true)],
    );
    expect(long.logged).toEqual(['+2 111', '+E 111', '-2 112', '-E 1455']);
  });

  it('T: the clock is more than ten minutes off', () => {
    const clock = (seconds: number) => ({ kind: 'clock', offset: seconds * 1000 }) as const;
    expect(watch([0, clock(600)], [1, clock(-600)], [2, clock(-601)], [3, clock(5)]).logged).toEqual(['+T 2', '-T 3']);
  });

  it('L: more than an hour in a day beyond five miles from the last fix', () => {
    const position = (valid: boolean, miles: number) => ({ kind: 'position', valid, since: fromMiles(miles) }) as const;
    const { logged } = watch(
      [0, position(false, 4)],
      [30, position(false, 5.1)],
      [75, position(true, 0)],
      [100, position(false, 6)],
      [115, position(false, 14)],
      [116, position(false, 15)],
      [117, position(true, 0)],
      [24 * HOURS + 50, position(true, 0)],
    );
    expect(logged).toEqual(['+L 116', '-L 1490']);
  });

  it('R, 3, 4 and S: recording, missing elements, transfer', () => {
    const recording = (works: boolean) => ({ kind: 'recording', works }) as const;
    expect(
      watch([0, recording(true)], [1, recording(false)], [2, recording(false)], [3, recording(true)]).logged,
    ).toEqual(['+R 1', '-R 3']);
    const elements = (complete: boolean) => ({ kind: 'elements', complete }) as const;
    expect(watch([0, elements(false)], [1, elements(true)]).logged).toEqual(['+3 0', '-3 1']);
    const transfer = (confirmed: boolean) => ({ kind: 'transfer', confirmed }) as const;
    const { logged, state } = watch(
      [0, transfer(false)],
      [1, transfer(false)],
      [2, transfer(false)],
      [3, transfer(false)],
      [4, transfer(true)],
    );
    expect(logged).toEqual(['+4 0', '+S 3', '-4 4', '-S 4']);
    expect(state.nextTransferCheck).toBe(at(4 + 7 * 24 * HOURS));
    expect(watch([0, transfer(false)]).state.nextTransferCheck).toBe(at(24 * HOURS));
  });

  it('5: unidentified driving, until the week contains only a little', () => {
    const driven = (...stretches: [number, number][]) =>
      ({
        kind: 'unidentified',
        driving: stretches.map(([from, to]) => ({ from: at(from), to: at(to) })),
        periodStart: at(-7 * 24 * HOURS),
      }) as const;
    expect(
      watch([60, driven([0, 30])], [61, driven([0, 31])], [3000, driven([0, 16])], [3001, driven([0, 15])]).logged,
    ).toEqual(['+5 61', '-5 3001']);
    // Twenty minutes a day stay below the limit on any day.
    expect(watch([3000, driven([0, 20], [2000, 2020])]).logged).toEqual([]);
  });

  it('turn on the two indicators', () => {
    const { state } = watch([0, { kind: 'recording', works: false }], [1, { kind: 'elements', complete: false }]);
    expect(indicatorsOf(state)).toEqual({ malfunction: true, diagnostic: true });
    expect(indicatorsOf(NO_FAULTS)).toEqual({ malfunction: false, diagnostic: false });
  });

  it('are only partly checked while the driver is exempt', () => {
    const missing = { kind: 'elements', complete: false, at: at(0) } as const;
    expect(advanceFaults(NO_FAULTS, missing, true)).toEqual({ state: NO_FAULTS, marks: [] });
    expect(advanceFaults(NO_FAULTS, { kind: 'recording', works: false, at: at(0) }, true).marks).toHaveLength(1);
  });
});

describe('a rolling day', { timeout: 60_000 }, () => {
  it('sums the last 24 hours, however the time is split, and stays bounded', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 60 })), {
      maxLength: 200,
    });
    fc.assert(
      fc.property(steps, stretches => {
        let day: RollingDay = [];
        let clock = 0;
        const minutes = new Set<number>();
        for (const [gap, length] of stretches) {
          day = withStretch(day, clock + gap, clock + gap + length);
          for (let i = 0; i < length; i++) minutes.add(clock + gap + i);
          clock += gap + length;
        }
        const dayMs = 24 * 3_600_000;
        expect(totalOf(day, clock)).toBe([...minutes].filter(minute => minute >= clock - dayMs).length);
      }),
    );
    let many: RollingDay = [];
    for (let i = 0; i < 5000; i++) many = withStretch(many, i * 2, i * 2 + 1);
    expect(many.length).toBeLessThanOrEqual(1440);
  });
});
