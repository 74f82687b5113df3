import { metres, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixAt, placeAt } from '../testing/drift.ts';
import { compileFence } from './area.ts';
import { DEFAULT_EDGE, FenceIndex } from './fence-index.ts';
import { FENCE_INPUTS, FENCE_PHASES, FENCE_STATES, type FenceInput, type FencePhase } from './fence-states.ts';
import { type FenceFix, FenceFollower } from './follower.ts';

const YARD = 1;
/** One fix far enough past the edge is certain. */
const FENCES = new FenceIndex([
  {
    id: YARD,
    area: compileFence({ kind: 'circle', center: placeAt(0, 0), radius: metres(100) }),
    edge: { ...DEFAULT_EDGE, minFixes: 1 },
  },
]);

/** Seconds since the fix before, and meters east of the middle; it drives, unless it stands. */
type Step = readonly [seconds: number, east: number, stands?: 'stands'];
const SIX_MINUTES = 360;

function fixesOf(steps: readonly Step[]): FenceFix[] {
  let time = 0;
  return steps.map(([seconds, east, stands]) => {
    time += seconds * 1000;
    return fixAt(time, east, 0, { speed: metresPerSecond(stands ? 0 : 10) });
  });
}

/** How a vehicle gets into each state. */
const outside: readonly Step[] = [
  [5, -500],
  [5, -450],
  [5, -400],
  [5, -350],
  [5, -300],
];
const inside: readonly Step[] = [...outside, [25, -50]];
const WAY_TO: Readonly<Record<FencePhase, readonly Step[]>> = {
  outside,
  entering: [...outside, [21, -97]],
  inside,
  dwelling: [...inside, [SIX_MINUTES, 0]],
  exiting: [...inside, [16, 110]],
};

/** What then says each of the inputs; null for what can't be. */
const THEN: Readonly<Record<FencePhase, Readonly<Record<FenceInput, readonly Step[] | null>>>> = {
  outside: {
    same: [[5, -250]],
    sameLong: null,
    through: [[60, 300]],
    past: [[21, -90]],
    certain: [[25, -50]],
    certainLong: [[SIX_MINUTES, -50]],
  },
  entering: {
    same: [[5, -150]],
    sameLong: null,
    through: [[40, 300]],
    past: [[1, -90]],
    certain: [[5, -50]],
    // It stood just past the edge for some minutes.
    certainLong: [
      [60, -97, 'stands'],
      [SIX_MINUTES, -97, 'stands'],
      [5, -60],
      [5, -20],
      [5, 20],
    ],
  },
  inside: {
    same: [[5, 0]],
    sameLong: [[SIX_MINUTES, 0]],
    through: null,
    past: [[16, 110]],
    certain: [[20, 150]],
    certainLong: [[SIX_MINUTES, 150]],
  },
  dwelling: {
    // Its visit is long already.
    same: null,
    sameLong: [[5, 20]],
    through: null,
    past: [[11, 110]],
    certain: null,
    certainLong: [[15, 150]],
  },
  exiting: {
    same: [[6, 50]],
    sameLong: [[SIX_MINUTES, 50]],
    through: null,
    past: [[1, 115]],
    certain: [[4, 150]],
    certainLong: [[SIX_MINUTES, 150]],
  },
};

const ROWS = FENCE_PHASES.flatMap(phase => FENCE_INPUTS.map(input => [phase, input] as const));

describe('[R7.37] the states of a vehicle and a geofence', () => {
  it.each(ROWS)('%s, and a fix that says %s', (phase, input) => {
    const { event, to } = FENCE_STATES[phase][input];
    const follower = new FenceFollower(FENCES);
    for (const fix of fixesOf(WAY_TO[phase])) follower.take(fix);
    expect(follower.phase(YARD)).toBe(phase);
    const then = THEN[phase][input];
    if (then === null) return;
    const events = fixesOf([...WAY_TO[phase], ...then])
      .slice(WAY_TO[phase].length)
      .flatMap(fix => follower.take(fix));
    expect(events.map(({ kind }) => kind)).toEqual(event === null ? [] : [event]);
    expect(follower.phase(YARD)).toBe(to);
    expect(follower.entry(YARD) !== null).toBe(FENCE_STATES[to] === FENCE_STATES.inside);
  });

  it('has a row for each step of any journey, and what can’t be is never seen', () => {
    const step = fc.tuple(fc.constantFrom(5, 20, 60, SIX_MINUTES), fc.integer({ min: -30, max: 30 }), fc.boolean());
    const can = new Set(
      ROWS.filter(([phase, input]) => THEN[phase][input] !== null).map(([phase, input]) => {
        const { event, to } = FENCE_STATES[phase][input];
        return `${phase} ${to} ${event}`;
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const follower = new FenceFollower(FENCES);
        let east = 0;
        const fixes = fixesOf(
          steps.map(([seconds, tens, stands]): Step => {
            east = Math.max(-400, Math.min(400, east + (stands ? tens / 10 : tens * 10)));
            return stands ? [seconds, east, 'stands'] : [seconds, east];
          }),
        );
        for (const [nth, fix] of fixes.entries()) {
          const before = follower.phase(YARD);
          const [event] = follower.take(fix);
          // Where the first fix is, the vehicle is.
          if (nth > 0) expect(can).toContain(`${before} ${follower.phase(YARD)} ${event?.kind ?? null}`);
        }
      }),
    );
  });
});
