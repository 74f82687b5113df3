import { type EpochMs, epochMs } from '@milepost/units';
import { near, scaleAt } from '../fences/ellipsoid.ts';
import type { FenceIndex } from '../fences/fence-index.ts';
import { type FenceFix, FenceFollower } from '../fences/follower.ts';
import type { FenceEvent, FollowerState } from '../fences/follower-state.ts';
import type { LatLon } from '../fix.ts';
import { CIRCLE, circleAround, seenFrom } from './moving-circle.ts';
import { lastUntil, placeInTime } from './place-in-time.ts';
import type { RuleEvent, RuleFix, RuleTrigger, WatchedRule } from './rule.ts';
import { begunAt, demanded, type Episode, isWithin, laterDue } from './rule-state.ts';

type NearTrigger = Extract<RuleTrigger, { kind: 'near' | 'apart' }>;
export interface NearRule extends WatchedRule {
  readonly trigger: NearTrigger;
}

export const isNearRule = (rule: WatchedRule): rule is NearRule =>
  rule.trigger.kind === 'near' || rule.trigger.kind === 'apart';

interface RuleState {
  readonly version: number;
  /** The others that are followed, because they are not far away. */
  readonly pairs: Readonly<Record<number, FollowerState>>;
  readonly episode: Episode | null;
  /** The other vehicle that the episode began with. */
  readonly otherId: number | null;
  /** When it was last known how far that one is. */
  readonly known: EpochMs | null;
  readonly alertedAt: EpochMs | null;
}

/** Of one vehicle and its rules about others; plain JSON. */
export interface NearState {
  /** Every moment until this one is watched. */
  readonly through: EpochMs;
  readonly rules: Readonly<Record<number, RuleState>>;
}

interface Watched extends Omit<RuleState, 'pairs' | 'version'> {
  readonly pairs: Map<number, FenceFollower>;
  episode: Episode | null;
  otherId: number | null;
  known: EpochMs | null;
  alertedAt: EpochMs | null;
}

/**
 * Fixes in the order of time: from the last one before the first moment that is watched (own ones from the last before
 * `since`) to the first one after the last moment.
 */
export interface Tracks {
  readonly own: readonly RuleFix[];
  readonly others: ReadonlyMap<number, readonly FenceFix[]>;
}

/** A crossing is known a few fixes after it happened. */
const SETTLE_MS = 2 * 60_000;
/** Meters beyond the circle from which on the other vehicle is followed; twice as far, it is let go. */
export const REACH = 2000;

/**
 * Watches rules about the distance of one vehicle to others, at each moment at which one of the two reported: the other
 * one is then where its fixes before and after say. So the same fixes give the same alerts, in whatever order the
 * vehicles' reports came in. docs/adr/0018.
 */
export class NearFollower {
  readonly #rules: readonly NearRule[];
  readonly #fences: FenceIndex;
  readonly #circles: ReadonlyMap<number, FenceIndex>;
  readonly #states: Map<number, Watched>;
  #through: EpochMs;
  #events: RuleEvent[] = [];

