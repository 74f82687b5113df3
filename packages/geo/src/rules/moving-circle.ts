import { degrees, type Metres, metres, metresPerSecond } from '@milepost/units';
import { compileFence } from '../fences/area.ts';
import { ellipsoidDistance, scaleAt } from '../fences/ellipsoid.ts';
import { DEFAULT_EDGE, FenceIndex } from '../fences/fence-index.ts';
import type { FenceFix } from '../fences/follower.ts';
import type { LatLon } from '../fix.ts';
import { towards, type Vector } from './place-in-time.ts';

const ORIGIN: LatLon = { lat: degrees(0), lon: degrees(0) };
const SCALE = scaleAt(0);
/** Further apart than that, it doesn't matter how far. */
const FAR = 100_000;
/** The one geofence of `circleAround`. */
export const CIRCLE = 1;

/**
 * A circle around a vehicle, seen from that vehicle: there it is at rest, a geofence like any other around the origin,
 * with the same protection against drift.
 */
export const circleAround = (radius: number): FenceIndex =>
  new FenceIndex([
    { id: CIRCLE, area: compileFence({ kind: 'circle', center: ORIGIN, radius: metres(radius) }), edge: DEFAULT_EDGE },
  ]);

/** One vehicle as the other sees it from the middle of its circle, at the same moment. */
export function seenFrom(middle: FenceFix, other: FenceFix): FenceFix {
  const distance = Math.min(ellipsoidDistance(middle, other), FAR);
  const [east, north] = directionTo(middle, other);
  const accuracy = middle.accuracy === null && other.accuracy === null ? null : sumOf(middle.accuracy, other.accuracy);
  return {
    time: other.time,
    lat: degrees((north * distance) / SCALE.north),
    lon: degrees((east * distance) / SCALE.east),
    // Whoever of the two moves.
    speed: middle.speed === null || other.speed === null ? null : metresPerSecond(Math.max(middle.speed, other.speed)),
    ignition: middle.ignition === true || other.ignition === true ? true : (other.ignition ?? middle.ignition),
    accuracy,
  };
}

/** Errors of two receivers that know nothing of each other. */
const sumOf = (one: Metres | null, other: Metres | null): Metres => metres(Math.hypot(one ?? 0, other ?? 0));

/** East and north parts of the direction, of length 1; near a pole, turned by the vehicle's meridian. */
function directionTo(from: LatLon, to: LatLon): readonly [east: number, north: number] {
  const up = towards(from);
  const way = minus(towards(to), up);
  // Near a pole, where east and north turn quickly, the axis is another one.
  const axis: Vector = Math.abs(from.lat) < TURNS ? [0, 0, 1] : [1, 0, 0];
  const east = unit(cross(axis, up));
  const [x, y] = [dot(way, east), dot(way, cross(up, east))];
  const length = Math.hypot(x, y);
  return length === 0 ? [0, 1] : [x / length, y / length];
}
const TURNS = 80;

const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Vector): Vector => {
  const length = Math.sqrt(dot(a, a));
  return [a[0] / length, a[1] / length, a[2] / length];
};
