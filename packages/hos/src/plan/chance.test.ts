import { type EpochMs, epochMs, fromMinutes } from '@milepost/units';
import { expect, it, vi } from 'vitest';
import { drivingAhead, restingMoments } from '../engine/ahead.ts';
import { advance, type Rules, rulesFor, type State, settle } from '../engine/state.ts';
import { stateAt } from '../evaluate.ts';
import { RULE_SET_IDS } from '../rule-set-id.ts';
import { ruleSets } from '../rule-sets.ts';
import { randomLog, randomNumbers } from '../testing/random-logs.ts';
import { plan } from './plan.ts';
import type { Task } from './step.ts';

// A generous timeout: these tests are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/**
 * Drives and rests at random, always legally, even where no limit requires a rest; null when the result would not be
 * earlier.
 */
function byChance(begin: State, rules: Rules, tasks: readonly Task[], before: EpochMs, random: () => number) {
  let state = begin;
  const [resting, pausing] = [random() * 0.3, random() < 0.5];
  for (const { activity, duration } of tasks) {
    for (let left: number = duration; left > 0; ) {
      if (state.at >= before) return null;
      const legal = activity === 'work' ? left : Math.min(left, drivingAhead(settle(state, rules), rules).driving);
      if (legal <= 0 || random() < resting) {
        const moments = restingMoments(state, rules, 'SB').filter(at => at > state.at);
        const anyTime = epochMs(state.at + fromMinutes(30 * Math.ceil(random() * 20)));
        const until = random() < 0.7 ? moments[Math.floor(random() * Math.min(8, moments.length))] : anyTime;
        state = advance(state, rules, 'SB', until ?? anyTime);
        continue;
      }
      const stops = activity === 'drive' && pausing && random() < 0.5;
      const piece = stops ? Math.min(legal, fromMinutes(30 * Math.ceil(random() * 10))) : legal;
      state = advance(state, rules, activity === 'work' ? 'ON' : 'D', epochMs(state.at + piece));
      left -= piece;
    }
  }
  return state.at < before ? state.at : null;
}

it('no random legal schedule is earlier than the plan', () => {
  const random = randomNumbers(77);
  for (let seed = 0; seed < 240; seed++) {
    const { log, now } = randomLog(seed);
    const ruleSet = ruleSets[RULE_SET_IDS[seed % RULE_SET_IDS.length] ?? 'US_PROPERTY_70_8'];
    const rules = rulesFor(log, ruleSet);
    const tasks = Array.from({ length: 1 + Math.floor(random() * 3) }, (): Task => {
      return { activity: random() < 0.7 ? 'drive' : 'work', duration: fromMinutes(30 * Math.ceil(random() * 16)) };
    });
    const found = plan(log, ruleSet, now, tasks);
    if (!found.ok) throw new Error(JSON.stringify(found.errors));
    if (!found.value.isEarliest) continue;
    const { state } = stateAt(log, rules, now);
    for (let attempt = 0; attempt < 60; attempt++) {
      expect({ seed, earlier: byChance(state, rules, tasks, found.value.finish, random) }).toEqual({
        seed,
        earlier: null,
      });
    }
  }
});
