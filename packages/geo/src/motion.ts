import {
  type Degrees,
  degrees,
  type EpochMs,
  type MetresPerSecond,
  metresPerSecond,
  type Seconds,
  seconds,
} from '@milepost/units';
import { isImpossibleSpeed } from './doubts.ts';
import { type Fix, isBelieved, type PlaceInTime } from './fix.ts';
import { bearingDegrees, distanceMetres } from './sphere.ts';
import { DEFAULT_THRESHOLDS, isMovingSpeed, outdatedLimitMs, type Thresholds } from './thresholds.ts';

export const MOTIONS = ['moving', 'idling', 'stopped'] as const;
export type Motion = (typeof MOTIONS)[number];

/** What is known about a vehicle's motion after a series of fixes. Plain JSON, stored as it is. */
export interface MotionState {
  /** Null until fixes have shown a motion. */
  readonly motion: Motion | null;
  /** Start of the motion; moved back to the first fix that showed it once later fixes have confirmed it. */
  readonly since: EpochMs | null;
  /** Time of the newest fix, valid or not. */
  readonly fixAt: EpochMs | null;
  /** The position of the newest fix is reliable. */
  readonly gpsValid: boolean;
  /** The last reliable position. */
  readonly place: PlaceInTime | null;
  /** Heading: as sent, otherwise from the last two places. A standing vehicle keeps its last course. */
  readonly course: Degrees | null;
  /** As last sent; null if the tracker has never sent it. */
  readonly ignition: boolean | null;
  /** Usual time between two fixes while awake: the median of the last five. */
  readonly interval: Seconds | null;
  readonly recentGaps: readonly Seconds[];
  /** The unbroken run of fast fixes up to the newest. */
  readonly fast: { readonly since: EpochMs; readonly fixes: number } | null;
  /** The unbroken run of slow fixes with the same ignition state, up to the newest. */
  readonly standing: { readonly since: EpochMs; readonly ignition: boolean | null } | null;
  /** Since when every fix has had a speed of 0, whatever the ignition; an unreliable fix ends it. */
  readonly halted: EpochMs | null;
  /** A place doubted for the speed it would need, and how many fixes in a row agree with it. */
  readonly elsewhere: (PlaceInTime & { readonly fixes: number }) | null;
}

export const UNKNOWN_MOTION: MotionState = {
  motion: null,
  since: null,
  fixAt: null,
  gpsValid: false,
  place: null,
  course: null,
  ignition: null,
  interval: null,
  recentGaps: [],
  fast: null,
  standing: null,
  halted: null,
  elsewhere: null,
};

const GAPS_KEPT = 5;
/** Below this distance, a derived course is only scatter. */
const COURSE_FROM_METRES = 10;
/** Reports this far apart hide what happened in between, so the distance counts in addition to the speed sent. */
export const SPARSE_MS = 60_000;
const SPARSE_METRES = 100;
/** A vehicle found this far from where it stood has moved unnoticed. */
const DISPLACED_METRES = 500;
/**
 * If this many fixes agree on an impossible place, it was right: the earlier place was wrong, or the vehicle was flown.
 */
const ELSEWHERE_FIXES = 3;

/**
 * The next state after a fix. Pure; the same fix twice changes nothing, and neither does a fix older than the newest
 * (history, not news) or one whose time is impossible.
 *
 * - Moving: 5 km/h or more in two fixes in a row, or in one that comes 20 s or more after the previous one, unless
 *   the ignition is off. The speed is the one sent; without it, or with a minute or more between fixes, the mean speed
 *   since the last place counts, too.
 * - Stopped: slower with the ignition off, at once; without any ignition signal after more than 3 minutes.
 * - Idling: slower with the ignition on for more than 3 minutes, since the first of those fixes.
 *
 * Until the 3 minutes have passed, a standing vehicle keeps its previous motion: a red light is part of the drive, and
 * a turned key is part of the stop. Without a previous motion it is stopped. After a silence in which anything may have
 * happened (`isGap`), motion is determined anew. A fix without a reliable position tells nothing about movement, except
 * that turning the ignition off ends it.
 */
export function advanceMotion(
  state: MotionState | null,
  fix: Fix,
  thresholds: Thresholds = DEFAULT_THRESHOLDS,
): MotionState {
  const before = state ?? UNKNOWN_MOTION;
  if (fix.doubts.includes('impossible-time') || (before.fixAt !== null && fix.time <= before.fixAt)) return before;

  const gap = isGap(before, fix, thresholds);
  const known: MotionState = gap
    ? { ...before, motion: null, since: null, fast: null, standing: null, halted: null }
    : before;
  const silentMs = gap || before.fixAt === null ? Number.POSITIVE_INFINITY : fix.time - before.fixAt;
  const believed = isBelieved(fix);
  const speed = believed ? speedOf(fix, gap ? null : before.place) : null;
  const isFast = speed !== null && isMovingSpeed(speed, thresholds);
  const ignition = fix.ignition ?? before.ignition;
  const turnedOff = ignition === false && before.ignition !== false;

  const placed: MotionState = {
    ...known,
    ...placeAfter(before, fix, believed, isFast),
    ...intervalAfter(before, fix),
    fixAt: fix.time,
    gpsValid: believed,
    ignition,
    // States stored without this field read as unknown.
    halted: believed && fix.speed === 0 && !isFast ? (known.halted ?? fix.time) : null,
  };
  if (isFast) return afterFast(placed, fix.time, silentMs, thresholds);
  if (speed !== null || turnedOff) return afterSlow(placed, fix.time, thresholds);
  return placed;
}

/**
 * Whether nothing is known about the time between the newest fix and this one: more than 24 h, or longer than the limit
 * at which the vehicle was shown as outdated. A parked tracker may be silent longer, if it wakes up where it was
 * parked.
 */
