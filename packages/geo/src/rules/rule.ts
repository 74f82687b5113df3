import type { Celsius, EpochMs, MetresPerSecond, Percent, Volts } from '@milepost/units';
import type { FenceFix } from '../fences/follower.ts';
import type { Schedule } from './schedule.ts';

/** A reliable fix with what was measured at it; null where the tracker doesn't say, or no rule asks. */
export interface RuleFix extends FenceFix {
  readonly temperature: Celsius | null;
  /** Of a tank. */
  readonly fuel: Percent | null;
  /** The vehicle's supply. */
  readonly supply: Volts | null;
  /** The tracker's own. */
  readonly battery: Percent | null;
  /** The driver's card in the report, as drivers' cards are kept; null without one that is believed. */
  readonly card: string | null;
}

/** What a rule waits for. Times are milliseconds. */
export type RuleTrigger =
  | { readonly kind: 'enter' }
  /** Left and not back within `away`. */
  | { readonly kind: 'exit'; readonly away: number }
  /** In or out, each an alert. */
  | { readonly kind: 'cross' }
  | { readonly kind: 'stay'; readonly longer: number }
  /** Visits these geofences in another order, or leaves one out; after the last one comes the first. */
  | { readonly kind: 'order'; readonly stops: readonly number[] }
  /** In none of its geofences at a moment; `next` is the first one after another. */
  | { readonly kind: 'absent'; readonly next: (after: EpochMs) => EpochMs | null }
  | { readonly kind: 'speed'; readonly over: MetresPerSecond; readonly longer: number }
  /** By the limit of a geofence that it is in; the speed at which it is too fast. */
  | { readonly kind: 'limit'; readonly over: ReadonlyMap<number, MetresPerSecond>; readonly longer: number }
  | { readonly kind: 'idle'; readonly longer: number }
  | { readonly kind: 'drive' }
  /** Drives without a card of these, and nobody is signed in; never of a vehicle whose driver is known without one. */
  | {
      readonly kind: 'unidentified';
      readonly cards: ReadonlySet<string>;
      readonly isKnown: boolean;
      readonly isSignedIn?: (at: EpochMs) => boolean;
      readonly longer: number;
    }
  /** Moves with the ignition off. */
  | { readonly kind: 'tow' }
  /** Turns the ignition on, or off. */
  | { readonly kind: 'ignition'; readonly to: boolean }
  /** Colder than `min`, or warmer than `max`. */
  | {
      readonly kind: 'temperature';
      readonly min: Celsius | null;
      readonly max: Celsius | null;
      readonly longer: number;
    }
  | { readonly kind: 'voltage'; readonly below: Volts; readonly longer: number }
  | { readonly kind: 'battery'; readonly below: Percent; readonly longer: number }
  /** Comes so close to one of these vehicles and stays there so long, or gets further away from all of them. */
  | {
      readonly kind: 'near' | 'apart';
      readonly meters: number;
      readonly others: ReadonlySet<number>;
      readonly longer: number;
    }
  /** Has lost so much of a tank that no engine explains. */
  | { readonly kind: 'fuel'; readonly lost: Percent };

/** What else must be true at the moment; all of it. */
export interface RuleConditions {
  /**
   * One of those meant is signed in to the vehicle; where nobody is, the report has one of these cards; or none, and the
   * vehicle's usual driver is one of those meant.
   */
  readonly drivers: {
    readonly cards: ReadonlySet<string>;
    readonly isUsual: boolean;
    /** Whether who is signed in at a moment is one of them; null if nobody is. */
    readonly isSignedIn?: (at: EpochMs) => boolean | null;
  } | null;
  /** At least so fast. */
  readonly from: MetresPerSecond | null;
  readonly ignition: boolean | null;
  /** Null at any time. */
  readonly when: Schedule | null;
  /** It is inside one of these geofences, or outside all of them; null anywhere. */
  readonly places: { readonly fences: ReadonlySet<number>; readonly is: 'inside' | 'outside' } | null;
  /** What the rule is about has lasted so many milliseconds. */
  readonly longer: number;
}

/** A rule as it is watched for one vehicle. */
export interface WatchedRule {
  readonly id: number;
  /** Another version begins anew. */
  readonly version: number;
  readonly trigger: RuleTrigger;
  /** Its geofences; null for any. */
  readonly fences: ReadonlySet<number> | null;
  /** Of a trigger that is not about geofences: it counts only there; null for anywhere. */
  readonly where: 'inside' | 'outside' | null;
  /** When it counts; null for always. */
  readonly when: Schedule | null;
  /** One of these must be true; null for nothing else, none of them if it never is. */
  readonly conditions: readonly RuleConditions[] | null;
  /** Milliseconds until it can alert about the same vehicle again. */
  readonly repeat: number;
  /** What happened before was never alerted, and isn't now. */
  readonly since: EpochMs;
}

/** The extreme until now: the highest speed, the temperature furthest out of range, the lowest level, the fuel lost. */
export type RuleFigures =
  | { readonly speed: MetresPerSecond }
  | { readonly temperature: Celsius }
  | { readonly supply: Volts }
  | { readonly battery: Percent }
  | { readonly fuel: Percent };

export interface RuleEvent {
  readonly ruleId: number;
  /** `muted`: it would have alerted, but did so a short time ago. */
  readonly what: 'alert' | 'muted' | 'ended';
  /** Null if it is about no geofence, or several. */
  readonly fenceId: number | null;
  /** When what it is about began; the same for the alert and its end. */
  readonly began: EpochMs;
  /** When it alerts, or ended. */
  readonly at: EpochMs;
  readonly lat: number;
  readonly lon: number;
  /** Null of a rule that measures nothing. */
  readonly figures: RuleFigures | null;
  /** Of a rule about crossings: which way. */
  readonly crossing: 'in' | 'out' | null;
  /** Of a rule about the order of visits: the geofence that should have been visited instead. */
  readonly expected: number | null;
  /** Of a rule about the distance to others: which vehicle it was. */
  readonly otherId: number | null;
}
