import type { EpochMs, Milliseconds } from '@milepost/units';
import type { Segment } from './duty-log.ts';
import type { RuleId } from './rule-id.ts';
import type { RuleSetId } from './rule-set-id.ts';
import type { DutyStatus } from './status.ts';

/** `used` may pass `limit`; `remaining` never goes below nothing. */
export interface Clock {
  readonly limit: Milliseconds;
  readonly used: Milliseconds;
  readonly remaining: Milliseconds;
}

export const CLOCK_NAMES = ['drive', 'window', 'onDuty', 'break', 'cycle'] as const;
export type ClockName = (typeof CLOCK_NAMES)[number];

/** The clocks of the law, each by itself; null where the rule set has no such rule. What may be driven is in `Next`. */
export interface Clocks {
  /** Driving: 11 hours (US property), the stricter of day and shift (Canada). */
  readonly drive: Clock;
  /** The time in which driving is allowed: elapsed (14 hours; Canada 16), or on duty (US passenger 15). */
  readonly window: Clock;
  /** Canada's 14 hours on duty. */
  readonly onDuty: Clock | null;
  /** Driving until 30 minutes without driving. */
  readonly break: Clock | null;
  /** On duty in the cycle's days. */
  readonly cycle: Clock;
}

/** Which rule stops the driving first: a clock, or a rule without a clock of its own. */
export const BINDINGS = [...CLOCK_NAMES, 'timeOff'] as const;
export type Binding = (typeof BINDINGS)[number];

export interface Next {
  /** Driving that is legal from now on, without a pause. */
  readonly driving: Milliseconds;
  /** Now plus `driving`; null while the driver may not drive. */
  readonly mustStopBy: EpochMs | null;
  /** What ends the driving, or forbids it now. */
  readonly binds: Binding | null;
  /**
   * When the driver may drive again, resting from now on; null when the driver may drive now, or when no rest of a
   * month would do. Off duty, or in the sleeper berth if the driver is there.
   */
  readonly mayDriveAgainAt: EpochMs | null;
  /** The same with all the rest in the sleeper berth: earlier when it completes a split. */
  readonly mayDriveAgainAtInSleeper: EpochMs | null;
}

export interface Interval {
  readonly start: EpochMs;
  readonly end: EpochMs;
}

/** How an enforcement officer weighs it (FMCSA question 4 on split sleeper): under 15 minutes, more, over 3 hours. */
export const SEVERITIES = ['nominal', 'violation', 'egregious'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One a rule and work shift; one a rule and home-terminal day for the cycle and for a day's time off. */
export interface Violation {
  readonly rule: RuleId;
  /** Where the law says it: `49 CFR 395.3(a)(2)`. */
  readonly clause: string;
  /** First instant of driving past the limit; for a day with too little time off, the day. */
  readonly start: EpochMs;
  /** End of the last driving past the limit. */
  readonly end: EpochMs;
  /** Driving past the limit between them; for a day, the time off that is missing. */
  readonly over: Milliseconds;
  readonly severity: Severity;
  /** The instant from which the limit was counted: start of the shift, or the end of a split's first rest. */
  readonly countedFrom: EpochMs;
  /** Rests that the count leaves out: the halves of split pairs. */
  readonly excluded: readonly Interval[];
  /** The log from `countedFrom` to `end`: what was counted, and the driving past the limit. */
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
  /** On duty after the last restart: what the cycle counts. */
  readonly counted: Milliseconds;
}

export interface Recap {
  /** The cycle's days, oldest first, today last. */
  readonly days: readonly RecapDay[];
  readonly nextDayStart: EpochMs;
  /** What the cycle gives back when the next day begins. */
  readonly gainedTomorrow: Milliseconds;
  /** The cycle's remaining time at that instant if the driver does no more work today. */
  readonly remainingTomorrow: Milliseconds;
  /** The end of the last restart in the log, or null. */
  readonly restartedAt: EpochMs | null;
  /** When the cycle will be empty if the driver rests from now on; null without a restart rule. */
  readonly restartAt: EpochMs | null;
}

/** The split-sleeper pairing that the clocks and the open shift's violations stand on. */
export interface Pairing {
  readonly rests: readonly Interval[];
  /** The last of them still waits for its other half: left out of the window by policy, not yet by law. */
  readonly provisional: boolean;
}

export interface Evaluation {
  readonly ruleSet: RuleSetId;
  readonly now: EpochMs;
  /** At `now`; the last status of a log holds until another begins. Null before the log. */
  readonly status: DutyStatus | null;
  readonly clocks: Clocks;
  readonly next: Next;
  /** By start. */
  readonly violations: readonly Violation[];
  readonly recap: Recap;
  readonly pairing: Pairing | null;
}
