import { type EpochMs, epochMs, type MetresPerSecond } from '@milepost/units';
import type { FenceIndex } from '../fences/fence-index.ts';
import {
  type FenceEvent,
  type FenceFix,
  FenceFollower,
  type FollowerState,
  NOTHING_FOLLOWED,
} from '../fences/follower.ts';
import type { RuleEvent, WatchedRule } from './rule.ts';

/** Something a rule is about, from its beginning on. */
interface Episode {
  readonly began: EpochMs;
  readonly lat: number;
  readonly lon: number;
  /** When it becomes an alert; null if it did, or doesn't. */
  readonly due: EpochMs | null;
  readonly hasAlerted: boolean;
  /** The last fix that was part of it. */
  readonly last: EpochMs;
  readonly top: MetresPerSecond | null;
}

interface RuleState {
  readonly version: number;
  /** By geofence, or under 0. */
  readonly episodes: Readonly<Record<number, Episode>>;
  readonly alertedAt: EpochMs | null;
  /** Of a rule about moments: how far it has looked for them. */
  readonly clock: EpochMs | null;
}

/** Of one vehicle and its rules; plain JSON. */
export interface RulesState {
  readonly followed: FollowerState;
  readonly rules: Readonly<Record<number, RuleState>>;
}

interface Watched extends Omit<RuleState, 'episodes'> {
  readonly episodes: Map<number, Episode>;
  alertedAt: EpochMs | null;
  clock: EpochMs | null;
}

export const NO_RULES_FOLLOWED: RulesState = { followed: NOTHING_FOLLOWED, rules: {} };

const MINUTE_MS = 60_000;
/** A crossing is known a few fixes after it happened. */
const SETTLE_MS = 2 * MINUTE_MS;
/** Between fixes further apart, nobody knows whether it went on. */
const GAP_MS = 10 * MINUTE_MS;
/** A vehicle that reported nothing for so long isn't expected anywhere. */
const FORGOTTEN_MS = 48 * 60 * MINUTE_MS;
/** Slower than that, it stands; the same as for idling in trips. */
const STANDING = 1.5;
/** What lasts may be interrupted for so long: by a hill, a stop light, a nudge. */
const PAUSE_MS = { speed: 2 * MINUTE_MS, idle: MINUTE_MS, drive: 10 * MINUTE_MS, tow: 10 * MINUTE_MS } as const;
type Lasting = keyof typeof PAUSE_MS;

const NO_FENCE = 0;

/**
 * Watches rules for one vehicle, fix by fix. The same fixes give the same alerts, whether they come live or are read
 * again for a test over past weeks. What lasts becomes an alert when it has lasted long enough: in a geofence also if
 * the tracker sleeps there, otherwise only as far as fixes confirm it.
 */
export class RuleFollower {
  readonly #rules: readonly WatchedRule[];
  readonly #follower: FenceFollower;
  readonly #states: Map<number, Watched>;
  #last: FenceFix | null;
  #events: RuleEvent[] = [];

  constructor(
    fences: FenceIndex,
    rules: readonly WatchedRule[],
    { followed, rules: known }: RulesState = NO_RULES_FOLLOWED,
    /** Nothing is known of these geofences: they changed. */
    isFresh: (fenceId: number) => boolean = () => false,
  ) {
    this.#rules = rules;
    const isAny = rules.some(rule => rule.fences === null && isAboutFences(rule));
    const named = new Set(rules.flatMap(rule => [...(rule.fences ?? [])]));
    this.#follower = new FenceFollower(fences, followed, { follows: id => isAny || named.has(id), isFresh });
    this.#last = followed.last;
    this.#states = new Map(
      rules.map(rule => {
        const state = known[rule.id];
        if (state?.version !== rule.version) return [rule.id, this.#begin(rule, followed)];
        const episodes = Object.entries(state.episodes).map(([id, episode]): [number, Episode] => [
          Number(id),
          episode,
        ]);
        return [rule.id, { ...state, episodes: new Map(episodes.filter(([id]) => id === NO_FENCE || !isFresh(id))) }];
      }),
    );
  }