  constructor(rules: readonly NearRule[], fences: FenceIndex, { rules: known, through }: NearState) {
    this.#rules = rules;
    this.#fences = fences;
    this.#through = through;
    this.#circles = new Map(rules.map(({ id, trigger }) => [id, circleAround(trigger.meters)]));
    this.#states = new Map(
      rules.map(({ id, version }) => {
        const state = known[id];
        const isKnown = state?.version === version;
        const pairs = Object.entries(isKnown ? state.pairs : {}).map(([other, followed]): [number, FenceFollower] => [
          Number(other),
          this.#pair(id, followed),
        ]);
        const { alertedAt = null, episode = null, known: at = null, otherId = null } = isKnown ? state : {};
        return [id, { pairs: new Map(pairs), alertedAt, episode, known: at, otherId }];
      }),
    );
  }

  get through(): EpochMs {
    return this.#through;
  }

  /**
   * No alert from here on can have begun, or have been due, before this: own fixes are needed from then on. Vehicles
   * that sent nothing can't change it.
   */
  since(isHeard: (otherId: number) => boolean): EpochMs {
    let since: number = this.#through;
    for (const { episode, otherId, pairs } of this.#states.values()) {
      if (episode?.due && otherId !== null && isHeard(otherId)) since = Math.min(since, episode.due);
      for (const [id, pair] of pairs) if (isHeard(id)) since = Math.min(since, pair.undecidedSince ?? since);
    }
    return epochMs(since);
  }

  /** Watches every moment until `to`, this one included. */
  take(tracks: Tracks, to: EpochMs): RuleEvent[] {
    for (const rule of this.#rules) this.#leaveOthers(rule);
    for (const { at, otherId } of momentsOf(tracks, this.#through, to)) {
      const own = placeInTime(tracks.own, at);
      if (own === null) continue;
      for (const rule of this.#rules) {
        for (const id of rule.trigger.others) {
          if (otherId === null || id === otherId) this.#look(rule, id, own, tracks);
        }
      }
    }
    this.#through = epochMs(Math.max(this.#through, to));
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Whether what is known of this other vehicle bears on a rule, however far away it is. */
  follows(otherId: number): boolean {
    return [...this.#states.values()].some(state => state.otherId === otherId || state.pairs.has(otherId));
  }

  /** The rules of which an alert lasts. */
  *standing(): Generator<{ readonly ruleId: number; readonly fenceId: null }> {
    for (const [ruleId, { episode }] of this.#states) if (episode?.hasAlerted) yield { ruleId, fenceId: null };
  }

  state(): NearState {
    const rules = this.#rules.map(({ id, version }) => {
      const { alertedAt, episode, known, otherId, pairs } = this.#of(id);
      const followed = Object.fromEntries([...pairs].map(([other, pair]) => [other, pair.state()]));
      return [id, { version, pairs: followed, alertedAt, episode, known, otherId }] as const;
    });
    return { through: this.#through, rules: Object.fromEntries(rules) };
  }

  #of(ruleId: number): Watched {
    const state = this.#states.get(ruleId);
    if (!state) throw new TypeError(`Rule ${ruleId} is not watched`);
    return state;
  }

  /** Vehicles that the rule is no longer about: they were moved to another folder, or deleted. */
  #leaveOthers(rule: NearRule): void {
    const { kind, others } = rule.trigger;
    const state = this.#of(rule.id);
    for (const id of state.pairs.keys()) if (!others.has(id)) state.pairs.delete(id);
    const isOver = kind === 'near' ? !this.#isAnyNear(state) : others.size === 0;
    const wasLeft = state.otherId !== null && !others.has(state.otherId);
    if (!wasLeft) return;
    const { episode } = state;
    if (isOver) state.episode = null;
    if (isOver && episode?.hasAlerted) this.#emit(rule, state, 'ended', episode, this.#through);
    const [next = null] = kind === 'near' ? this.#near(state) : others;
    state.otherId = isOver ? null : next;
  }

  /** Those within the distance. */
  *#near({ pairs }: Watched): Generator<number> {
    for (const [id, pair] of pairs) if (pair.entry(CIRCLE) !== null) yield id;
  }

  #isAnyNear(state: Watched): boolean {
    return this.#near(state).next().done !== true;
  }

  #pair(ruleId: number, followed?: FollowerState): FenceFollower {
    const circle = this.#circles.get(ruleId);
    if (!circle) throw new TypeError(`Rule ${ruleId} is not watched`);
    return new FenceFollower(circle, followed);
  }

  #look(rule: NearRule, id: number, own: FenceFix, tracks: Tracks): void {
    const other = placeInTime(tracks.others.get(id) ?? [], own.time);
    if (other === null) return;
    const state = this.#of(rule.id);
    const { meters } = rule.trigger;
    let pair = state.pairs.get(id);
    if (!pair) {
      if (isBeyond(own, other, meters + REACH)) {
        this.#note(rule, state, id, own.time, tracks);
        return;
      }
      pair = this.#pair(rule.id);
      state.pairs.set(id, pair);
      const before = seenBefore(own.time, id, tracks);
      if (before) pair.take(before);
    }
    for (const event of pair.take(seenFrom(own, other))) this.#cross(rule, state, id, event, tracks);
    this.#note(rule, state, id, own.time, tracks);
    const isGone = pair.phase(CIRCLE) === 'outside' && isBeyond(own, other, meters + 2 * REACH);
    if (isGone) state.pairs.delete(id);
  }

  #cross(rule: NearRule, state: Watched, id: number, { entry, exit, kind }: FenceEvent, tracks: Tracks): void {
    const isNear = rule.trigger.kind === 'near';
    const isAlone = [...state.pairs].every(([each, pair]) => each === id || pair.entry(CIRCLE) === null);
    if (!isAlone) return;
    if (kind !== 'exit') {
      if (isNear) this.#begin(rule, state, id, entry.at, entry.after !== null, tracks);
      else this.#end(rule, state, entry.at, tracks);
    }
    if (exit === null) return;
    if (isNear) this.#end(rule, state, exit.at, tracks);
    else this.#begin(rule, state, id, exit.at, true, tracks);
  }

  /** Of a vehicle that was there from the first fix, it isn't known that it came. */
  #begin(rule: NearRule, state: Watched, id: number, at: EpochMs, isKnown: boolean, tracks: Tracks): void {
    const { longer } = rule.trigger;
    const due = longer > 0 || isKnown ? epochMs(at + longer) : null;
    state.otherId = id;
    state.episode = { ...begunAt({ at, ...ownPlace(tracks, at) }), due };
    if (longer === 0) this.#alertIfDue(rule, state, at, tracks);
  }

  #end(rule: NearRule, state: Watched, at: EpochMs, tracks: Tracks): void {
    this.#alertIfDue(rule, state, at, tracks);
    const { episode } = state;
    state.episode = null;
    if (episode?.hasAlerted) this.#emit(rule, state, 'ended', episode, epochMs(Math.max(at, episode.began)));
  }

  /** How far the other one is was known at this moment. */
  #note(rule: NearRule, state: Watched, id: number, at: EpochMs, tracks: Tracks): void {
    if (state.otherId !== id) return;
    state.known = at;
    this.#alertIfDue(rule, state, epochMs(at - SETTLE_MS), tracks);
  }

  #alertIfDue(rule: NearRule, state: Watched, until: EpochMs, tracks: Tracks): void {
    const { episode } = state;
    let at = episode?.due ?? null;
    if (episode === null) return;
    while (at !== null && at <= until && !this.#holds(rule, tracks, at, episode.began)) {
      at = laterDue(rule, episode.began, at);
      state.episode = { ...episode, due: at };
    }
    if (at === null || at > until) return;
    const isMuted = state.alertedAt !== null && at - state.alertedAt < rule.repeat;
    state.episode = { ...episode, due: null, hasAlerted: !isMuted };
    if (!isMuted && at >= rule.since) state.alertedAt = at;
    this.#emit(rule, state, isMuted ? 'muted' : 'alert', episode, at);
  }

  /** The rule counts at this moment, for what began then. */
  #holds(rule: NearRule, tracks: Tracks, at: EpochMs, began: EpochMs): boolean {
    const fix = tracks.own[lastUntil(tracks.own, at)];
    if (!isWithin(rule, at) || !fix) return false;
    const place = ownPlace(tracks, at);
    const isIn = (fences: ReadonlySet<number>): boolean =>
      [...fences].some(id => (this.#fences.get(id)?.area.signedDistance(place) ?? 1) <= 0);
    const { fences, where } = rule;
    if (where !== null && fences !== null && isIn(fences) !== (where === 'inside')) return false;
    const longer = demanded(rule, { at, fix, isIn });
    return longer !== null && at - began >= longer;
  }

  #emit(rule: NearRule, { otherId }: Watched, what: RuleEvent['what'], episode: Episode, at: EpochMs): void {
    if (what !== 'ended' && at < rule.since) return;
    const { began, lat, lon } = episode;
    const nothing = { fenceId: null, figures: null, crossing: null, expected: null };
    this.#events.push({ ruleId: rule.id, what, began, at, lat: Number(lat), lon: Number(lon), otherId, ...nothing });
  }
}

