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
import {
  advanceMotion,
  isGap,
  isSilence,
  type Motion,
  type MotionState,
  settledBefore,
  UNKNOWN_MOTION,
} from './motion.ts';
import { distanceMetres } from './sphere.ts';
import { DEFAULT_THRESHOLDS, type Thresholds } from './thresholds.ts';

/** A period of one kind of motion; `gap` is time without data. */
export type SegmentKind = Motion | 'gap';

export interface DaySegment {
  readonly kind: SegmentKind;
  readonly from: EpochMs;
  readonly to: EpochMs;
  /**
   * Distance covered: along the fixes while moving, in a straight line across a gap, 0 while standing (scatter is not
   * movement). In whole millimeters, so that sums are the same in any order.
   */
  readonly distance: Metres;
}

export interface DayFigures {
  readonly segments: readonly DaySegment[];
  readonly distance: Metres;
  readonly moving: Seconds;
  readonly idling: Seconds;
  readonly stopped: Seconds;
  readonly gap: Seconds;
  /** Stops made: halts after driving. A vehicle standing since before `from` has not made a stop. */
  readonly stops: number;
  /** Highest speed sent with a reliable fix. */
  readonly maxSpeed: MetresPerSecond | null;
  /** Fixes within the period that the figures are based on, and those left out as doubtful or invalid. */
  readonly fixes: number;
  readonly leftOut: number;
}

interface Stretch {
  readonly kind: SegmentKind;
  readonly from: number;
  /** Sum of the legs that certainly belong to it. */
  readonly distance: number;
}

interface Leg {
  readonly from: number;
  readonly to: number;
  readonly distance: number;
}

/** What has been counted so far, as plain JSON, so that it can be stored and continued. */
export interface DayCount {
  readonly motion: MotionState;
  readonly stretches: readonly Stretch[];
  readonly legs: readonly Leg[];
  readonly maxSpeed: MetresPerSecond | null;
  readonly fixes: number;
  readonly leftOut: number;
}

/** Earlier than every fix; unlike an infinity it survives JSON. */
const EVER = Number.MIN_SAFE_INTEGER;
const NOTHING: DayCount = {
  motion: UNKNOWN_MOTION,
  stretches: [{ kind: 'gap', from: EVER, distance: 0 }],
  legs: [],
  maxSpeed: null,
  fixes: 0,
  leftOut: 0,
};
/**
 * Legs held until it is certain which stretch they belong to. Settling them more often would cost more than it saves.
 */
const LEGS_KEPT = 64;

/**
 * Counts what a vehicle does between two moments, fix by fix, with the live motion detector. However many fixes a day
 * has, it stores little more than the stretches, and can give figures at any time.
 */
export class DayCounter {
  readonly #from: EpochMs;
  readonly #to: EpochMs;
  readonly #thresholds: Thresholds;
  #motion: MotionState;
  readonly #stretches: Stretch[];
  #legs: Leg[];
  #maxSpeed: MetresPerSecond | null;
  #fixes: number;
  #leftOut: number;

  constructor(
    from: EpochMs,
    to: EpochMs,
    { count = NOTHING, thresholds = DEFAULT_THRESHOLDS }: { count?: DayCount; thresholds?: Thresholds } = {},
  ) {
    this.#from = from;
    this.#to = to;
    this.#thresholds = thresholds;
    this.#motion = count.motion;
    this.#stretches = [...count.stretches];
    this.#legs = [...count.legs];
    this.#maxSpeed = count.maxSpeed;
    this.#fixes = count.fixes;
    this.#leftOut = count.leftOut;
  }

