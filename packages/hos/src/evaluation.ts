import type { EpochMs, Milliseconds } from '@milepost/units';
import type { Segment } from './duty-log.ts';
import type { Exception, ExemptionName } from './exception.ts';
import type { RuleId } from './rule-id.ts';
import type { RuleSetId } from './rule-set-id.ts';
import type { DutyStatus } from './status.ts';

/** `used` may exceed `limit`; `remaining` is never below 0. */
export interface Clock {
  readonly limit: Milliseconds;
  readonly used: Milliseconds;
  readonly remaining: Milliseconds;
}

const CLOCK_NAMES = ['drive', 'window', 'onDuty', 'break', 'cycle'] as const;
export type ClockName = (typeof CLOCK_NAMES)[number];

/** Each legal clock by itself; null if the rule set has no such rule. `Next` tells how long the driver can drive. */
export interface Clocks {
  /** Driving: 11 hours (US property), the stricter of day and shift (Canada). */
  readonly drive: Clock;
  /** The window in which driving is allowed: elapsed time (14 hours; Canada 16, north of 60° 20), or on-duty time (US passenger 15). */
  readonly window: Clock;
  /** Canada's 14 hours on duty, 18 north of 60°. */
  readonly onDuty: Clock | null;
  /** Driving until a 30-minute break from driving is due. */
  readonly break: Clock | null;
  /** On-duty time in the cycle's days. */
  readonly cycle: Clock;
}

/** Which rule stops the driving first: a clock, or time off, which has no clock. */
export const BINDINGS = [...CLOCK_NAMES, 'timeOff'] as const;
export type Binding = (typeof BINDINGS)[number];

export interface Next {
  /** Driving that is legal from now on, without a break; 31 days under an exemption without an end. */
  readonly driving: Milliseconds;
  /** Now plus `driving`; null while driving is not allowed. */
  readonly mustStopBy: EpochMs | null;
  /** The rule that ends the driving, or forbids it now. */
  readonly binds: Binding | null;
  /**
   * When the driver may drive again if resting from now on (off duty, or in the sleeper berth if already there); null
   * when the driver may drive now, or when even a month of rest would not be enough.
   */
  readonly mayDriveAgainAt: EpochMs | null;
  /** The same, with all the rest in the sleeper berth: earlier when that completes a split. */
  readonly mayDriveAgainAtInSleeper: EpochMs | null;
}

export interface Interval {
  readonly start: EpochMs;
  readonly end: EpochMs;
}

/** How an enforcement officer rates it (FMCSA question 4 on split sleeper): under 15 minutes, more, over 3 hours. */
export const SEVERITIES = ['nominal', 'violation', 'egregious'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One per rule and work shift; for the cycle and daily time off, one per rule and home-terminal day. */
export interface Violation {
  readonly rule: RuleId;
  /** The legal clause: `49 CFR 395.3(a)(2)`. */
  readonly clause: string;
  /** First instant of driving past the limit; for a day with too little time off, the start of the day. */
  readonly start: EpochMs;
  /** End of the last driving past the limit. */
  readonly end: EpochMs;
  /** Driving past the limit between `start` and `end`; for a day, the time off that is missing. */
  readonly over: Milliseconds;
  readonly severity: Severity;
  /** Where the count began: start of the shift, or the end of a split's first rest. */
  readonly countedFrom: EpochMs;
  /** Rests excluded from the count: the halves of split pairs. */
  readonly excluded: readonly Interval[];
  /** The log from `countedFrom` to `end`: the time counted, including the driving past the limit. */
  readonly segments: readonly Segment[];
}

/** A home-terminal day of the cycle. */
export interface RecapDay {
  /** `YYYY-MM-DD`, the date on which the day begins. */
  readonly date: string;
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly driving: Milliseconds;
  /** Driving included. */
  readonly onDuty: Milliseconds;
  /** On duty after the last restart, without exempt work that doesn't count: what counts toward the cycle. */
  readonly counted: Milliseconds;
}

export interface Recap {
  /** The cycle's days, oldest first; today is last. */
  readonly days: readonly RecapDay[];
  readonly nextDayStart: EpochMs;
  /** Cycle time that comes back when the next day begins. */
  readonly gainedTomorrow: Milliseconds;
  /** Cycle time remaining then if the driver does no more work today. */
  readonly remainingTomorrow: Milliseconds;
  /** The end of the last restart in the log, or null. */
  readonly restartedAt: EpochMs | null;
  /** When the cycle will be reset if the driver rests from now on; null without a restart rule. */
  readonly restartAt: EpochMs | null;
}

/** The split-sleeper pairing on which the clocks and the current shift's violations are based. */
export interface Pairing {
  readonly rests: readonly Interval[];
  /** The last rest still lacks its other half: it is excluded from the window by policy, not yet by law. */
  readonly provisional: boolean;
}

export interface Evaluation {
  readonly ruleSet: RuleSetId;
  readonly now: EpochMs;
  /** At `now`; the last status of a log continues until another begins. Null before the log starts. */
  readonly status: DutyStatus | null;
  readonly clocks: Clocks;
  /** What was declared of the rule set's exceptions and counts now. */
  readonly declared: readonly Exception[];
  /** The exemption in force: no limit applies, and the clocks are those that apply again when it ends. */
  readonly exempt: ExemptionName | null;
  readonly next: Next;
  /** By start. */
  readonly violations: readonly Violation[];
  readonly recap: Recap;
  readonly pairing: Pairing | null;
}