  /** The next fix; one that is not newer is left out. */
  take(fix: FenceFix): RuleEvent[] {
    if (this.#last !== null && fix.time <= this.#last.time) return [];
    this.#passTime(fix.time);
    const crossed = this.#follower.take(fix);
    for (const rule of this.#rules) {
      if (isAboutFences(rule)) for (const event of crossed) this.#cross(rule, event);
      else this.#follow(rule, fix);
    }
    this.#last = fix;
    return this.#taken();
  }

  /** Time went on without a fix. */
  passTime(to: EpochMs): RuleEvent[] {
    this.#passTime(to);
    return this.#taken();
  }

  /** The next moment at which time alone may bring an alert; null if none will. */
  nextDue(): EpochMs | null {
    let next: number | null = null;
    for (const rule of this.#rules) {
      const { trigger } = rule;
      const { clock, episodes } = this.#of(rule);
      if (trigger.kind === 'absent' && clock !== null) next = least(next, trigger.next(clock));
      else if (isAboutFences(rule)) for (const { due } of episodes.values()) next = least(next, due);
    }
    return next === null ? null : epochMs(next + SETTLE_MS);
  }

  /** The rules, and their geofences, of which an alert lasts. */
  *standing(): Generator<{ readonly ruleId: number; readonly fenceId: number | null }> {
    for (const [ruleId, { episodes }] of this.#states) {
      for (const [id, { hasAlerted }] of episodes) if (hasAlerted) yield { ruleId, fenceId: fenceOf(id) };
    }
  }

  state(): RulesState {
    return {
      followed: this.#follower.state(),
      rules: Object.fromEntries(
        [...this.#states].map(([id, { alertedAt, clock, episodes, version }]) => [
          id,
          { version, alertedAt, clock, episodes: Object.fromEntries(episodes) },
        ]),
      ),
    };
  }

