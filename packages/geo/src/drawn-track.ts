import type { LatLon } from './fix.ts';
import { type PlanePoint, pointsToKeep } from './simplify.ts';
import { distanceMetres, EARTH_RADIUS } from './sphere.ts';

/** Silence this long … */
export const GAP_MS = 5 * 60_000;
/** … and over this distance is a gap: what lies between is not known. */
const GAP_METRES = 400;

export interface TimedPlace extends LatLon {
  readonly timeMs: number;
}

/** Nothing is known of the way between two points of a track that follow each other. */
export const isTrackGap = (from: TimedPlace, to: TimedPlace): boolean =>
  to.timeMs - from.timeMs > GAP_MS && distanceMetres(from, to) > GAP_METRES;

const METRES_PER_DEGREE = (EARTH_RADIUS * Math.PI) / 180;

/**
 * Which points of a track to draw so that the line is nowhere farther than `tolerance` metres from the points left out,
 * and has the same gaps. In the order of time, as the points are.
 */
export function trackToDraw(points: readonly TimedPlace[], tolerance: number): number[] {
  const middle = points[points.length >> 1];
  if (!middle) return [];
  const width = Math.cos((middle.lat * Math.PI) / 180);
  // Across the 180th meridian a line goes on beyond it.
  const east = (lon: number): number => ((lon - middle.lon + 540) % 360) - 180;
  const plane = points.map(
    ({ lat, lon }): PlanePoint => [east(lon) * width * METRES_PER_DEGREE, lat * METRES_PER_DEGREE],
  );
  return withoutNewGaps(points, pointsToKeep(plane, tolerance));
}

/** A long straight drive keeps so many of its points that it doesn't look like silence. */
function withoutNewGaps(points: readonly TimedPlace[], kept: readonly number[]): number[] {
  const all: number[] = [];
  for (const next of kept) {
    let last = all.at(-1);
    while (last !== undefined && next > last + 1 && isTrackGap(at(points, last), at(points, next))) {
      const until = at(points, last).timeMs + GAP_MS;
      let step = last + 1;
      while (step + 1 < next && at(points, step + 1).timeMs <= until) step++;
      all.push(step);
      last = step;
    }
    all.push(next);
  }
  return all;
}

const at = (points: readonly TimedPlace[], i: number): TimedPlace => points[i] as TimedPlace;
