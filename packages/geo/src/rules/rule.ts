import type { EpochMs, MetresPerSecond } from '@milepost/units';
import type { Schedule } from './schedule.ts';

/** What a rule waits for. Times are milliseconds. */
export type RuleTrigger =
  | { readonly kind: 'enter' }
  /** Left and not back within `away`. */
  | { readonly kind: 'exit'; readonly away: number }
  | { readonly kind: 'stay'; readonly longer: number }
  /** In none of its geofences at a moment; `next` is the first one after another. */
  | { readonly kind: 'absent'; readonly next: (after: EpochMs) => EpochMs | null }
  | { readonly kind: 'speed'; readonly over: MetresPerSecond; readonly longer: number }
  | { readonly kind: 'idle'; readonly longer: number }
  | { readonly kind: 'drive' }
  /** Moves with the ignition off. */
  | { readonly kind: 'tow' };

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
  /** Milliseconds until it can alert about the same vehicle again. */
  readonly repeat: number;
  /** What happened before was never alerted, and isn't now. */
  readonly since: EpochMs;
}

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
  /** The highest speed until now, of a rule about speed. */
  readonly top: MetresPerSecond | null;
}
