import type { Exception } from '../exception.ts';
import type { BruteLimits } from './brute-limits.ts';
import { at, type Minutes, type Run, withExempt } from './minutes.ts';

/** How earlier shifts affect the longer windows. */
export interface History {
  longDays: number[];
  readonly restarts: readonly Run[];
}

export interface RulesInForce {
  readonly drive: number;
  readonly window: number;
  /** Minutes that a declaration adds to the driving and on-duty limits. */
  readonly moreDriving: number;
  readonly moreDuty: number;
  readonly breakWaived: boolean;
  /** The window without a declaration's longer one. */
  readonly ordinaryWindow: number;
}

export const restartsOf = (log: Minutes, limits: BruteLimits): readonly Run[] =>
  log.runs.filter(run => limits.restart !== undefined && run.end - run.start >= limits.restart * 60);

/** Where the full rest before a shift began. */
function restBefore(log: Minutes, limits: BruteLimits, start: number): number {
  const shiftsEnd = log.runs.filter(
    run => run.end - run.start >= limits.rest * 60 && run.end <= start && run.start > 0,
  );
  return shiftsEnd.at(-1)?.start ?? Number.NEGATIVE_INFINITY;
}

/** Marks the minutes of work that a declared exemption takes out of the limits. */
export function exempted(log: Minutes, limits: BruteLimits): Minutes {
  const declared = log.log.declarations.filter(({ exception }) => limits.exempt?.[exception] !== undefined);
  if (declared.length === 0) return log;
  const exempt = log.status.map((_, minute) => {
    if (at(log.duty, minute + 1) === at(log.duty, minute)) return 0;
    const rested = restBefore(log, limits, minute);
    const marks = declared.map(({ exception, start, end }) => {
      const [from, to] = [start / 60_000 - log.first, end && end / 60_000 - log.first];
      const isInForce = from <= minute && (to === null ? from >= rested : minute < to);
      return isInForce ? (limits.exempt?.[exception] ?? 0) : 0;
    });
    return Math.max(...marks);
  });
  return withExempt(log, Uint8Array.from(exempt));
}

/** The limits at one minute of a shift that began at `start`. */
export function rulesAt(
  log: Minutes,
  limits: BruteLimits,
  history: History,
  start: number,
  minute: number,
): RulesInForce {
  const declared = (exception: Exception): boolean =>
    log.log.declarations.some(one => {
      const [from, to] = [one.start / 60_000 - log.first, one.end && one.end / 60_000 - log.first];
      if (one.exception !== exception || from > minute) return false;
      // Without an end, it belongs to the shift in which it starts, or to the first one after that.
      return to === null ? from >= restBefore(log, limits, start) : to > start;
    });
  const [moreDriving = 0, moreWindow = 0, moreDuty = 0] =
    limits.adverse && declared('adverseDriving') ? limits.adverse.map(hours => hours * 60) : [];
  const today = at(log.day, start);
  const earlier = history.longDays.filter(day => day !== today && day > today - 7);
  const restart = history.restarts.filter(run => run.end <= start).at(-1);
  const sinceRestart = earlier.filter(day => !restart || day >= at(log.day, restart.end));
  const sixteen = limits.shortHaul && declared('sixteenHourException') && sinceRestart.length === 0;
  const nonCdl = limits.shortHaul === true && declared('shortHaulNonCdl');
  const ordinaryWindow = limits.window[1] * 60 + moreWindow;
  return {
    drive: limits.drive[1] * 60 + moreDriving,
    moreDriving,
    moreDuty,
    window: Math.max(ordinaryWindow, sixteen || (nonCdl && new Set(earlier).size < 2) ? 16 * 60 : 0),
    breakWaived: nonCdl || (limits.shortHaul === true && declared('shortHaul')),
    ordinaryWindow,
  };
}
