import { type EpochMs, epochMs } from '@milepost/units';
import type { MotionFix } from '../fences/candidate.ts';
import type { Box, FenceIndex } from '../fences/fence-index.ts';
import { FenceFollower } from '../fences/follower.ts';
import type { FenceEvent, FollowerState } from '../fences/follower-state.ts';
import type { LatLon } from '../fix.ts';
import { Episodes, type Watched } from './episodes.ts';
import { FUEL_ENDS_MS, FUEL_MORE, FUEL_SETTLES_MS, FuelGauge, type FuelReading } from './fuel-level.ts';
import { extremeOf, isOn, LASTING, type Lasting } from './measured.ts';
import { isNearRule } from './near-follower.ts';
import type { RuleEvent, RuleFix, WatchedRule } from './rule.ts';
import {
  begunAt,
  type Circumstances,
  demanded,
  dueOf,
  type Episode,
  isAboutFences,
  isFor,
  isWithin,
  laterDue,
  least,
  NO_FENCE,
  NO_RULES_FOLLOWED,
  placesOf,
  type RulesState,
} from './rule-state.ts';
import { momentsOf } from './visit-moments.ts';

const MINUTE_MS = 60_000;
/** A crossing is known a few fixes after it happened. */
const SETTLE_MS = 2 * MINUTE_MS;
/** A vehicle that reported nothing for so long isn't expected anywhere. */
const FORGOTTEN_MS = 48 * 60 * MINUTE_MS;

/**
 * Watches rules for one vehicle, fix by fix. The same fixes give the same alerts, whether they come live or are read
 * again for a test over past weeks. What lasts becomes an alert when it has lasted long enough: in a geofence also if
 * the tracker sleeps there, otherwise only as far as fixes confirm it.
 */
export class RuleFollower {
  readonly #rules: readonly WatchedRule[];
  readonly #follower: FenceFollower;
  readonly #watched: Episodes;
  #last: FollowerState['last'];
  /** The driver's card in the last fix. */
  #card: string | null;

