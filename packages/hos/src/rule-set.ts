import type { Milliseconds } from '@milepost/units';
import type { RuleId } from './rule-id.ts';
import type { RuleSetId } from './rule-set-id.ts';

/** The law as data: what the engine needs to know of one jurisdiction, and where it says so. */
export interface RuleSet {
  readonly id: RuleSetId;
  readonly name: string;
  /** The rest that begins a new work shift with full clocks. */
  readonly rest: Required;
  readonly drive: Limit;
  readonly window: Window;
  /** A limit of work on duty beside the window: Canada's 14 hours. */
  readonly onDuty: Limit | null;
  /** The same limits for each home-terminal day: Canada's s. 12. They violate the rules of the shift's limits. */
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
  /** Elapsed since coming on duty, whatever is done; or only the time on duty. */
  readonly counts: 'elapsed' | 'onDuty';
}

/** No driving after `limit` of driving without `length` of anything else in one piece. */
export interface Break extends Limit {
  readonly length: Milliseconds;
}

/** On-duty time in today and the days before it, `days` in all. */
export interface Cycle extends Limit {
  readonly days: number;
  /** The rest after which the count is zero. */
  readonly restart: Required | null;
}

/** Two rests that stand for one: `clause`, `each` no shorter, `total` together. */
export interface Split {
  readonly clause: string;
  readonly each: Milliseconds;
  readonly total: Milliseconds;
  /** One of the two must hold this much sleeper berth in one piece; null when both are sleeper berth throughout. */
  readonly longSleeper: Milliseconds | null;
  /**
   * Policy, not law: whether a long sleeper rest that waits for its other half is left out of the window meanwhile.
   * The clocks of a driver who has just left it would otherwise be a puzzle; the driving is judged again at each rest.
   */
  readonly loneSleeperPauses: boolean;
}

/** Canada's demands for time off that no clock shows. */
export interface TimeOff {
  /**
   * s. 14: off duty in each day, in pieces of `block` or longer; `beside` of it outside the rests that end a work shift,
   * as far as those are no longer than they must be.
   */
  readonly daily: Limit & {
    readonly block: Milliseconds;
    readonly beside: { readonly clause: string; readonly limit: Milliseconds };
  };
  /** s. 25: no driving without this rest in the days before. */
  readonly periodic: {
    readonly rule: RuleId;
    readonly clause: string;
    readonly rest: Milliseconds;
    readonly within: Milliseconds;
  };
  /** s. 27(b): no driving after `limit` on duty without this rest. */
  readonly beforeHours: (Limit & { readonly rest: Milliseconds }) | null;
}

/** What each declaration does where the rule set knows it. */
export interface Exceptions {
  /** Added to the limits; `timeOff` is taken from what a day must have off. */
  readonly adverseDriving?: {
    readonly clause: string;
    readonly drive: Milliseconds;
    readonly window: Milliseconds;
    readonly onDuty: Milliseconds;
    readonly timeOff: Milliseconds;
  };
  /** Waives the break. */
  readonly shortHaul?: { readonly clause: string };
  /** Waives the break; a longer window on some days of any seven. */
  readonly shortHaulNonCdl?: { readonly clause: string; readonly window: Milliseconds; readonly days: number };
  /** A longer window, once in so many days or after a restart. */
  readonly sixteenHourException?: { readonly clause: string; readonly window: Milliseconds; readonly onceIn: number };
  /** Waiting off duty that is left out of the window. */
  readonly wellSiteWaiting?: { readonly clause: string };
  /** Off-duty time of day one moved to day two. */
  readonly deferral?: { readonly clause: string; readonly most: Milliseconds };
}
