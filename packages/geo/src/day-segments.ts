import {
  type EpochMs,
  epochMs,
  type Metres,
  type MetresPerSecond,
  metres,
  type Seconds,
  seconds,
} from '@milepost/units';
import { isImpossibleSpeed } from './doubts.ts';
import { type Fix, isBelieved } from './fix.ts';
import { advanceMotion, isGap, isSilence, type Motion, type MotionState, UNKNOWN_MOTION } from './motion.ts';
import { distanceMetres } from './sphere.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from './thresholds.ts';

/** A stretch of one kind of motion; `gap` is time about which nothing is known. */
export type SegmentKind = Motion | 'gap';

export interface DaySegment {
  readonly kind: SegmentKind;
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Way covered: along the fixes while moving, straight across a gap, 0 while standing (scatter is no journey). */
  readonly distance: Metres;
}

export interface DayFigures {
  readonly segments: readonly DaySegment[];
  readonly distance: Metres;
  readonly moving: Seconds;
  readonly idling: Seconds;
  readonly stopped: Seconds;
  readonly gap: Seconds;
  /** Stops made: halts that movement led to. Standing since before `from` is none. */
  readonly stops: number;
  /** Highest speed sent with a believed fix. */
  readonly maxSpeed: MetresPerSecond | null;
  /** Fixes within the time asked for that the figures rest on, and those left out as doubtful or not valid. */
  readonly fixes: number;
  readonly leftOut: number;
}

interface Stretch {
  readonly kind: SegmentKind;
  readonly from: number;
}

interface Leg {
  readonly from: number;
  readonly to: number;
  readonly distance: number;
}

/**
 * What a vehicle did between two moments: segments that tile [from, to) exactly, by the detector that runs live.
 * The order of the fixes and exact repetitions do not matter.
 *
 * Fixes before `from` prime the detector, and the last one says how the time began; the newest few within 24 hours are
 * enough. Fixes from `to` on may be given and settle what was undecided at the end. Without them the motion of the
 * last fix holds as long as the live status would have held it, and then a gap begins; so `to` is never later than now.
 *
 * Doubts that need only the fix itself are taken as given. `impossible-speed` depends on the order of arrival and is
 * judged again here, in the order of time.
 */
export function daySegments(
  fixes: Iterable<Fix>,
  from: EpochMs,
  to: EpochMs,
  thresholds: Thresholds = DEFAULT_THRESHOLDS,
): DayFigures {
  const stretches: Stretch[] = [{ kind: 'gap', from: Number.NEGATIVE_INFINITY }];
  const legs: Leg[] = [];
  let state: MotionState = UNKNOWN_MOTION;
  let maxSpeed: MetresPerSecond | null = null;
  let used = 0;
  let leftOut = 0;

  for (const given of inOrder(fixes)) {
    const fix = judgedInOrder(given, state);
    const before = state;
    const gap = isGap(before, fix, thresholds);
    state = advanceMotion(before, fix, thresholds);
    if (gap && before.fixAt !== null) begin(stretches, 'gap', before.fixAt);
    if (state.motion !== null && state.since !== null) begin(stretches, state.motion, state.since);
    const believed = isBelieved(fix);
    if (believed && before.place !== null) {
      legs.push({ from: before.place.time, to: fix.time, distance: distanceMetres(before.place, fix) });
    }
    if (fix.time < from || fix.time >= to) continue;
    if (!believed) {
      leftOut++;
      continue;
    }
    used++;
    if (fix.speed !== null && (maxSpeed === null || fix.speed > maxSpeed)) maxSpeed = fix.speed;
  }
  if (state.fixAt !== null && isSilence(state, to, thresholds)) begin(stretches, 'gap', state.fixAt);

  return { ...totals(clip(stretches, legs, from, to)), maxSpeed, fixes: used, leftOut };
}

function inOrder(fixes: Iterable<Fix>): Fix[] {
  const sorted = [...fixes].sort((a, b) => a.time - b.time);
  return sorted.filter((fix, i) => fix.time !== sorted[i - 1]?.time);
}

function judgedInOrder(fix: Fix, state: MotionState): Fix {
  const own = fix.doubts.filter(doubt => doubt !== 'impossible-speed');
  if (own.length > 0 || !fix.valid || !isImpossibleSpeed(state.place, fix)) return { ...fix, doubts: own };
  return { ...fix, doubts: ['impossible-speed'] };
}

/** From here on, whatever was thought of later moments before. */
function begin(stretches: Stretch[], kind: SegmentKind, from: number): void {
  let last = stretches.at(-1);
  if (last?.kind === kind && last.from <= from) return;
  while (last !== undefined && last.from >= from) {
    stretches.pop();
    last = stretches.at(-1);
  }
  if (last?.kind !== kind) stretches.push({ kind, from });
}

interface Span {
  readonly kind: SegmentKind;
  readonly from: number;
  readonly to: number;
  distance: number;
}

function clip(stretches: readonly Stretch[], legs: readonly Leg[], from: number, to: number): Span[] {
  const spans: Span[] = [];
  for (const [i, stretch] of stretches.entries()) {
    const end = stretches[i + 1]?.from ?? Number.POSITIVE_INFINITY;
    const span = { kind: stretch.kind, from: Math.max(stretch.from, from), to: Math.min(end, to), distance: 0 };
    if (span.from < span.to) spans.push(span);
  }
  let i = 0;
  for (const leg of legs) {
    const share = (Math.min(leg.to, to) - Math.max(leg.from, from)) / (leg.to - leg.from);
    if (share <= 0) continue;
    i = spanAt(spans, leg.from, i);
    const departed = spans[i];
    const arrived = spans[spanAt(spans, leg.to, i)];
    // The way from the last standing fix to the first fast one belongs to the drive that it begins.
    const journey = departed?.kind === 'moving' || departed?.kind === 'gap' ? departed : arrived;
    if (journey && (journey.kind === 'moving' || journey.kind === 'gap')) journey.distance += leg.distance * share;
  }
  return spans;
}

/** Index of the span that holds a moment, searched upwards; the first or the last where it lies outside all. */
function spanAt(spans: readonly Span[], time: number, start: number): number {
  let i = start;
  while (i + 1 < spans.length && (spans[i + 1]?.from ?? Number.POSITIVE_INFINITY) <= time) i++;
  return i;
}

function totals(spans: readonly Span[]): Omit<DayFigures, 'maxSpeed' | 'fixes' | 'leftOut'> {
  const milliseconds: Record<SegmentKind, number> = { moving: 0, idling: 0, stopped: 0, gap: 0 };
  let distance = 0;
  let stops = 0;
  let underWay = false;
  for (const span of spans) {
    milliseconds[span.kind] += span.to - span.from;
    distance += span.distance;
    if (span.kind === 'moving') underWay = true;
    else if (span.kind === 'stopped' && underWay) {
      stops++;
      underWay = false;
    }
  }
  return {
    segments: spans.map(({ kind, from, to, distance: way }) => ({
      kind,
      from: epochMs(from),
      to: epochMs(to),
      distance: metres(way),
    })),
    distance: metres(distance),
    moving: seconds(milliseconds.moving / 1000),
    idling: seconds(milliseconds.idling / 1000),
    stopped: seconds(milliseconds.stopped / 1000),
    gap: seconds(milliseconds.gap / 1000),
    stops,
  };
}
