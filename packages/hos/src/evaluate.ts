import type { EpochMs } from '@milepost/units';
import type { DutyLog } from './duty-log.ts';
import { report } from './engine/report.ts';
import { advance, type Rules, rulesFor, type State, stateBefore } from './engine/state.ts';
import { earlier } from './engine/time.ts';
import type { Evaluation } from './evaluation.ts';
import type { RuleSet } from './rule-set.ts';
import type { DutyStatus } from './status.ts';

/**
 * Evaluates a driver's hours of service at `now`: clocks, driving time left, violations so far, the cycle day by day.
 * Reads the log up to `now`; its last status continues until then. A pure function; never throws.
 *
 * @param log from `readDutyLog`
 * @param ruleSet one of `ruleSets`
 */
export function evaluate(log: DutyLog, ruleSet: RuleSet, now: EpochMs): Evaluation {
  const rules = rulesFor(log, ruleSet);
  const { state, status } = stateAt(log, rules, now);
  return report(state, rules, status, log.segments);
}

/** The state at `now` and the duty status then; null before the log starts. */
export function stateAt(log: DutyLog, rules: Rules, now: EpochMs): { state: State; status: DutyStatus | null } {
  const first = log.segments[0];
  const last = log.segments.at(-1);
  let state: State = stateBefore(first ? earlier(first.start, now) : now, rules);
  let status: DutyStatus | null = null;
  for (const segment of log.segments) {
    if (segment.start > now) break;
    status = segment.status;
    state = advance(state, rules, status, segment === last ? now : earlier(segment.end, now));
  }
  return { state, status };
}
