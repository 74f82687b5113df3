import { milliseconds } from '@milepost/units';
import type { Recap, RecapDay } from '../evaluation.ts';
import { dateOf } from '../home-days.ts';
import { countedOn } from './cycle.ts';
import type { Rest } from './rest.ts';
import type { Rules, State } from './state.ts';
import { after, later, left, NOTHING } from './time.ts';

/**
 * The cycle day by day, and the hours that come back tomorrow.
 *
 * @param state settled
 * @param rest the current rest, or null
 */
export function recapOf(state: State, rules: Rules, rest: Rest | null): Recap {
  const { ruleSet, days } = rules;
  const { cycle } = ruleSet;
  const today = days.dayOf(state.at);
  const recap: RecapDay[] = [];
  for (let day = today - cycle.days + 1; day <= today; day++) {
    const entry = state.cycle.days.find(one => one.day === day);
    recap.push({
      date: dateOf(day),
      start: days.startOf(day),
      end: days.startOf(day + 1),
      driving: entry?.driven ?? NOTHING,
      onDuty: entry?.worked ?? NOTHING,
      counted: entry?.counted ?? NOTHING,
    });
  }
  const nextDayStart = days.startOf(today + 1);
  const restartAt = cycle.restart && later(state.at, after(rest?.start ?? state.at, cycle.restart.length));
  const used = countedOn(state.cycle, cycle, today);
  const usedTomorrow =
    restartAt !== null && restartAt <= nextDayStart ? NOTHING : countedOn(state.cycle, cycle, today + 1);
  return {
    days: recap,
    nextDayStart,
    gainedTomorrow: milliseconds(used - usedTomorrow),
    remainingTomorrow: left(cycle.limit, usedTomorrow),
    restartedAt: state.cycle.restartedAt,
    restartAt,
  };
}
