import { epochMs } from '@milepost/units';
import type { Segment } from '../duty-log.ts';
import type { Evaluation, Next, Pairing } from '../evaluation.ts';
import type { DutyStatus } from '../status.ts';
import { drivingAhead, mayDriveAgain } from './ahead.ts';
import { dayCount } from './cycle.ts';
import { isTrusted } from './pairing.ts';
import { recapOf } from './recap.ts';
import { clocksOf, type Standing, standing } from './standing.ts';
import { findingsOf, type Rules, rollDay, type State, settle } from './state.ts';
import { restsOf, violationsOf } from './violations.ts';

/**
 * The full evaluation of a driver at the state's instant.
 *
 * @param state not settled
 * @param status the duty status at that instant
 * @param segments the log that led to the state
 */
export function report(
  state: State,
  rules: Rules,
  status: DutyStatus | null,
  segments: readonly Segment[],
): Evaluation {
  const settled = settle(state, rules, true);
  const now = standing(settled, rules);
  const { ruleSet, days } = rules;
  const today = days.dayOf(state.at);
  const rolled = rollDay(settled, rules, today);
  const open = [...findingsOf(settled.shift, now.count, ruleSet)];
  if (settled.cycle.past && dayCount(settled.cycle, today)) {
    open.push({ rule: ruleSet.cycle.rule, past: settled.cycle.past, used: null });
  }
  if (rolled.timeOff?.periodic && ruleSet.timeOff) {
    open.push({ rule: ruleSet.timeOff.periodic.rule, past: rolled.timeOff.periodic, used: null });
  }
  if (rolled.timeOff?.beforeHours && ruleSet.timeOff?.beforeHours) {
    open.push({ rule: ruleSet.timeOff.beforeHours.rule, past: rolled.timeOff.beforeHours, used: null });
  }
  return {
    ruleSet: ruleSet.id,
    now: state.at,
    status,
    clocks: clocksOf(now, settled, rules),
    declared: now.limits.declared,
    exempt: now.limits.exempt?.name ?? null,
    next: nextOf(state, settled, now, rules, status),
    violations: violationsOf(rolled.closed, open, segments),
    recap: recapOf(settled, rules, state.rest),
    pairing: pairingOf(now, rules),
  };
}

function nextOf(state: State, settled: State, now: Standing, rules: Rules, status: DutyStatus | null): Next {
  const { driving, binds } = drivingAhead(settled, rules, now);
  if (driving > 0) {
    const mustStopBy = epochMs(state.at + driving);
    return { driving, mustStopBy, binds, mayDriveAgainAt: null, mayDriveAgainAtInSleeper: null };
  }
  return {
    driving,
    mustStopBy: null,
    binds,
    mayDriveAgainAt: mayDriveAgain(state, rules, status === 'SB' ? 'SB' : 'OFF'),
    mayDriveAgainAtInSleeper: mayDriveAgain(state, rules, 'SB'),
  };
}

function pairingOf({ count }: Standing, { ruleSet }: Rules): Pairing | null {
  return count.used && { rests: restsOf(count.used), provisional: isTrusted(count, ruleSet.split) };
}