  /** Of a rule that is new: what it is about may have begun before. */
  #begin(rule: WatchedRule, { fences, last }: FollowerState): Watched {
    const episodes = new Map<number, Episode>();
    const { kind } = rule.trigger;
    if (last !== null && (kind === 'stay' || kind === 'enter' || kind === 'absent')) {
      for (const [key, { entry }] of Object.entries(fences)) {
        const id = Number(key);
        if (!entry || !isFor(rule, id)) continue;
        const due = kind === 'stay' ? dueOf(rule, entry.at) : null;
        episodes.set(id, { ...begunAt(entry), due });
      }
    }
    return { version: rule.version, episodes, alertedAt: null, clock: last?.time ?? null };
  }

  #of(rule: WatchedRule): Watched {
    const state = this.#states.get(rule.id);
    if (!state) throw new TypeError(`Rule ${rule.id} is not watched`);
    return state;
  }

  #taken(): RuleEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #passTime(to: EpochMs): void {
    const settled = epochMs(to - SETTLE_MS);
    for (const rule of this.#rules) if (isAboutFences(rule)) this.#passTimeOf(rule, settled);
  }

  /** What a rule has waited for until a moment. */
  #passTimeOf(rule: WatchedRule, to: EpochMs): void {
    if (rule.trigger.kind === 'absent') this.#lookFor(rule, to);
    for (const [id, episode] of this.#of(rule).episodes) {
      if (episode.due !== null && episode.due <= to) this.#alert(rule, id, episode, episode.due);
    }
  }

  #lookFor(rule: WatchedRule, to: EpochMs): void {
    const { trigger } = rule;
    const last = this.#last;
    if (trigger.kind !== 'absent' || last === null) return;
    const state = this.#of(rule);
    const from = state.clock ?? last.time;
    state.clock = epochMs(Math.max(from, to));
    for (let at = trigger.next(from); at !== null && at <= to; at = trigger.next(at)) {
      const isThere = [...state.episodes].some(([id, { began }]) => id !== NO_FENCE && began <= at);
      const known = state.episodes.get(NO_FENCE);
      if (isThere || known || at - last.time > FORGOTTEN_MS) continue;
      const { lat, lon } = last;
      this.#alert(rule, NO_FENCE, { ...begunAt({ at, lat, lon }) }, at);
    }
  }

  #cross(rule: WatchedRule, { entry, exit, fenceId, kind }: FenceEvent): void {
    if (!isFor(rule, fenceId)) return;
    const { trigger } = rule;
    const { episodes } = this.#of(rule);
    const isEntry = kind !== 'exit';
    if (isEntry) {
      this.#passTimeOf(rule, entry.at);
      if (trigger.kind === 'exit' || trigger.kind === 'absent') {
        const id = trigger.kind === 'exit' ? fenceId : NO_FENCE;
        this.#end(rule, id, entry.at);
      }
      if (trigger.kind !== 'exit') {
        const episode = { ...begunAt(entry), due: trigger.kind === 'stay' ? dueOf(rule, entry.at) : null };
        episodes.set(fenceId, episode);
        const cameIn = trigger.kind === 'enter' && entry.after !== null;
        if (cameIn && isWithin(rule, entry.at)) this.#alert(rule, fenceId, episode, entry.at);
      }
    }
    if (exit === null) return;
    this.#passTimeOf(rule, exit.at);
    if (trigger.kind !== 'exit') this.#end(rule, fenceId, exit.at);
    else if (isWithin(rule, exit.at)) {
      const due = epochMs(exit.at + trigger.away);
      const episode = { ...begunAt(exit), due };
      episodes.set(fenceId, episode);
      if (trigger.away === 0) this.#alert(rule, fenceId, episode, exit.at);
    }
  }

  /** Of what is true of fixes, and lasts from one to the next. */
  #follow(rule: WatchedRule, fix: FenceFix): void {
    const { episodes } = this.#of(rule);
    const kind = rule.trigger.kind as Lasting;
    const known = episodes.get(NO_FENCE);
    const isGap = known !== undefined && fix.time - known.last > GAP_MS;
    const isOn = this.#isOn(rule, fix) && this.#isThere(rule) && isWithin(rule, fix.time);
    if (known && (isGap || (!isOn && fix.time - known.last > PAUSE_MS[kind]))) this.#end(rule, NO_FENCE, known.last);
    if (!isOn) return;
    const { lat, lon, speed, time } = fix;
    const begun = episodes.get(NO_FENCE) ?? { ...begunAt({ at: time, lat, lon }), due: dueOf(rule, time) };
    const top = kind === 'speed' && speed !== null && speed > (begun.top ?? 0) ? speed : begun.top;
    const episode = { ...begun, last: time, top };
    episodes.set(NO_FENCE, episode);
    if (episode.due !== null && episode.due <= time) {
      const place = kind === 'speed' ? { lat, lon } : {};
      this.#alert(rule, NO_FENCE, { ...episode, ...place }, time);
    }
  }

  #isOn({ trigger }: WatchedRule, { ignition, speed }: FenceFix): boolean {
    if (trigger.kind === 'speed') return speed !== null && speed >= trigger.over;
    if (trigger.kind === 'idle') return ignition === true && speed !== null && speed < STANDING;
    if (trigger.kind === 'drive') return this.#follower.drives;
    return trigger.kind === 'tow' && ignition === false && this.#follower.drives;
  }

  #isThere({ fences, where }: WatchedRule): boolean {
    if (where === null || fences === null) return true;
    let isInside = false;
    for (const id of fences) isInside ||= this.#follower.entry(id) !== null;
    return isInside === (where === 'inside');
  }

  #alert(rule: WatchedRule, id: number, episode: Episode, at: EpochMs): void {
    const state = this.#of(rule);
    const isMuted = state.alertedAt !== null && at - state.alertedAt < rule.repeat;
    state.episodes.set(id, { ...episode, due: null, hasAlerted: !isMuted });
    if (!isMuted && at >= rule.since) state.alertedAt = at;
    this.#emit(rule, isMuted ? 'muted' : 'alert', id, episode, at);
  }

  #end(rule: WatchedRule, id: number, at: EpochMs): void {
    const { episodes } = this.#of(rule);
    const episode = episodes.get(id);
    episodes.delete(id);
    if (episode?.hasAlerted) this.#emit(rule, 'ended', id, episode, at);
  }

  #emit({ id: ruleId, since }: WatchedRule, what: RuleEvent['what'], id: number, episode: Episode, at: EpochMs): void {
    const { began, lat, lon, top } = episode;
    if (what !== 'ended' && at < since) return;
    this.#events.push({ ruleId, what, fenceId: fenceOf(id), began, at, lat, lon, top });
  }
}

const isAboutFences = ({ trigger: { kind } }: WatchedRule): boolean =>
  kind === 'enter' || kind === 'exit' || kind === 'stay' || kind === 'absent';

const isFor = ({ fences }: WatchedRule, id: number): boolean => fences === null || fences.has(id);

const isWithin = ({ when }: WatchedRule, at: EpochMs): boolean => when === null || when.isWithin(at);

const fenceOf = (id: number): number | null => (id === NO_FENCE ? null : id);

/** When what began then has lasted long enough; in a geofence also at a time when the rule counts. */
function dueOf({ trigger, when }: WatchedRule, began: EpochMs): EpochMs | null {
  const due = epochMs(began + ('longer' in trigger ? trigger.longer : 0));
  return trigger.kind === 'stay' && when ? when.next(due) : due;
}

const begunAt = ({ at, lat, lon }: { readonly at: EpochMs; readonly lat: number; readonly lon: number }): Episode => ({
  began: at,
  lat,
  lon,
  due: null,
  hasAlerted: false,
  last: at,
  top: null,
});

const least = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);
