import { type EpochMs, epochMs } from '@milepost/units';
import { type FollowerState, NOTHING_FOLLOWED } from '../fences/follower.ts';
import type { FuelLevel } from './fuel-level.ts';
import type { RuleFix, WatchedRule } from './rule.ts';

/** Something a rule is about, from its beginning on. */
export interface Episode {
  readonly began: EpochMs;
  readonly lat: number;
  readonly lon: number;
  /** When it becomes an alert; null if it did, or doesn't. */
  readonly due: EpochMs | null;
  readonly hasAlerted: boolean;
  /** The last fix that was part of it. */
  readonly last: EpochMs;
  /** The extreme of what is measured. */
  readonly top: number | null;
  readonly crossing?: 'in' | 'out';
  /** The geofence that should have been visited instead. */
  readonly expected?: number;
}

export interface RuleState {
  readonly version: number;
  /** By geofence, or under 0. */
  readonly episodes: Readonly<Record<number, Episode>>;
  readonly alertedAt: EpochMs | null;
  /** Of a rule about moments: how far it has looked for them. */
  readonly clock: EpochMs | null;
  /** Of a rule about fuel. */
  readonly fuel?: FuelLevel | null;
  /** Of a rule about the ignition: it was the other way. */
  readonly isArmed?: boolean;
  /** Of a rule about the order of visits: which of its geofences comes next. */
  readonly next?: number;
}

/** Of one vehicle and its rules; plain JSON. */
export interface RulesState {
  readonly followed: FollowerState;
  /** The driver's card in its last fix. */
  readonly card?: string | null;
  readonly rules: Readonly<Record<number, RuleState>>;
}

export const NO_RULES_FOLLOWED: RulesState = { followed: NOTHING_FOLLOWED, rules: {} };

/** Under which an episode is that is about no geofence. */
export const NO_FENCE = 0;

export const isAboutFences = ({ trigger: { kind } }: WatchedRule): boolean =>
  kind === 'enter' || kind === 'exit' || kind === 'cross' || kind === 'stay' || kind === 'absent' || kind === 'order';

export const isFor = ({ fences }: WatchedRule, id: number): boolean => fences === null || fences.has(id);

export const isWithin = ({ when }: WatchedRule, at: EpochMs): boolean => when === null || when.isWithin(at);

/** What else must be true; what a fix doesn't say isn't. */
export function holds({ conditions }: WatchedRule, fix: Pick<RuleFix, 'speed' | 'ignition' | 'card'>): boolean {
  if (conditions === null) return true;
  const { drivers, from, ignition } = conditions;
  if (ignition !== null && fix.ignition !== ignition) return false;
  if (from !== null && (fix.speed === null || fix.speed < from)) return false;
  return drivers === null || (fix.card === null ? drivers.isUsual : drivers.cards.has(fix.card));
}

export const fenceOf = (id: number): number | null => (id === NO_FENCE ? null : id);

/** When what began then has lasted long enough; in a geofence also at a time when the rule counts. */
export function dueOf({ trigger, when }: WatchedRule, began: EpochMs): EpochMs | null {
  const due = epochMs(began + ('longer' in trigger ? trigger.longer : 0));
  return trigger.kind === 'stay' && when ? when.next(due) : due;
}

export const begunAt = ({
  at,
  lat,
  lon,
}: {
  readonly at: EpochMs;
  readonly lat: number;
  readonly lon: number;
}): Episode => ({
  began: at,
  lat,
  lon,
  due: null,
  hasAlerted: false,
  last: at,
  top: null,
});

export const least = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
