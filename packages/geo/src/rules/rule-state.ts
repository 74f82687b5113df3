import { type EpochMs, epochMs } from '@milepost/units';
import { type FollowerState, NOTHING_FOLLOWED } from '../fences/follower-state.ts';
import type { FuelLevel } from './fuel-level.ts';
import type { RuleConditions, RuleFix, WatchedRule } from './rule.ts';

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

/** A moment at which a rule may count: what the fix says, and where the vehicle is. */
export interface Circumstances {
  readonly at: EpochMs;
  readonly fix: Pick<RuleFix, 'speed' | 'ignition' | 'card'>;
  /** In one of these geofences. */
  readonly isIn: (fences: ReadonlySet<number>) => boolean;
}

/**
 * For how many milliseconds it must have lasted so that one of the conditions is true; null if none is. What a fix
 * doesn't say isn't true.
 */
export function demanded({ conditions }: WatchedRule, moment: Circumstances): number | null {
  if (conditions === null) return 0;
  let longer: number | null = null;
  for (const each of conditions) if (isMet(each, moment)) longer = least(longer, each.longer);
  return longer;
}

function isMet({ drivers, from, ignition, places, when }: RuleConditions, { at, fix, isIn }: Circumstances): boolean {
  if (ignition !== null && fix.ignition !== ignition) return false;
  if (from !== null && (fix.speed === null || fix.speed < from)) return false;
  if (drivers !== null) {
    const byCard = fix.card === null ? drivers.isUsual : drivers.cards.has(fix.card);
    if (!(drivers.isSignedIn?.(at) ?? byCard)) return false;
  }
  if (when !== null && !when.isWithin(at)) return false;
  return places === null || isIn(places.fences) === (places.is === 'inside');
}

/** Schedules that never meet are given up after so many of their beginnings. */
const MEETINGS = 64;

/**
 * Each of the conditions is looked at once: when what began then has lasted long enough for it, at its times. The next
 * such moment after this one; null if there is none.
 */
export function laterDue({ conditions, trigger, when }: WatchedRule, began: EpochMs, after: EpochMs): EpochMs | null {
  let next: number | null = null;
  for (const each of conditions ?? []) {
    const longer = 'longer' in trigger ? trigger.longer : 0;
    let at: EpochMs | null = epochMs(began + Math.max(longer, each.longer));
    for (let nth = 0; at !== null && nth < MEETINGS; nth++) {
      const own: EpochMs | null = each.when === null ? at : each.when.next(at);
      const both: EpochMs | null = own === null || when === null || trigger.kind !== 'stay' ? own : when.next(own);
      if (both === at) break;
      at = nth === MEETINGS - 1 ? null : both;
    }
    if (at !== null && at > after) next = least(next, at);
  }
  return next === null ? null : epochMs(next);
}

/** The geofences that conditions look at. */
export const placesOf = ({ conditions }: WatchedRule): number[] =>
  conditions?.flatMap(({ places }) => [...(places?.fences ?? [])]) ?? [];

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
