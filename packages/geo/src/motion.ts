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

/** What is known of a vehicle's motion after a series of fixes. Plain JSON: it is stored and read back as it is. */
export interface MotionState {
  /** Null until a fix has shown the motion. */
  readonly motion: Motion | null;
  /** Start of the motion; set back to the first fix that showed it once later fixes have confirmed it. */
  readonly since: EpochMs | null;
  /** Time of the newest fix, valid or not. */
  readonly fixAt: EpochMs | null;
  /** The place of the newest fix is believed. */
  readonly gpsValid: boolean;
  /** Where the vehicle last was for sure. */
  readonly place: PlaceInTime | null;
  /** Where it is heading: as sent, else from the last two places. A standing vehicle keeps its last course. */
  readonly course: Degrees | null;
  /** As last sent; null while the tracker has never said. */
  readonly ignition: boolean | null;
  /** Usual time between two fixes while awake: the median of the last five. */
  readonly interval: Seconds | null;
  readonly recentGaps: readonly Seconds[];
  /** The unbroken run of fast fixes that ends with the newest. */
  readonly fast: { readonly since: EpochMs; readonly fixes: number } | null;
  /** The unbroken run of slow fixes with one state of the ignition. */
  readonly standing: { readonly since: EpochMs; readonly ignition: boolean | null } | null;
  /** Since when every fix says a speed of nought, whatever the ignition; one that is not believed ends it. */
  readonly halted: EpochMs | null;
  /** A place that was doubted for the speed it would need, and how many fixes in a row agree with it. */
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
/** Below this a derived course is the scatter of the receiver. */
const COURSE_FROM_METRES = 10;
/** Reports this far apart hide what happened between them: then the way covered speaks besides the speed sent. */
const SPARSE_MS = 60_000;
const SPARSE_METRES = 100;
/** A vehicle found this far from where it stood has moved unseen. */
const DISPLACED_METRES = 500;
/** So many fixes that agree on an impossible place were right: the believed place was wrong, or the vehicle was flown. */
const ELSEWHERE_FIXES = 3;

/**
 * The next state after a fix. Pure; the same fix twice changes nothing, and neither does a fix older than the newest
 * (history, not news) or one whose time is impossible.
 *
 * - Moving: 5 km/h or more in two fixes running, or in one that follows the one before by 20 s or more, unless the
 *   ignition is off. The speed is the one sent; without it, or with a minute and more between fixes, the mean speed
 *   since the last place counts too.
 * - Stopped: slower with the ignition off, at once; without any ignition signal after more than 3 minutes.
 * - Idling: slower with the ignition on for more than 3 minutes, since the first of those fixes.
 *
 * Until the 3 minutes have passed a standing vehicle keeps the motion it had: a red light is part of the drive, and
 * a turned key is part of the stop. With nothing before it, it is stopped. After a silence in which anything may have
 * happened (`isGap`) motion is decided anew. A fix without a believed place says nothing about movement, except that
 * turning the ignition off ends it.
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
    // States that were stored without it read as unknown.
    halted: believed && fix.speed === 0 && !isFast ? (known.halted ?? fix.time) : null,
  };
  if (isFast) return afterFast(placed, fix.time, silentMs, thresholds);
  if (speed !== null || turnedOff) return afterSlow(placed, fix.time, thresholds);
  return placed;
}

/**
 * Nothing may be said about the time between the newest fix and this one: more than 24 h, or more than the limit at
 * which the vehicle was shown as outdated. A parked tracker may sleep longer, if it wakes where it fell asleep.
 */
export function isGap(before: MotionState, fix: Fix, thresholds: Thresholds = DEFAULT_THRESHOLDS): boolean {
  if (before.fixAt === null) return false;
  if (isSilence(before, fix.time, thresholds)) return true;
  const quietMs = fix.time - before.fixAt;
  if (quietMs <= outdatedLimitMs(before.interval, thresholds)) return false;
  return before.place !== null && isBelieved(fix) && distanceMetres(before.place, fix) > DISPLACED_METRES;
}

/** The same, as far as it can be said at a moment when no fix has come. */
export function isSilence(before: MotionState, at: EpochMs, thresholds: Thresholds = DEFAULT_THRESHOLDS): boolean {
  if (before.fixAt === null) return false;
  const quietMs = at - before.fixAt;
  const asleep = before.motion === 'stopped' || before.motion === null;
  return quietMs > (asleep ? thresholds.offlineAfterMs : outdatedLimitMs(before.interval, thresholds));
}

/**
 * What is known of the time before this moment no later fix changes: not the motion, not since when it held. What is
 * still to be proven may set a change back to the first fix that showed it.
 */
export function settledBefore({ fixAt, motion, fast, standing }: MotionState): number {
  let at: number = fixAt ?? Number.NEGATIVE_INFINITY;
  if (fast !== null && motion !== 'moving') at = Math.min(at, fast.since);
  if (standing !== null && motion !== settledMotion(standing.ignition)) at = Math.min(at, standing.since);
  return at;
}

/** What standing proves to be. */
const settledMotion = (ignition: boolean | null): Motion => (ignition === true ? 'idling' : 'stopped');

function speedOf(fix: Fix, from: PlaceInTime | null): MetresPerSecond {
  const sent = fix.speed ?? metresPerSecond(0);
  if (from === null) return sent;
  const elapsedMs = fix.time - from.time;
  const way = distanceMetres(from, fix);
  const mean = metresPerSecond((way / elapsedMs) * 1000);
  const wayCounts = fix.speed === null || (elapsedMs >= SPARSE_MS && way >= SPARSE_METRES);
  return wayCounts && mean > sent ? mean : sent;
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

/** Only gaps of a vehicle that was awake count: a parked tracker sends when it likes. */
function intervalAfter(before: MotionState, fix: Fix): Pick<MotionState, 'interval' | 'recentGaps'> {
  const { fixAt, motion, interval, recentGaps } = before;
  if (fixAt === null || motion === null || motion === 'stopped') return { interval, recentGaps };
  const kept = [...recentGaps, seconds((fix.time - fixAt) / 1000)].slice(-GAPS_KEPT);
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

/** Not proven yet: what was known stays; where nothing was known, the vehicle counts as stopped. */
const provisional = (state: MotionState, now: EpochMs): MotionState =>
  state.motion === null ? { ...state, motion: 'stopped', since: now } : state;