export function isGap(before: MotionState, fix: Fix, thresholds: Thresholds = DEFAULT_THRESHOLDS): boolean {
  if (before.fixAt === null) return false;
  if (isSilence(before, fix.time, thresholds)) return true;
  const quietMs = fix.time - before.fixAt;
  if (quietMs <= outdatedLimitMs(before.interval, thresholds)) return false;
  return before.place !== null && isBelieved(fix) && distanceMetres(before.place, fix) > DISPLACED_METRES;
}

/** The same at a moment without a fix, as far as it can be known. */
export function isSilence(before: MotionState, at: EpochMs, thresholds: Thresholds = DEFAULT_THRESHOLDS): boolean {
  if (before.fixAt === null) return false;
  const quietMs = at - before.fixAt;
  const asleep = before.motion === 'stopped' || before.motion === null;
  return quietMs > (asleep ? thresholds.offlineAfterMs : outdatedLimitMs(before.interval, thresholds));
}

/**
 * No later fix changes what is known about the time before this moment, neither the motion nor its start. What is not
 * proven yet may move a change back to the first fix that showed it.
 */
export function settledBefore({ fixAt, motion, fast, standing }: MotionState): number {
  let at: number = fixAt ?? Number.NEGATIVE_INFINITY;
  if (fast !== null && motion !== 'moving') at = Math.min(at, fast.since);
  if (standing !== null && motion !== settledMotion(standing.ignition)) at = Math.min(at, standing.since);
  return at;
}

/** The motion that standing proves. */
export const settledMotion = (ignition: boolean | null): Motion => (ignition === true ? 'idling' : 'stopped');

function speedOf(fix: Fix, from: PlaceInTime | null): MetresPerSecond {
  const sent = fix.speed ?? metresPerSecond(0);
  if (from === null) return sent;
  const elapsedMs = fix.time - from.time;
  const distance = distanceMetres(from, fix);
  const mean = metresPerSecond((distance / elapsedMs) * 1000);
  const distanceCounts = fix.speed === null || (elapsedMs >= SPARSE_MS && distance >= SPARSE_METRES);
  return distanceCounts && mean > sent ? mean : sent;
}

function placeAfter(
  before: MotionState,
  fix: Fix,
  believed: boolean,
  isFast: boolean,
): Pick<MotionState, 'place' | 'course' | 'elsewhere'> {
  const here: PlaceInTime = { time: fix.time, lat: fix.lat, lon: fix.lon };
  if (believed) return { place: here, course: courseAfter(before, fix, isFast), elsewhere: null };

  const { place, course, elsewhere } = before;
  const onlyTooFast = fix.valid && fix.doubts.length === 1 && fix.doubts[0] === 'impossible-speed';
  if (!onlyTooFast) return { place, course, elsewhere };
  const agrees = elsewhere !== null && !isImpossibleSpeed(elsewhere, fix);
  const fixes = agrees ? elsewhere.fixes + 1 : 1;
  if (fixes >= ELSEWHERE_FIXES) return { place: here, course: null, elsewhere: null };
  return { place, course, elsewhere: { ...here, fixes } };
}

function courseAfter(before: MotionState, fix: Fix, isFast: boolean): Degrees | null {
  if (!isFast && before.course !== null) return before.course;
  if (fix.course !== null) return degrees(((fix.course % 360) + 360) % 360);
  if (before.place === null || distanceMetres(before.place, fix) < COURSE_FROM_METRES) return before.course;
  return bearingDegrees(before.place, fix);
}

/** Only intervals while the vehicle was awake count: a parked tracker reports irregularly. */
function intervalAfter(before: MotionState, fix: Fix): Pick<MotionState, 'interval' | 'recentGaps'> {
  const { fixAt, motion, interval, recentGaps } = before;
  if (fixAt === null || motion === null || motion === 'stopped') return { interval, recentGaps };
  const gap = seconds((fix.time - fixAt) / 1000);
  // Most trackers keep to theirs.
  if (recentGaps.length === GAPS_KEPT && recentGaps.every(each => each === gap)) return { interval, recentGaps };
  const kept = [...recentGaps, gap].slice(-GAPS_KEPT);
  const ordered = kept.toSorted((a, b) => a - b);
  return { interval: ordered[(ordered.length - 1) >> 1] ?? null, recentGaps: kept };
}

function afterFast(state: MotionState, now: EpochMs, silentMs: number, thresholds: Thresholds): MotionState {
  const fast = { since: state.fast?.since ?? now, fixes: (state.fast?.fixes ?? 0) + 1 };
  const next: MotionState = { ...state, fast, standing: null };
  if (state.motion === 'moving') return next;
  const lasts = silentMs >= thresholds.movingAfterMs && state.ignition !== false;
  if (fast.fixes >= thresholds.movingFixes || lasts) return { ...next, motion: 'moving', since: fast.since };
  return provisional(next, now);
}

function afterSlow(state: MotionState, now: EpochMs, thresholds: Thresholds): MotionState {
  const { ignition } = state;
  const standing = state.standing?.ignition === ignition ? state.standing : { since: now, ignition };
  const next: MotionState = { ...state, fast: null, standing };
  const settled = settledMotion(ignition);
  const proven = ignition === false || now - standing.since > thresholds.standingAfterMs;
  if (!proven) return provisional(next, now);
  return state.motion === settled ? next : { ...next, motion: settled, since: standing.since };
}

/** Not proven yet: keeps the previous motion; if there was none, the vehicle counts as stopped. */
const provisional = (state: MotionState, now: EpochMs): MotionState =>
  state.motion === null ? { ...state, motion: 'stopped', since: now } : state;
