import { degrees, epochMs, fromKilometresPerHour, metres } from '@milepost/units';
import fc from 'fast-check';
import type { Fix } from '../fix.ts';
import { destination } from '../sphere.ts';

/** The tests' clock starts on a Saturday in November. */
export const START = Date.UTC(2026, 10, 21, 8, 0, 0);
export const CHICAGO = { lat: degrees(41.8781), lon: degrees(-87.6298) };

/** A reliable fix `atS` seconds after START, `eastM` meters east of the center of Chicago. */
export function fixAt(atS: number, kmh: number | null, over: Partial<Fix> & { eastM?: number } = {}): Fix {
  const { eastM = 0, ...rest } = over;
  return {
    time: epochMs(START + atS * 1000),
    ...destination(CHICAGO, degrees(90), metres(eastM)),
    speed: kmh === null ? null : fromKilometresPerHour(kmh),
    course: null,
    ignition: true,
    valid: true,
    doubts: [],
    ...rest,
  };
}

interface Step {
  readonly gapS: number;
  readonly kmh: number;
  readonly ignition: boolean | null;
  readonly quality: 'good' | 'invalid' | 'jump';
  readonly speedSent: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  gapS: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 90 }) },
    { weight: 2, arbitrary: fc.integer({ min: 90, max: 2000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 2000, max: 100_000 }) },
  ),
  kmh: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 8 }), fc.integer({ min: 5, max: 110 })),
  ignition: fc.constantFrom(true, true, false, null),
  quality: fc.oneof(
    { weight: 10, arbitrary: fc.constant('good' as const) },
    { weight: 1, arbitrary: fc.constant('invalid' as const) },
    { weight: 1, arbitrary: fc.constant('jump' as const) },
  ),
  speedSent: fc.boolean(),
});

/** A drive east with halts, silences, invalid fixes and jumps; its times are strictly ascending. */
export const driveArbitrary: fc.Arbitrary<Fix[]> = fc.array(step, { minLength: 1, maxLength: 60 }).map(steps => {
  let atS = 0;
  let eastM = 0;
  return steps.map(({ gapS, kmh, ignition, quality, speedSent }) => {
    atS += gapS;
    eastM += Math.min((kmh / 3.6) * gapS, 50_000);
    const jumped = quality === 'jump' ? 900_000 : 0;
    return fixAt(atS, speedSent ? kmh : null, { eastM: eastM + jumped, ignition, valid: quality !== 'invalid' });
  });
});
