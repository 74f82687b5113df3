import { type EpochMs, epochMs } from '@milepost/units';
import type { FuelGauge } from './fuel-level.ts';
import { figuresOf } from './measured.ts';
import type { RuleEvent, WatchedRule } from './rule.ts';
import { type Episode, fenceOf, type RuleState, type RulesState } from './rule-state.ts';

export interface Watched extends Omit<RuleState, 'episodes' | 'fuel'> {
  readonly episodes: Map<number, Episode>;
  alertedAt: EpochMs | null;
  clock: EpochMs | null;
  /** Of a rule about fuel. */
  readonly gauge: FuelGauge | null;
  isArmed?: boolean;
  next?: number;
}

/** What rules are about goes on, becomes an alert, and ends: told once each, and not again too soon. */
export class Episodes {
  readonly #states: ReadonlyMap<number, Watched>;
  #events: RuleEvent[] = [];

  constructor(states: ReadonlyMap<number, Watched>) {
    this.#states = states;
  }

  of(rule: WatchedRule): Watched {
    const state = this.#states.get(rule.id);
    if (!state) throw new TypeError(`Rule ${rule.id} is not watched`);
    return state;
  }

  /** The rules, and their geofences, of which an alert lasts. */
  *standing(): Generator<{ readonly ruleId: number; readonly fenceId: number | null }> {
    for (const [ruleId, { episodes }] of this.#states) {
      for (const [id, { hasAlerted }] of episodes) if (hasAlerted) yield { ruleId, fenceId: fenceOf(id) };
    }
  }

  /** What has happened since it was last asked for. */
  taken(): RuleEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  alert(rule: WatchedRule, id: number, episode: Episode, at: EpochMs): void {
    const state = this.of(rule);
    const isMuted = state.alertedAt !== null && at - state.alertedAt < rule.repeat;
    state.episodes.set(id, { ...episode, due: null, hasAlerted: !isMuted });
    if (!isMuted && at >= rule.since) state.alertedAt = at;
    this.#emit(rule, isMuted ? 'muted' : 'alert', id, episode, at);
  }

  end(rule: WatchedRule, id: number, at: EpochMs): void {
    const { episodes } = this.of(rule);
    const episode = episodes.get(id);
    episodes.delete(id);
    // A vehicle that wasn't there in time may have been on its way in: that is known only later.
    if (episode?.hasAlerted) this.#emit(rule, 'ended', id, episode, epochMs(Math.max(at, episode.began)));
  }

  #emit(rule: WatchedRule, what: RuleEvent['what'], id: number, episode: Episode, at: EpochMs): void {
    const { began, crossing = null, expected = null, lat, lon, top } = episode;
    if (what !== 'ended' && at < rule.since) return;
    const figures = figuresOf(rule.trigger, top);
    const about = {
      ruleId: rule.id,
      fenceId: fenceOf(id),
      began,
      lat,
      lon,
      figures,
      crossing,
      expected,
      otherId: null,
    };
    this.#events.push({ ...about, what, at });
  }

  state(): RulesState['rules'] {
    return Object.fromEntries(
      [...this.#states].map(([id, { episodes, gauge, ...state }]) => [
        id,
        { ...state, ...(gauge && { fuel: gauge.state() }), episodes: Object.fromEntries(episodes) },
      ]),
    );
  }
}
