import type { FenceFollower } from '../fences/follower.ts';
import type { RuleFigures, RuleFix, RuleTrigger } from './rule.ts';

const MINUTE_MS = 60_000;
/**
 * What lasts may be interrupted for so long: by a hill, a stop light, a nudge, a reading that is wrong. Between readings
 * further apart than the gap, nobody knows whether it went on; what changes slowly is known for longer.
 */
export const LASTING = {
  speed: { pause: 2 * MINUTE_MS, gap: 10 * MINUTE_MS },
  limit: { pause: 30_000, gap: 10 * MINUTE_MS },
  idle: { pause: MINUTE_MS, gap: 10 * MINUTE_MS },
  drive: { pause: 10 * MINUTE_MS, gap: 10 * MINUTE_MS },
  unidentified: { pause: 10 * MINUTE_MS, gap: 10 * MINUTE_MS },
  tow: { pause: 10 * MINUTE_MS, gap: 10 * MINUTE_MS },
  temperature: { pause: 5 * MINUTE_MS, gap: 120 * MINUTE_MS },
  voltage: { pause: MINUTE_MS, gap: 26 * 60 * MINUTE_MS },
  battery: { pause: 5 * MINUTE_MS, gap: 26 * 60 * MINUTE_MS },
} as const;
export type Lasting = keyof typeof LASTING;

/** A temperature must be back in its range by so many degrees, or by a quarter of a narrow range. */
const BACK_KELVIN = 0.5;
/** A supply recovers by that, once its engine runs; a charger brings a battery up by that. */
const BACK_VOLTS = 0.3;
const BACK_PERCENT = 5;

/** Slower than that, it stands; the same as for idling in trips. */
const STANDING = 1.5;

/** Whether what lasts is true of a fix, of a limit in one geofence; null if the fix doesn't say. */
export function isOn(
  trigger: RuleTrigger,
  fix: RuleFix,
  was: boolean,
  follower: Pick<FenceFollower, 'drives' | 'entry'>,
  fenceId: number,
): boolean | null {
  const { ignition, speed } = fix;
  switch (trigger.kind) {
    case 'speed':
      return speed !== null && speed >= trigger.over;
    case 'limit':
      return follower.entry(fenceId) !== null && (speed ?? 0) >= (trigger.over.get(fenceId) ?? Infinity);
    case 'idle':
      return ignition === true && speed !== null && speed < STANDING;
    case 'drive':
      return follower.drives;
    case 'unidentified':
      return follower.drives && isUnidentified(trigger, fix);
    case 'tow':
      return ignition === false && follower.drives;
    default:
      return isBeyond(trigger, fix, was);
  }
}

/**
 * Whether a fix is beyond what a rule allows; null if the fix doesn't say. Once beyond, it is so until it is clearly
 * back, so that a reading that wavers about the limit is one alert.
 */
export function isBeyond(trigger: RuleTrigger, fix: RuleFix, was: boolean): boolean | null {
  switch (trigger.kind) {
    case 'temperature': {
      if (fix.temperature === null) return null;
      const { max, min } = trigger;
      const isNarrow = min !== null && max !== null;
      const back = was ? Math.min(BACK_KELVIN, isNarrow ? (max - min) / 4 : BACK_KELVIN) : 0;
      return (min !== null && fix.temperature < min + back) || (max !== null && fix.temperature > max - back);
    }
    case 'voltage':
      return fix.supply === null ? null : fix.supply < trigger.below + (was ? BACK_VOLTS : 0);
    case 'battery':
      return fix.battery === null ? null : fix.battery < trigger.below + (was ? BACK_PERCENT : 0);
    default:
      return null;
  }
}

/** The extreme of what a rule measures, with that of one more fix; null if it measures nothing. */
export function extremeOf(trigger: RuleTrigger, fix: RuleFix, known: number | null): number | null {
  switch (trigger.kind) {
    case 'speed':
    case 'limit':
      return further(known, fix.speed, Math.max);
    case 'temperature': {
      const { max, min } = trigger;
      const { temperature } = fix;
      if (temperature === null || known === null) return temperature ?? known;
      const outOf = (each: number): number =>
        Math.max(min === null ? -Infinity : min - each, max === null ? -Infinity : each - max);
      return outOf(temperature) > outOf(known) ? temperature : known;
    }
    case 'voltage':
      return further(known, fix.supply, Math.min);
    case 'battery':
      return further(known, fix.battery, Math.min);
    default:
      return null;
  }
}

const further = (known: number | null, now: number | null, pick: (a: number, b: number) => number): number | null =>
  known === null || now === null ? (known ?? now) : pick(known, now);

/** Nobody knows who drives: no card that is a driver's, and no other sign of one. */
const isUnidentified = (
  { cards, isKnown, isSignedIn }: Extract<RuleTrigger, { kind: 'unidentified' }>,
  { card, time }: Pick<RuleFix, 'card' | 'time'>,
): boolean => isSignedIn?.(time) !== true && (card === null ? !isKnown : !cards.has(card));

const FIGURE_OF = {
  speed: 'speed',
  limit: 'speed',
  temperature: 'temperature',
  voltage: 'supply',
  battery: 'battery',
  fuel: 'fuel',
} as const;

/** With its name. */
export function figuresOf({ kind }: RuleTrigger, extreme: number | null): RuleFigures | null {
  if (extreme === null || !(kind in FIGURE_OF)) return null;
  return { [FIGURE_OF[kind as keyof typeof FIGURE_OF]]: extreme } as unknown as RuleFigures;
}