  /**
   * Adds the next fix, in order of time, each time only once. Fixes before and after the day tell how it began and
   * ended. Answers whether the figures of the day are based on it.
   */
  add(given: Fix): boolean {
    const before = this.#motion;
    const fix = judgedInOrder(given, before);
    const after = advanceMotion(before, fix, this.#thresholds);
    this.#motion = after;
    // A fix that the detector ignores does not end a silence either.
    if (after !== before && before.fixAt !== null && isGap(before, fix, this.#thresholds)) {
      begin(this.#stretches, 'gap', before.fixAt);
    }
    if (after.motion !== null && after.since !== null) begin(this.#stretches, after.motion, after.since);
    const believed = isBelieved(fix);
    if (believed && before.place !== null) {
      this.#legs.push({ from: before.place.time, to: fix.time, distance: distanceMetres(before.place, fix) });
      if (this.#legs.length >= LEGS_KEPT) this.#settle();
    }
    if (fix.time < this.#from || fix.time >= this.#to) return false;
    if (!believed) {
      this.#leftOut++;
      return false;
    }
    this.#fixes++;
    if (fix.speed !== null && (this.#maxSpeed === null || fix.speed > this.#maxSpeed)) this.#maxSpeed = fix.speed;
    return true;
  }

  /** No later fix changes the segments before this moment. */
  get certainBefore(): number {
    return settledBefore(this.#motion);
  }

  /**
   * The figures up to a moment later than all fixes of the day so far. After the last fix, its motion continues as long
   * as the live status would show it, and then a gap begins.
   */
  figures(until: EpochMs = this.#to): DayFigures {
    const end = epochMs(Math.min(until, this.#to));
    const stretches = [...this.#stretches];
    const { fixAt } = this.#motion;
    if (fixAt !== null && isSilence(this.#motion, end, this.#thresholds)) begin(stretches, 'gap', fixAt);
    for (const leg of this.#legs) place(stretches, leg, this.#from, end);
    return {
      ...totals(clip(stretches, this.#from, end)),
      maxSpeed: this.#maxSpeed,
      fixes: this.#fixes,
      leftOut: this.#leftOut,
    };
  }

  count(): DayCount {
    this.#settle();
    return {
      motion: this.#motion,
      stretches: [...this.#stretches],
      legs: this.#legs,
      maxSpeed: this.#maxSpeed,
      fixes: this.#fixes,
      leftOut: this.#leftOut,
    };
  }

  /** No stretch that begins from here on is certain; a leg that ends before is assigned. */
  #settle(): void {
    const certain = this.certainBefore;
    const open = this.#legs.findIndex(({ to }) => to >= certain);
    const settled = open < 0 ? this.#legs : this.#legs.slice(0, open);
    for (const leg of settled) place(this.#stretches, leg, this.#from, this.#to);
    this.#legs = open < 0 ? [] : this.#legs.slice(open);
  }
}

function judgedInOrder(fix: Fix, state: MotionState): Fix {
  const own = fix.doubts.filter(doubt => doubt !== 'impossible-speed');
  if (own.length > 0 || !fix.valid || !isImpossibleSpeed(state.place, fix)) return { ...fix, doubts: own };
  return { ...fix, doubts: ['impossible-speed'] };
}

/** Begins a stretch here, and drops those that began later. */
function begin(stretches: Stretch[], kind: SegmentKind, from: number): void {
  let last = stretches.at(-1);
  if (last?.kind === kind && last.from <= from) return;
  while (last !== undefined && last.from >= from) {
    stretches.pop();
    last = stretches.at(-1);
  }
  if (last?.kind !== kind) stretches.push({ kind, from, distance: 0 });
}

/** Adds a leg's share of the day to its stretch. */
function place(stretches: Stretch[], leg: Leg, from: number, to: number): void {
  const share = (Math.min(leg.to, to) - Math.max(leg.from, from)) / (leg.to - leg.from);
  if (share <= 0) return;
  const arrived = lastFrom(stretches, ({ from: begun }) => begun <= leg.to && begun < to, stretches.length - 1);
  const departed = lastFrom(stretches, ({ from: begun }) => begun <= Math.max(leg.from, from), arrived);
  // The leg from the last standing fix to the first fast one belongs to the drive that it begins.
  const kind = stretches[departed]?.kind;
  const index = kind === 'moving' || kind === 'gap' ? departed : arrived;
  const journey = stretches[index];
  if (journey?.kind !== 'moving' && journey?.kind !== 'gap') return;
  stretches[index] = { ...journey, distance: journey.distance + leg.distance * share };
}

/** Searches backward, because the match is near the end. */
function lastFrom(stretches: readonly Stretch[], holds: (stretch: Stretch) => boolean, start: number): number {
  let i = start;
  while (i > 0 && !holds(stretches[i] as Stretch)) i--;
  return i;
}

function clip(stretches: readonly Stretch[], from: number, to: number): DaySegment[] {
  return stretches.flatMap((stretch, i) => {
    const end = Math.min(stretches[i + 1]?.from ?? Number.POSITIVE_INFINITY, to);
    const begun = Math.max(stretch.from, from);
    const { kind, distance } = stretch;
    return begun < end ? { kind, from: epochMs(begun), to: epochMs(end), distance: inMillimetres(distance) } : [];
  });
}

export const toMillimetres = (distance: number): number => Math.round(distance * 1000);
const fromMillimetres = (millimetres: number): Metres => metres(millimetres / 1000);
const inMillimetres = (distance: number): Metres => fromMillimetres(toMillimetres(distance));

function totals(segments: readonly DaySegment[]): Omit<DayFigures, 'maxSpeed' | 'fixes' | 'leftOut'> {
  const milliseconds: Record<SegmentKind, number> = { moving: 0, idling: 0, stopped: 0, gap: 0 };
  let millimetres = 0;
  let stops = 0;
  let underWay = false;
  for (const segment of segments) {
    milliseconds[segment.kind] += segment.to - segment.from;
    millimetres += toMillimetres(segment.distance);
    if (segment.kind === 'moving') underWay = true;
    else if (segment.kind === 'stopped' && underWay) {
      stops++;
      underWay = false;
    }
  }
  return {
    segments,
    distance: fromMillimetres(millimetres),
    moving: seconds(milliseconds.moving / 1000),
    idling: seconds(milliseconds.idling / 1000),
    stopped: seconds(milliseconds.stopped / 1000),
    gap: seconds(milliseconds.gap / 1000),
    stops,
  };
}
