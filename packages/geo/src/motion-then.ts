import { type Fix, isBelieved } from './fix.ts';
import { advanceMotion, isGap, type MotionState, UNKNOWN_MOTION } from './motion.ts';
import { DEFAULT_THRESHOLDS } from './thresholds.ts';

/** Motion after a vehicle's fixes up to a moment of the past. */
export interface MotionThen {
  readonly state: MotionState;
  /** No earlier fix can change what `vehicleStatus` reads of the state. */
  readonly isCertain: boolean;
}

/** After as many fixes without any ignition signal, the tracker never sends one. */
const NEVER_SENT_AFTER = 200;
/** The interval is the median of as many gaps. */
const GAPS = 5;
const { movingFixes, offlineAfterMs, outdatedAfterMs } = DEFAULT_THRESHOLDS;

/**
 * The motion after the last of these fixes, and whether it is the same as if all earlier ones had been read, too. It is
 * once the fixes show a drive and its end, or a silence in which anything may have happened: from there on, what was
 * before has no influence. `fixes` are in the order of time; `isComplete` says that none is missing at the beginning.
 */
export function motionThen(fixes: Iterable<Fix>, isComplete: boolean): MotionThen {
  let state = UNKNOWN_MOTION;
  let known: Known = NOTHING;
  let count = 0;
  for (const fix of fixes) {
    const next = advanceMotion(state, fix);
    if (next === state) continue;
    count++;
    // Once all is known, it stays so.
    if (!isComplete && !(known.since && known.gaps >= GAPS)) known = knownAfter(known, state, fix, next, count);
    state = next;
  }
  const isKnown = known.since && (known.gaps >= GAPS || state.motion === 'stopped');
  return { state, isCertain: isComplete || isKnown };
}

/** What is the same whatever was before the first fix. */
interface Known {
  readonly ignition: boolean;
  /** Fast fixes in a row, none of them after a silence. */
  readonly fast: number;
  readonly motion: boolean;
  readonly since: boolean;
  /** Gaps counted for the interval. */
  readonly gaps: number;
}

const NOTHING: Known = { ignition: false, fast: 0, motion: false, since: false, gaps: 0 };

function knownAfter(before: Known, state: MotionState, fix: Fix, next: MotionState, count: number): Known {
  const quietMs = state.fixAt === null ? Number.POSITIVE_INFINITY : fix.time - state.fixAt;
  const ignition = before.ignition || fix.ignition !== null || count >= NEVER_SENT_AFTER;
  const isFast = next.fast !== null && isBelieved(fix) && next.fast !== state.fast;
  const fast = isFast && quietMs <= outdatedAfterMs ? before.fast + 1 : 0;
  if (state.fixAt !== null && quietMs > offlineAfterMs && before.ignition && isBelieved(fix)) {
    return { ignition, fast, motion: true, since: true, gaps: 0 };
  }
  if (!before.motion) return { ignition, fast, motion: ignition && fast >= movingFixes, since: false, gaps: 0 };
  const isEnd = isGap(state, fix);
  // A longer or shorter interval would make another difference.
  const isOpen = before.gaps < GAPS && isGapAt(state, fix, 0) !== isGapAt(state, fix, Number.POSITIVE_INFINITY);
  if (isOpen) return { ...NOTHING, ignition };
  const isAwake = state.motion !== null && state.motion !== 'stopped';
  const hasStopped = state.motion === 'moving' && next.motion !== 'moving';
  return {
    ignition,
    fast,
    motion: true,
    since: before.since || hasStopped || isEnd,
    gaps: before.gaps + (isAwake ? 1 : 0),
  };
}

const isGapAt = (state: MotionState, fix: Fix, interval: number): boolean =>
  isGap({ ...state, interval: interval as MotionState['interval'] }, fix);
