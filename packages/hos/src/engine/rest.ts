import { type EpochMs, type Milliseconds, milliseconds } from '@milepost/units';
import type { Declaration } from '../exception.ts';
import type { DutyStatus } from '../status.ts';
import { between, earlier, later, NOTHING } from './time.ts';

/**
 * An unbroken run of off duty, sleeper berth and personal conveyance, from the work before it to the work after it, or
 * until now. The three may be mixed (395.1(g)(1)(i)(C)); only sleeper berth in one piece can be the long half of a
 * split.
 */
export interface Rest {
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly length: Milliseconds;
  /** The longest sleeper-berth piece (the later of two equal ones), and its end. */
  readonly sleeper: Milliseconds;
  readonly sleeperEnd: EpochMs;
  /** Start of the sleeper-berth piece that the run ends with; null if it ends otherwise. */
  readonly inSleeperSince: EpochMs | null;
}

/** The run, extended by more rest. */
export function extendRest(run: Rest | null, status: DutyStatus, from: EpochMs, until: EpochMs): Rest {
  const start = run?.start ?? from;
  const rest = { start, end: until, length: between(start, until) };
  const known = { sleeper: run?.sleeper ?? NOTHING, sleeperEnd: run?.sleeperEnd ?? start };
  if (status !== 'SB') return { ...rest, ...known, inSleeperSince: null };
  const inSleeperSince = run?.inSleeperSince ?? from;
  const piece = between(inSleeperSince, until);
  if (piece < known.sleeper) return { ...rest, ...known, inSleeperSince };
  return { ...rest, sleeper: piece, sleeperEnd: until, inSleeperSince };
}

/**
 * How much of a rest was declared as waiting at a well (395.1(d)(2)). Without an end, the waiting lasts until the rest
 * is over.
 *
 * @param before the end of the previous rest
 */
export function waitingIn(rest: Rest, before: EpochMs, declarations: readonly Declaration[]): Milliseconds {
  let waiting = 0;
  let counted = rest.start;
  for (const { exception, start, end } of declarations) {
    const ends = end ?? (start >= before ? rest.end : start);
    if (exception !== 'wellSiteWaiting' || ends <= counted || start >= rest.end) continue;
    const until = earlier(ends, rest.end);
    waiting += until - later(start, counted);
    counted = until;
  }
  return milliseconds(waiting);
}
