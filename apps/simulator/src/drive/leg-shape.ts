import { bearingDegrees, distanceMetres } from '@milepost/geo';
import { degrees } from '@milepost/units';
import { lastAtOrBefore } from './ascending.ts';
import type { Leg } from './tour-file.ts';

/** The properties of a leg that do not depend on the driver. Piece n lies between point n and point n + 1. SI units. */
export interface LegShape {
  readonly lengths: Float64Array;
  /** Meters before each point. */
  readonly starts: Float64Array;
  /** m/s by piece. */
  readonly limits: Float64Array;
  /** m/s through the turn at each point. */
  readonly turnSpeeds: Float64Array;
  placeAt(distance: number): { lon: number; lat: number; course: number };
}

/** Speeds through turns in m/s, by their angle in degrees. */
const TURNS: readonly (readonly [sharperThan: number, speed: number])[] = [
  [60, 4],
  [30, 8],
];

const shapes = new WeakMap<Leg, LegShape>();

/** Computed once for each leg, because the same legs are driven every day. */
export function shapeOf(leg: Leg): LegShape {
  const known = shapes.get(leg);
  if (known) return known;
  const shape = workOut(leg);
  shapes.set(leg, shape);
  return shape;
}

function workOut({ points, limits }: Leg): LegShape {
  const pieces = points.length - 1;
  const lengths = new Float64Array(pieces);
  const courses = new Float64Array(pieces);
  const starts = new Float64Array(pieces + 1);
  const turnSpeeds = new Float64Array(pieces + 1).fill(Number.POSITIVE_INFINITY);
  for (let piece = 0; piece < pieces; piece++) {
    const [from, to] = [latLon(points[piece]), latLon(points[piece + 1])];
    lengths[piece] = distanceMetres(from, to);
    courses[piece] = bearingDegrees(from, to);
    starts[piece + 1] = (starts[piece] ?? 0) + (lengths[piece] ?? 0);
  }
  for (let point = 1; point < pieces; point++) {
    const turn = Math.abs((((courses[point] ?? 0) - (courses[point - 1] ?? 0) + 540) % 360) - 180);
    turnSpeeds[point] = TURNS.find(([sharper]) => turn > sharper)?.[1] ?? Number.POSITIVE_INFINITY;
  }
  return {
    lengths,
    starts,
    limits: Float64Array.from(limits, limit => limit / 3.6),
    turnSpeeds,
    placeAt: distance => {
      const piece = lastAtOrBefore(distance, pieces, index => starts[index] ?? 0);
      const [from = [0, 0], to = from] = [points[piece], points[piece + 1]];
      const share = Math.min(1, (distance - (starts[piece] ?? 0)) / Math.max(lengths[piece] ?? 0, 0.01));
      return {
        lon: from[0] + (to[0] - from[0]) * share,
        lat: from[1] + (to[1] - from[1]) * share,
        course: courses[piece] ?? 0,
      };
    },
  };
}

const latLon = ([lon, lat]: readonly [number, number] = [0, 0]) => ({ lon: degrees(lon), lat: degrees(lat) });
