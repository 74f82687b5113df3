import { type Fix, isBelieved } from './fix.ts';
import { advanceMotion, isGap, type MotionState, SPARSE_MS, settledMotion, UNKNOWN_MOTION } from './motion.ts';
import { DEFAULT_THRESHOLDS, isMovingSpeed } from './thresholds.ts';

/** Motion after a vehicle's fixes up to a moment of the past. */
export interface MotionThen {
  readonly state: MotionState;
  /** No earlier fix can change what `vehicleStatus` reads of the state. */
  readonly isCertain: boolean;
}

/** A fix, and how many were left out right before it. */
export interface FixThen extends Fix {
  /**
   * They and this one only say that the vehicle still stands, as `STILL_AFTER_MS` of fixes before them and five after
   * this one do, no two of them a minute apart.
   */
  readonly leftOut?: number;
}

/**
 * After so long without anything else than standing, what was before it has no influence on the motion: the distance
 * may prove that even the first fix came from a drive.
 */
export const STILL_AFTER_MS = DEFAULT_THRESHOLDS.standingAfterMs + 2 * SPARSE_MS;

/** After as many fixes without any ignition signal, the tracker never sends one. */
const NEVER_SENT_AFTER = 200;
/** The interval is the median of as many gaps. */
const GAPS = 5;
const { movingFixes, offlineAfterMs, outdatedAfterMs } = DEFAULT_THRESHOLDS;

/**
 * The motion after the last of these fixes, and whether it is the same as if all earlier ones had been read, too. It is
 * once the fixes show a drive and its end, or a silence in which anything may have happened: from there on, what was
 * before has no influence. `fixes` are in the order of time; `isFromBeginning` says that none is missing before them.
 * Trackers report every few seconds on the road, and in some fleets while parked, too: what only says that a vehicle
 * still drives or still stands is passed over at once, so the state's course is not the one of its newest fix, and where
 * fixes were left out, `halted` may have begun earlier.
 */
export function motionThen(fixes: Iterable<FixThen>, isFromBeginning: boolean): MotionThen {
  let isComplete = isFromBeginning;
  let state = UNKNOWN_MOTION;
  let known: Known = NOTHING;
  let count = 0;
  /** Fixes that only say that it still stands or still drives, oldest first. */
  let alike: Fix[] = [];
  const take = (fix: Fix): void => {
    const next = advanceMotion(state, fix);
    if (next === state) return;
    count++;
    // Once all is known, it stays so.
    if (!isComplete && !(known.since && known.gaps >= GAPS)) known = knownAfter(known, state, fix, next, count);
    state = next;
  };
  const takeAlike = (): void => {
    if (alike.length === 0) return;
    // The interval follows from the gaps before the last few.
    const skipped = alike.slice(0, -GAPS);
    const last = skipped.at(-1);
    if (last && state.motion === 'moving') {
      count += skipped.length;
      known = knownDriving(known, skipped.length);
      state = stateDriving(state, skipped.length, last);
    } else if (last) {
      count += skipped.length;
      if (!isComplete) known = knownStanding(known, state, skipped, skipped.length, count);
      state = stateStanding(state, skipped, last);
    }
    for (const fix of alike.slice(skipped.length)) take(fix);
    alike = [];
  };
  /** False if too little was read before them to know that it had stopped. */
  const takeLeftOut = (fix: Fix, leftOut: number): boolean => {
    takeAlike();
    if (!stands(state, fix)) return false;
    count += leftOut + 1;
    if (!isComplete) known = knownStanding(known, state, [fix], leftOut + 1, count);
    state = { ...stateStanding(state, [fix], fix), halted: fix.speed === 0 ? fix.time : null };
    return true;
  };
  for (const fix of fixes) {
    if (fix.leftOut) {
      if (takeLeftOut(fix, fix.leftOut)) continue;
      // As if the reading began here.
      isComplete = false;
      [state, known, count] = [UNKNOWN_MOTION, NOTHING, 0];
    }
    const beforeMs = alike.at(-1)?.time ?? state.fixAt;
    const goesOn = stands(state, fix) || ((isComplete || known.motion) && drives(state, fix));
    if (goesOn && isSoonAfter(beforeMs, fix)) alike.push(fix);
    else {
      takeAlike();
      take(fix);
    }
  }
  takeAlike();
  const isKnown = known.since && (known.gaps >= GAPS || state.motion === 'stopped');
  return { state, isCertain: isComplete || isKnown };
}

/** Too soon for a silence, and for the distance to count. */
function isSoonAfter(beforeMs: number | null, fix: Fix): boolean {
  const quietMs = fix.time - (beforeMs ?? Number.NEGATIVE_INFINITY);
  return quietMs > 0 && quietMs < SPARSE_MS;
}

/** Whether a fix, soon after, changes nothing about a vehicle that drives. */
function drives({ fast, ignition, motion }: MotionState, fix: Fix): boolean {
  if (motion !== 'moving' || fast === null || (fix.ignition ?? ignition) !== ignition) return false;
  return fix.speed !== null && isMovingSpeed(fix.speed, DEFAULT_THRESHOLDS) && isBelieved(fix);
}

/** Whether it changes nothing about one that has stood for long enough to be stopped or idling. */
function stands({ gpsValid, ignition, motion, standing }: MotionState, fix: Fix): boolean {
  if (standing === null || !gpsValid || motion !== settledMotion(standing.ignition)) return false;
  const isSame = ignition === standing.ignition && (fix.ignition ?? ignition) === ignition;
  return isSame && isBelieved(fix) && fix.speed !== null && !isMovingSpeed(fix.speed, DEFAULT_THRESHOLDS);
}

/** What each of them would have left, one after the other. */
function stateStanding(state: MotionState, fixes: readonly Fix[], { time, lat, lon }: Fix): MotionState {
  const rolled = fixes.findLastIndex(({ speed }) => speed !== 0);
  const halted = rolled < 0 ? (state.halted ?? fixes[0]?.time) : fixes[rolled + 1]?.time;
  const place = { time, lat, lon };
  return { ...state, fixAt: time, gpsValid: true, place, fast: null, halted: halted ?? null, elsewhere: null };
}

/** What so many fixes of a drive, of which this is the last one, would have left. */
function stateDriving(state: MotionState, length: number, { time, lat, lon }: Fix): MotionState {
  const fast = state.fast && { ...state.fast, fixes: state.fast.fixes + length };
  return { ...state, fixAt: time, gpsValid: true, place: { time, lat, lon }, fast, halted: null, elsewhere: null };
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

/** The same after so many fixes of a drive that is known to be one. */
const knownDriving = (before: Known, length: number): Known => ({
  ...before,
  fast: before.fast + length,
  gaps: before.gaps + length,
});

/** The same after fixes of a vehicle that stands. */
function knownStanding(
  before: Known,
  { motion }: MotionState,
  fixes: readonly Fix[],
  length: number,
  count: number,
): Known {
  const ignition = before.ignition || count >= NEVER_SENT_AFTER || fixes.some(fix => fix.ignition !== null);
  const gaps = before.gaps + (before.motion && motion !== 'stopped' ? length : 0);
  return { ...before, ignition, fast: 0, gaps };
}

const isGapAt = (state: MotionState, fix: Fix, interval: number): boolean =>
  isGap({ ...state, interval: interval as MotionState['interval'] }, fix);
