import { degrees } from '@milepost/units';
import type { LatLon } from './fix.ts';
import { placesToKeep } from './simplify.ts';
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

/** Points of a track in the order of time, as columns. */
export interface TrackPlaces {
  readonly timeMs: ArrayLike<number>;
  /** Degrees (WGS 84). */
  readonly lat: ArrayLike<number>;
  readonly lon: ArrayLike<number>;
}

/**
 * Which points of a track to draw so that the line is nowhere farther than `tolerance` metres from the points left out,
 * and has the same gaps. In the order of time, as the points are.
 */
export function trackToDraw(track: TrackPlaces, tolerance: number): number[] {
  const { lat, lon } = track;
  const count = track.timeMs.length;
  const middle = at(track, count >> 1);
  const width = Math.cos((middle.lat * Math.PI) / 180) * METRES_PER_DEGREE;
  const [xs, ys] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    // Across the 180th meridian a line goes on beyond it.
    xs[i] = ((((lon[i] as number) - middle.lon + 540) % 360) - 180) * width;
    ys[i] = (lat[i] as number) * METRES_PER_DEGREE;
  }
  return withoutNewGaps(track, placesToKeep(xs, ys, tolerance));
}

/** A long straight drive keeps so many of its points that it doesn't look like silence. */
function withoutNewGaps(track: TrackPlaces, kept: readonly number[]): number[] {
  const all: number[] = [];
  for (const next of kept) {
    let last = all.at(-1);
    while (last !== undefined && next > last + 1 && isTrackGap(at(track, last), at(track, next))) {
      const until = at(track, last).timeMs + GAP_MS;
      let step = last + 1;
      while (step + 1 < next && at(track, step + 1).timeMs <= until) step++;
      all.push(step);
      last = step;
    }
    all.push(next);
  }
  return all;
}

const at = ({ timeMs, lat, lon }: TrackPlaces, i: number): TimedPlace => ({
  timeMs: timeMs[i] as number,
  lat: degrees(lat[i] as number),
  lon: degrees(lon[i] as number),
});
