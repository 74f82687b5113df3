import { lastAtOrBefore } from './ascending.ts';
import { type LegShape, shapeOf } from './leg-shape.ts';
import { between, type Random } from './random.ts';
import type { Leg } from './tour-file.ts';

/** A moment of a drive. Degrees, m/s, meters from the start of the leg. */
export interface DriveMoment {
  readonly lon: number;
  readonly lat: number;
  readonly speed: number;
  readonly course: number;
  readonly distance: number;
}

/** One drive along a leg, from standstill to standstill. */
export interface LegRun {
  /** Whole seconds. */
  readonly duration: number;
  /** Metres. */
  readonly distance: number;
  /** m/s. */
  readonly topSpeed: number;
  /** The moment `second` after the start, 0 … duration; may be fractional. */
  at(second: number): DriveMoment;
}

/** Of loaded trucks in town: m/s². */
export const ACCELERATION = 1.5;
export const BRAKING = 2;
/** The probability of having to wait at a crossing, and the time in seconds. */
const RED = 0.1;
const WAIT = [4, 28] as const;
/** Drivers differ: the share of the speed limit that one drives at. Now and then one is late. */
const PACE = [0.86, 1.02] as const;
const LATE = 0.06;
const LATE_PACE = [1.08, 1.14] as const;
/** Start (s), distance (m), speed (m/s), acceleration (m/s²). */
const FIELDS = 4;

/** Drives a leg as fast as limits and turns allow, with constant acceleration within each phase. */
export function driveLeg(leg: Leg, random: Random): LegRun {
  const shape = shapeOf(leg);
  const pace = random() < LATE ? between(random, ...LATE_PACE) : between(random, ...PACE);
  const limits = shape.limits.map(limit => limit * pace);
  const waits = redLights(leg, random);
  const { phases, total, topSpeed } = phasesOf(shape, limits, nodeSpeeds(shape, limits, waits), waits);
  const count = phases.length / FIELDS;
  const distance = shape.starts[shape.lengths.length] ?? 0;
  return {
    duration: Math.ceil(total),
    distance,
    topSpeed,
    at: second => {
      const time = Math.max(0, Math.min(second, total));
      const phase = lastAtOrBefore(time, count, index => phases[index * FIELDS] ?? 0) * FIELDS;
      const into = time - (phases[phase] ?? 0);
      const [place = 0, speed = 0, change = 0] = phases.subarray(phase + 1, phase + FIELDS);
      const driven = Math.min(distance, place + speed * into + (change * into * into) / 2);
      return { ...shape.placeAt(driven), speed: Math.max(0, speed + change * into), distance: driven };
    },
  };
}

/** The points where the vehicle waits, with seconds. */
function redLights(leg: Leg, random: Random): Map<number, number> {
  const waits = new Map<number, number>();
  for (const crossing of leg.crossings) {
    if (crossing < leg.points.length - 1 && random() < RED) waits.set(crossing, Math.round(between(random, ...WAIT)));
  }
  return waits;
}

/**
 * The speed at each point: at most what is allowed there, what can be reached before it, and what leaves room to brake
 * for what follows.
 */
function nodeSpeeds(shape: LegShape, limits: Float64Array, waits: ReadonlyMap<number, number>): Float64Array {
  const pieces = shape.lengths.length;
  const speeds = new Float64Array(pieces + 1);
  for (let point = 1; point < pieces; point++) {
    speeds[point] = waits.has(point)
      ? 0
      : Math.min(limits[point - 1] ?? 0, limits[point] ?? 0, shape.turnSpeeds[point] ?? 0);
  }
  for (let point = 1; point < pieces; point++) {
    const reached = (speeds[point - 1] ?? 0) ** 2 + 2 * ACCELERATION * (shape.lengths[point - 1] ?? 0);
    speeds[point] = Math.min(speeds[point] ?? 0, Math.sqrt(reached));
  }
  for (let point = pieces - 1; point > 0; point--) {
    const brakable = (speeds[point + 1] ?? 0) ** 2 + 2 * BRAKING * (shape.lengths[point] ?? 0);
    speeds[point] = Math.min(speeds[point] ?? 0, Math.sqrt(brakable));
  }
  return speeds;
}

/** Each piece: accelerate, hold, brake. */
function phasesOf(
  { lengths, starts }: LegShape,
  limits: Float64Array,
  speeds: Float64Array,
  waits: ReadonlyMap<number, number>,
): { phases: Float64Array; total: number; topSpeed: number } {
  const phases: number[] = [];
  let total = 0;
  let topSpeed = 0;
  const add = (seconds: number, place: number, speed: number, change: number) => {
    if (seconds <= 0) return;
    phases.push(total, place, speed, change);
    total += seconds;
  };
  for (let piece = 0; piece < lengths.length; piece++) {
    const [length, start] = [lengths[piece] ?? 0, starts[piece] ?? 0];
    const [enter, leave] = [speeds[piece] ?? 0, speeds[piece + 1] ?? 0];
    // The speed at which accelerating and braking meet, unless the limit is lower.
    const meet = Math.sqrt(
      (2 * ACCELERATION * BRAKING * length + BRAKING * enter ** 2 + ACCELERATION * leave ** 2) /
        (ACCELERATION + BRAKING),
    );
    const top = Math.max(enter, leave, Math.min(meet, limits[piece] ?? 0));
    topSpeed = Math.max(topSpeed, top);
    const gaining = (top ** 2 - enter ** 2) / (2 * ACCELERATION);
    const losing = (top ** 2 - leave ** 2) / (2 * BRAKING);
    const holding = Math.max(0, length - gaining - losing);
    add((top - enter) / ACCELERATION, start, enter, ACCELERATION);
    if (top > 0) add(holding / top, start + gaining, top, 0);
    add((top - leave) / BRAKING, start + gaining + holding, top, -BRAKING);
    add(waits.get(piece + 1) ?? 0, start + length, 0, 0);
  }
  // After the end, the vehicle is standing there.
  phases.push(total, starts[lengths.length] ?? 0, 0, 0);
  return { phases: Float64Array.from(phases), total, topSpeed };
}
