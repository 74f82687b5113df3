import type { Milliseconds } from '@milepost/units';
import type { RuleId } from './rule-id.ts';
import type { RuleSetId } from './rule-set-id.ts';

/** The law as data: what the engine needs to know about one jurisdiction, with the clauses. */
export interface RuleSet {
  readonly id: RuleSetId;
  readonly name: string;
  /** The rest that begins a new work shift with full clocks. */
  readonly rest: Required;
  readonly drive: Limit;
  readonly window: Window;
  /** An on-duty limit besides the window: Canada's 14 hours. */
  readonly onDuty: Limit | null;
  /**
   * The same limits for each home-terminal day (Canada's s. 12). Exceeding one violates the same rule as the shift's
   * limit.
   */
  readonly day: { readonly drive: DayLimit; readonly onDuty: DayLimit } | null;
  readonly break: Break | null;
  readonly cycle: Cycle;
  readonly split: Split | null;
  readonly timeOff: TimeOff | null;
  readonly exceptions: Exceptions;
}

export interface Required {
  readonly length: Milliseconds;
  readonly clause: string;
}

export interface Limit {
  readonly rule: RuleId;
  readonly clause: string;
  readonly limit: Milliseconds;
}

export interface DayLimit {
  readonly clause: string;
  readonly limit: Milliseconds;
}

export interface Window extends Limit {
  /** All time since coming on duty, or only the time on duty. */
  readonly counts: 'elapsed' | 'onDuty';
}

/** No driving after `limit` of driving without a break from driving of `length` in one piece. */
export interface Break extends Limit {
  readonly length: Milliseconds;
}

/** On-duty time in the last `days` days, today included. */
export interface Cycle extends Limit {
  readonly days: number;
  /** The rest after which the count is zero. */
  readonly restart: Required | null;
}

/** Two rests that replace one, under `clause`: neither shorter than `each`, and `total` together. */
export interface Split {
  readonly clause: string;
  readonly each: Milliseconds;
  readonly total: Milliseconds;
  /**
   * One of the two must contain this much sleeper berth in one piece; null when both must be sleeper berth throughout.
   */
  readonly longSleeper: Milliseconds | null;
  /** The window of a shift that uses the split, where it is shorter than the ordinary one. */
  readonly window?: Limit;
  /**
   * Policy, not law: whether a long sleeper-berth rest is excluded from the window before its other half has come.
   * Otherwise the clocks would confuse a driver who has just left the berth; the driving is judged again at each rest.
   */
  readonly loneSleeperPauses: boolean;
}

/** Canada's time-off requirements that no clock shows. */
export interface TimeOff {
  /**
   * s. 14: off duty in each day, in pieces of `block` or longer; `beside` is the part that must be outside the rests
   * that end a work shift, counting no more of those than their required length. Null north of 60°.
   */
  readonly daily: DailyTimeOff | null;
  /** s. 25, 50: no driving without this rest in the preceding days. */
  readonly periodic: {
    readonly rule: RuleId;
    readonly clause: string;
    readonly rest: Milliseconds;
    readonly within: Milliseconds;
  };
  /** s. 27(b), 52(b): no driving after `limit` on duty without this rest. */
  readonly beforeHours: (Limit & { readonly rest: Milliseconds }) | null;
}

export interface DailyTimeOff extends Limit {
  readonly block: Milliseconds;
  readonly beside: { readonly clause: string; readonly limit: Milliseconds };
}

/** What each declaration does; absent where the rule set has no such exception. */
export interface Exceptions {
  /** Added to the limits; `timeOff` is subtracted from a day's required time off. */
  readonly adverseDriving?: {
    readonly clause: string;
    readonly drive: Milliseconds;
    readonly window: Milliseconds;
    readonly onDuty: Milliseconds;
    readonly timeOff: Milliseconds;
  };
  /** Waives the break. */
  readonly shortHaul?: { readonly clause: string };
  /** Waives the break, and allows a longer window on some days of any seven. */
  readonly shortHaulNonCdl?: { readonly clause: string; readonly window: Milliseconds; readonly days: number };
  /** A longer window, once in a number of days or after a restart. */
  readonly sixteenHourException?: { readonly clause: string; readonly window: Milliseconds; readonly onceIn: number };
  /** Off-duty waiting that is excluded from the window. */
  readonly wellSiteWaiting?: { readonly clause: string };
  /** Off-duty time moved from day one to day two. */
  readonly deferral?: { readonly clause: string; readonly most: Milliseconds };
  readonly agriculture?: Exemption;
  readonly emergencyRelief?: Exemption;
}

/** No limit applies while it is in force. */
export interface Exemption {
  readonly clause: string;
  /** Whether these hours count once it is over: toward driving, the window, the break and the cycle. */
  readonly counts: boolean;
}