  constructor(
    fences: FenceIndex,
    rules: readonly WatchedRule[],
    { card = null, followed, rules: known }: RulesState = NO_RULES_FOLLOWED,
    /** Nothing is known of these geofences: they changed. */
    isFresh: (fenceId: number) => boolean = () => false,
  ) {
    this.#rules = rules.filter(rule => !isNearRule(rule));
    const isAny = rules.some(rule => rule.fences === null && isAboutFences(rule));
    const named = new Set(
      rules.flatMap(rule => [
        ...(rule.fences ?? []),
        ...(rule.trigger.kind === 'limit' ? rule.trigger.over.keys() : []),
        ...placesOf(rule),
      ]),
    );
    this.#follower = new FenceFollower(fences, followed, { follows: id => isAny || named.has(id), isFresh });
    this.#last = followed.last;
    this.#card = card;
    const states = new Map(
      this.#rules.map((rule): [number, Watched] => {
        const state = known[rule.id];
        if (state?.version !== rule.version) return [rule.id, this.#begin(rule, followed)];
        const episodes = Object.entries(state.episodes).map(([id, episode]): [number, Episode] => [
          Number(id),
          episode,
        ]);
        const gauge = rule.trigger.kind === 'fuel' ? new FuelGauge(state.fuel) : null;
        return [
          rule.id,
          { ...state, gauge, episodes: new Map(episodes.filter(([id]) => id === NO_FENCE || !isFresh(id))) },
        ];
      }),
    );
    this.#watched = new Episodes(states);
  }

  /** The next fix; one that is not newer is left out. */
  take(fix: RuleFix): RuleEvent[] {
    if (this.#last !== null && fix.time <= this.#last.time) return [];
    this.#passTime(fix.time);
    const crossed = this.#follower.take(fix);
    for (const rule of this.#rules) {
      const { kind } = rule.trigger;
      if (rule.trigger.kind === 'order') this.#followOrder(rule, rule.trigger.stops, crossed, fix);
      else if (isAboutFences(rule)) for (const event of crossed) this.#cross(rule, event, fix);
      else if (kind === 'fuel') this.#followFuel(rule, rule.trigger.lost, fix);
      else if (kind === 'ignition') this.#followIgnition(rule, rule.trigger.to, fix);
      else if (kind === 'limit') this.#followLimits(rule, rule.trigger.over, fix);
      else this.#follow(rule, fix, NO_FENCE);
    }
    this.#last = fix;
    this.#card = fix.card;
    return this.#watched.taken();
  }

  /** A fix that changes nothing but the motion, as `PastWatcher` knows. */
  pass(fix: MotionFix, card: string | null): void {
    if (this.#last !== null && fix.time <= this.#last.time) return;
    this.#follower.pass(fix);
    this.#last = fix;
    this.#card = card;
  }

  /** What a fix says of the tank; false if the fix must be taken, because fuel is lost. Taking it then counts it once. */
  passFuel(reading: FuelReading): boolean {
    let passes = true;
    for (const rule of this.#rules) {
      const { trigger } = rule;
      if (trigger.kind !== 'fuel') continue;
      const { episodes, gauge } = this.#watched.of(rule);
      gauge?.take(reading);
      if (reading.fuel !== null && (episodes.size > 0 || (gauge?.lost ?? 0) >= trigger.lost)) passes = false;
    }
    return passes;
  }

  /** Meters around a place, on the same side of every edge as the last fix, in which no fix changes anything about geofences. */
  quietWithin(at: LatLon): number {
    return this.#follower.quietWithin(at);
  }

  /** It is in none of its geofences, and none of them touches a box. */
  isFarFromAll(box: Box): boolean {
    return this.#follower.isFarFromAll(box);
  }

  /** Something goes on that each fix decides about: it lasts, or ends. */
  get isAtIt(): boolean {
    for (const rule of this.#rules) {
      if (rule.trigger.kind in LASTING && this.#watched.of(rule).episodes.size > 0) return true;
    }
    return false;
  }

  /** Time went on without a fix. */
  passTime(to: EpochMs): RuleEvent[] {
    this.#passTime(to);
    return this.#watched.taken();
  }

  /** The next moment at which time alone may bring an alert; null if none will. */
  nextDue(): EpochMs | null {
    let next: number | null = null;
    for (const rule of this.#rules) {
      const { trigger } = rule;
      const { clock, episodes } = this.#watched.of(rule);
      if (trigger.kind === 'absent' && clock !== null) next = least(next, trigger.next(clock));
      else if (isAboutFences(rule)) for (const { due } of episodes.values()) next = least(next, due);
    }
    return next === null ? null : epochMs(next + SETTLE_MS);
  }

  /** The rules, and their geofences, of which an alert lasts. */
  standing() {
    return this.#watched.standing();
  }

  state(): RulesState {
    return {
      followed: this.#follower.state(),
      card: this.#card,
      rules: this.#watched.state(),
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
    const gauge = kind === 'fuel' ? new FuelGauge() : null;
    return { version: rule.version, episodes, gauge, alertedAt: null, clock: last?.time ?? null };
  }

  #passTime(to: EpochMs): void {
    const settled = epochMs(to - SETTLE_MS);
    for (const rule of this.#rules) if (isAboutFences(rule)) this.#passTimeOf(rule, settled);
  }

  /** What a rule has waited for until a moment. */
  #passTimeOf(rule: WatchedRule, to: EpochMs): void {
    if (rule.trigger.kind === 'absent') this.#lookFor(rule, to);
    for (const [id, episode] of this.#watched.of(rule).episodes) {
      let { due } = episode;
      while (due !== null && due <= to) {
        if (rule.trigger.kind !== 'stay' || this.#heldAtLast(rule, due, episode.began)) {
          this.#watched.alert(rule, id, episode, due);
          break;
        }
        due = laterDue(rule, episode.began, due);
        this.#watched.of(rule).episodes.set(id, { ...episode, due });
      }
    }
  }

  #lookFor(rule: WatchedRule, to: EpochMs): void {
    const { trigger } = rule;
    const last = this.#last;
    if (trigger.kind !== 'absent' || last === null) return;
    const state = this.#watched.of(rule);
    const from = state.clock ?? last.time;
    state.clock = epochMs(Math.max(from, to));
    for (let at = trigger.next(from); at !== null && at <= to; at = trigger.next(at)) {
      const isThere = [...state.episodes].some(([id, { began }]) => id !== NO_FENCE && began <= at);
      const known = state.episodes.get(NO_FENCE);
      if (isThere || known || at - last.time > FORGOTTEN_MS || !this.#heldAtLast(rule, at, at)) continue;
      const { lat, lon } = last;
      this.#watched.alert(rule, NO_FENCE, { ...begunAt({ at, lat, lon }) }, at);
    }
  }

  #cross(rule: WatchedRule, { entry, exit, fenceId, kind }: FenceEvent, fix: RuleFix): void {
    if (!isFor(rule, fenceId)) return;
    const { trigger } = rule;
    const { episodes } = this.#watched.of(rule);
    const isEntry = kind !== 'exit';
    if (isEntry) {
      this.#passTimeOf(rule, entry.at);
      if (trigger.kind === 'exit' || trigger.kind === 'cross') this.#watched.end(rule, fenceId, entry.at);
      if (trigger.kind === 'absent') this.#watched.end(rule, NO_FENCE, entry.at);
      if (trigger.kind !== 'exit') {
        const due = trigger.kind === 'stay' ? dueOf(rule, entry.at) : null;
        const episode: Episode = { ...begunAt(entry), due, ...(trigger.kind === 'cross' && { crossing: 'in' }) };
        episodes.set(fenceId, episode);
        const cameIn = (trigger.kind === 'enter' || trigger.kind === 'cross') && entry.after !== null;
        if (cameIn && isWithin(rule, entry.at) && this.#holds(rule, fix, entry.at))
          this.#watched.alert(rule, fenceId, episode, entry.at);
      }
    }
    if (exit === null) return;
    this.#passTimeOf(rule, exit.at);
    if (trigger.kind !== 'exit') this.#watched.end(rule, fenceId, exit.at);
    if ((trigger.kind !== 'exit' && trigger.kind !== 'cross') || !isWithin(rule, exit.at)) return;
    const longer = this.#demanded(rule, fix, exit.at);
    if (longer === null) return;
    const away = trigger.kind === 'exit' ? Math.max(trigger.away, longer) : 0;
    const due = epochMs(exit.at + away);
    const episode: Episode = { ...begunAt(exit), due, ...(trigger.kind === 'cross' && { crossing: 'out' }) };
    episodes.set(fenceId, episode);
    if (away === 0) this.#watched.alert(rule, fenceId, episode, exit.at);
  }

  /**
   * Each visit must be the one after the last, and the first after the last one of the round; or the last one again.
   * Whatever comes instead is one alert, and the order goes on from there.
   */
  #followOrder(rule: WatchedRule, stops: readonly number[], crossed: readonly FenceEvent[], fix: RuleFix): void {
    const state = this.#watched.of(rule);
    for (const { at, entry, fenceId, isExit, nth } of momentsOf(stops, crossed)) {
      if (isExit) {
        this.#watched.end(rule, fenceId, at);
        continue;
      }
      const { next } = state;
      const after = (nth + 1) % stops.length;
      state.next = after;
      // It was there from its first fix, or is there again.
      if (next === undefined || entry.after === null || next === nth || next === after) continue;
      if (!isWithin(rule, at) || !this.#holds(rule, fix, at)) continue;
      this.#watched.alert(rule, fenceId, { ...begunAt(entry), expected: stops[next] }, at);
    }
  }

  /** In each geofence with a limit, what it does there lasts on its own. */
  #followLimits(rule: WatchedRule, over: ReadonlyMap<number, number>, fix: RuleFix): void {
    const { episodes } = this.#watched.of(rule);
    for (const id of over.keys()) {
      if (episodes.has(id) || this.#follower.entry(id) !== null) this.#follow(rule, fix, id);
    }
  }

  /** Of what is true of fixes, and lasts from one to the next; of a limit, in one geofence. */
  #follow(rule: WatchedRule, fix: RuleFix, id: number): void {
    const { episodes } = this.#watched.of(rule);
    const { trigger } = rule;
    const { gap, pause } = LASTING[trigger.kind as Lasting];
    const known = episodes.get(id);
    const isTrue = isOn(trigger, fix, known !== undefined, this.#follower, id);
    if (isTrue === null) return;
    const isGap = known !== undefined && fix.time - known.last > gap;
    const isCounted = isTrue && this.#isThere(rule) && isWithin(rule, fix.time);
    const longer = isCounted ? this.#demanded(rule, fix, fix.time) : null;
    const goesOn = longer !== null;
    if (known && (isGap || (!goesOn && fix.time - known.last > pause))) this.#watched.end(rule, id, known.last);
    if (!goesOn) return;
    const { lat, lon, time } = fix;
    const begun = episodes.get(id) ?? { ...begunAt({ at: time, lat, lon }), due: dueOf(rule, time) };
    const episode = { ...begun, last: time, top: extremeOf(trigger, fix, begun.top) };
    episodes.set(id, episode);
    if (episode.due !== null && episode.due <= time && time - episode.began >= longer) {
      const place = episode.top === null ? {} : { lat, lon };
      this.#watched.alert(rule, id, { ...episode, ...place }, time);
    }
  }

  /** It lasts for as long as the ignition stays that way; a fix that doesn't say changes nothing. */
  #followIgnition(rule: WatchedRule, to: boolean, fix: RuleFix): void {
    const { ignition, lat, lon, time } = fix;
    if (ignition === null) return;
    const state = this.#watched.of(rule);
    const isTurned = ignition === to && state.isArmed === true;
    state.isArmed = ignition !== to;
    if (ignition !== to) this.#watched.end(rule, NO_FENCE, time);
    if (!isTurned || !this.#counts(rule, fix)) return;
    this.#watched.alert(rule, NO_FENCE, begunAt({ at: time, lat, lon }), time);
  }

  /** What is lost while the rule doesn't count is not missed afterwards. */
  #followFuel(rule: WatchedRule, least: number, fix: RuleFix): void {
    const state = this.#watched.of(rule);
    const { gauge } = state;
    gauge?.take(fix);
    if (gauge === null || fix.fuel === null) return;
    const { lat, lon, time } = fix;
    const { lost } = gauge;
    const known = state.episodes.get(NO_FENCE);
    if (known === undefined) {
      if (lost < least) return;
      if (!this.#counts(rule, fix)) {
        gauge.forget();
        return;
      }
      const due = epochMs(time + FUEL_SETTLES_MS);
      state.episodes.set(NO_FENCE, { ...begunAt({ at: time, lat, lon }), due, top: lost });
    } else if (known.due !== null) {
      const top = Math.max(lost, known.top ?? 0);
      if (lost < least) state.episodes.delete(NO_FENCE);
      else if (known.due <= time) this.#watched.alert(rule, NO_FENCE, { ...known, last: time, top }, time);
    } else if (lost < least / 2 || time - known.last > FUEL_ENDS_MS) {
      this.#watched.end(rule, NO_FENCE, known.last);
      gauge.forget();
    } else if (lost > (known.top ?? 0) + FUEL_MORE) {
      state.episodes.set(NO_FENCE, { ...known, last: time, top: lost });
    }
  }

  /** At the place and time of a fix. */
  #counts(rule: WatchedRule, fix: RuleFix): boolean {
    return this.#isThere(rule) && isWithin(rule, fix.time) && this.#holds(rule, fix, fix.time);
  }

  #demanded(rule: WatchedRule, fix: Circumstances['fix'], at: EpochMs): number | null {
    return demanded(rule, { at, fix, isIn: fences => this.#isIn(fences) });
  }

  #holds(rule: WatchedRule, fix: Circumstances['fix'], at: EpochMs): boolean {
    return this.#demanded(rule, fix, at) !== null;
  }

  /** By the last fix, of what began then. */
  #heldAtLast(rule: WatchedRule, at: EpochMs, began: EpochMs): boolean {
    if (rule.conditions === null) return true;
    const longer = this.#last && this.#demanded(rule, { ...this.#last, card: this.#card }, at);
    return longer !== null && at - began >= longer;
  }

  #isIn(fences: ReadonlySet<number>): boolean {
    for (const id of fences) if (this.#follower.entry(id) !== null) return true;
    return false;
  }

  #isThere({ fences, where }: WatchedRule): boolean {
    if (where === null || fences === null) return true;
    return this.#isIn(fences) === (where === 'inside');
  }
}