/** When one of the vehicles reported, in order; `otherId` is null for the vehicle itself. */
function momentsOf({ others, own }: Tracks, after: EpochMs, to: EpochMs) {
  const moments: { readonly at: EpochMs; readonly otherId: number | null }[] = [];
  const add = (fixes: readonly FenceFix[], otherId: number | null): void => {
    const last = lastUntil(fixes, to);
    for (let nth = lastUntil(fixes, after) + 1; nth <= last; nth++) {
      moments.push({ at: (fixes[nth] as FenceFix).time, otherId });
    }
  };
  add(own, null);
  for (const [id, fixes] of others) add(fixes, id);
  return moments.sort((a, b) => a.at - b.at || (a.otherId ?? 0) - (b.otherId ?? 0));
}

/** How one vehicle saw the other when one of them last reported before a moment; null if that isn't known. */
function seenBefore(at: EpochMs, id: number, { others, own }: Tracks): FenceFix | null {
  const fixes = others.get(id) ?? [];
  const times = [own[lastUntil(own, at - 1)]?.time, fixes[lastUntil(fixes, at - 1)]?.time];
  const before = epochMs(Math.max(...times.map(time => time ?? Number.NEGATIVE_INFINITY)));
  if (!Number.isFinite(before)) return null;
  const [from, to] = [placeInTime(own, before), placeInTime(fixes, before)];
  return from && to && seenFrom(from, to);
}

function ownPlace({ own }: Tracks, at: EpochMs): LatLon {
  const place = placeInTime(own, at) ?? own[Math.max(0, lastUntil(own, at))];
  if (!place) throw new TypeError('A vehicle without fixes is near to nothing');
  return { lat: place.lat, lon: place.lon };
}

/** Certainly further apart, by degrees alone: most vehicles are. */
function isBeyond(one: LatLon, other: LatLon, meters: number): boolean {
  const { north } = scaleAt(0);
  if (Math.abs(one.lat - other.lat) * north > meters) return true;
  const lat = Math.max(Math.abs(one.lat), Math.abs(other.lat));
  if (lat > 85) return false;
  return Math.abs(near(other.lon, one.lon) - one.lon) * scaleAt(lat).east > meters * 1.01;
}
