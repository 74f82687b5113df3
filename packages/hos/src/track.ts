import { type EpochMs, epochMs } from '@milepost/units';
import type { DutyLog, HomeTerminal, Segment } from './duty-log.ts';
import { report } from './engine/report.ts';
import { advance, type Rules, rulesFor, type State, stateBefore } from './engine/state.ts';
import { evaluate } from './evaluate.ts';
import type { Evaluation } from './evaluation.ts';
import type { Declaration } from './exception.ts';
import type { LogErrorCode } from './raw-log.ts';
import { asDutyLog } from './read-duty-log.ts';
import type { RuleSet } from './rule-set.ts';

/**
 * Evaluates a log that grows at its end. Adding a segment costs the same however long the log is; results are the same
 * as `evaluate` gives for the whole log. After a corrected record or a new declaration, start again with the corrected
 * log.
 */
export class Tracker {
  readonly #terminal: HomeTerminal;
  readonly #declarations: readonly Declaration[];
  readonly #ruleSet: RuleSet;
  readonly #rules: Rules;
  readonly #segments: Segment[];
  /** The state at the start of the last segment, which may still grow. */
  #state: State;

  constructor(log: DutyLog, ruleSet: RuleSet) {
    this.#terminal = log.terminal;
    this.#declarations = log.declarations;
    this.#ruleSet = ruleSet;
    this.#rules = rulesFor(log, ruleSet);
    this.#segments = [...log.segments];
    const last = this.#segments.at(-1);
    let state = stateBefore(log.segments[0]?.start ?? epochMs(0), this.#rules);
    for (const segment of this.#segments) {
      if (segment !== last) state = advance(state, this.#rules, segment.status, segment.end);
    }
    this.#state = state;
  }

  /** The log so far. */
  get log(): DutyLog {
    const [terminal, declarations] = [this.#terminal, this.#declarations];
    return asDutyLog({ terminal, declarations, segments: [...this.#segments] });
  }

  /**
   * Adds a segment at the end. Its status continues until the next segment begins; a segment may be empty if the status
   * has just begun.
   *
   * @returns the error, or null; a refused segment changes nothing
   */
  append(segment: Segment): Extract<LogErrorCode, 'overlap' | 'empty-segment'> | null {
    const last = this.#segments.at(-1);
    if (segment.end < segment.start) return 'empty-segment';
    if (last && segment.start < last.end) return 'overlap';
    if (last) {
      this.#state = advance(this.#state, this.#rules, last.status, segment.start);
      this.#segments.pop();
      if (segment.start > last.start) this.#segments.push({ ...last, end: segment.start });
    }
    this.#segments.push(segment);
    return null;
  }

  /** Same as `evaluate` for the log so far. Instants before the last segment are evaluated from the whole log. */
  evaluate(now: EpochMs): Evaluation {
    const last = this.#segments.at(-1);
    if (!last || now < last.start) return evaluate(this.log, this.#ruleSet, now);
    const state = advance(this.#state, this.#rules, last.status, now);
    return report(state, this.#rules, last.status, this.#segments);
  }
}
