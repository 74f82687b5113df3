import type { Exception } from '../exception.ts';
import type { BruteLimits } from './brute-limits.ts';
import { at, type Minutes, type Run } from './minutes.ts';

/** What earlier shifts mean for the longer windows. */
export interface History {
  longDays: number[];
  readonly restarts: readonly Run[];
}

export interface RulesInForce {
  readonly drive: number;
  readonly window: number;
  readonly breakWaived: boolean;
  /** The window without the longer one of a declaration. */
  readonly ordinaryWindow: number;
}

export const restartsOf = (log: Minutes, limits: BruteLimits): readonly Run[] =>
  log.runs.filter(run => limits.restart !== undefined && run.end - run.start >= limits.restart * 60);

/** The limits at one minute of a shift that began at `start`. */
export function rulesAt(
  log: Minutes,
  limits: BruteLimits,
  history: History,
  start: number,
  minute: number,
): RulesInForce {
  const declared = (exception: Exception): boolean =>
    log.log.declarations.some(
      one =>
        one.exception === exception && one.start / 60_000 - log.first <= minute && one.end / 60_000 - log.first > start,
    );
  const extra = (limits.adverse && declared('adverseDriving') ? limits.adverse : 0) * 60;
  const today = at(log.day, start);
  const earlier = history.longDays.filter(day => day !== today && day > today - 7);
  const restart = history.restarts.filter(run => run.end <= start).at(-1);
  const sinceRestart = earlier.filter(day => !restart || day >= at(log.day, restart.end));
  const sixteen = limits.shortHaul && declared('sixteenHourException') && sinceRestart.length === 0;
  const nonCdl = limits.shortHaul === true && declared('shortHaulNonCdl');
  const ordinaryWindow = limits.window[1] * 60 + extra;
  return {
    drive: limits.drive[1] * 60 + extra,
    window: Math.max(ordinaryWindow, sixteen || (nonCdl && new Set(earlier).size < 2) ? 16 * 60 : 0),
    breakWaived: nonCdl || (limits.shortHaul === true && declared('shortHaul')),
    ordinaryWindow,
  };
}
