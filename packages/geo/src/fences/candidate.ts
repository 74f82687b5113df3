import { type EpochMs, epochMs, type Metres, type MetresPerSecond, metresPerSecond } from '@milepost/units';
import type { LatLon, PlaceInTime } from '../fix.ts';
import { ellipsoidDistance } from './ellipsoid.ts';
import type { Fence } from './fence-index.ts';

/** Of a reliable fix, what shows whether the vehicle moves. */
export interface MotionFix extends PlaceInTime {
  readonly speed: MetresPerSecond | null;
  readonly ignition: boolean | null;
}

/** A reliable fix. */
export interface FenceFix extends MotionFix {
  /** Meters within which it is, by the tracker's own account; null if it doesn't say. */
  readonly accuracy: Metres | null;
}

/** Fixes past the edge, until it is certain on which side the vehicle is. */
export interface Candidate {
  readonly first: EpochMs;
  readonly at: EpochMs;
  readonly after: EpochMs;
  readonly lat: number;
  readonly lon: number;
  /** The last fix on the old side. */
  readonly from: LatLon;
  readonly fixes: number;
  /** Fixes in a row that are far away from there. */
  readonly far: number;
  readonly deepest: number;
  /** Of the fixes while it stood: how many, the mean depth, and the sum of squared deviations. */
  readonly stood: readonly [count: number, mean: number, squares: number];
}

/** A parked vehicle's tracker reports less, by Doppler; slower creeping is judged by where it leads. */
const MOVING = 1.5;
/** With the ignition off, unless its wire was never connected. */
const MOVING_WITHOUT_IGNITION = 5;
/** Where a tracker sends no speed, it is reckoned from two fixes, which jitter. */
const MOVING_RECKONED = 4;
/** Without a sign of driving, only a place so far away, for so long, is another one: multipath jumps less and shorter. */
const FAR = 300;
export const FAR_FIXES = 5;
export const FAR_MS = 5 * 60_000;
/** Between fixes further apart, nobody knows the way. */
export const SEGMENT_MS = 10 * 60_000;
/** Fixes further apart than that are a silence: the crossing is reckoned from the moving end. */
const SILENCE_MS = 2 * 60_000;
const RECKONED_SPEED = 5;

/** Certainly not driving; of a fix without a speed nobody knows. */
export const isStanding = (speed: number | null, ignition: boolean | null): boolean =>
  speed !== null && speed < (ignition === false ? MOVING_WITHOUT_IGNITION : MOVING);

export function isMoving(fix: MotionFix, last: PlaceInTime | null): boolean {
  if (fix.speed !== null) return !isStanding(fix.speed, fix.ignition);
  if (last === null) return false;
  return ellipsoidDistance(last, fix) / ((fix.time - last.time) / 1000) >= MOVING_RECKONED;
}

/** How far past the edge a fix must be. Nothing is deeper inside than a small fence is. */
export function marginOf(fence: Fence, { accuracy }: FenceFix, isEntry: boolean): number {
  const margin = Math.max(fence.edge.buffer, accuracy ?? 0);
  return isEntry ? Math.min(margin, fence.area.depth / 2) : margin;
}

export const isFar = (fix: LatLon, from: LatLon): boolean => ellipsoidDistance(fix, from) >= FAR;

/** Welford's mean and variance. */
export function withOne([count, mean, squares]: Candidate['stood'], value: number): Candidate['stood'] {
  const more = mean + (value - mean) / (count + 1);
  return [count + 1, more, squares + (value - mean) * (value - more)];
}

export function begin(
  fence: Fence,
  isEntry: boolean,
  fix: FenceFix,
  last: MotionFix,
): Omit<Candidate, 'far' | 'deepest' | 'stood'> {
  const parts = fence.area.inside(last, fix);
  // Where the segment meets the edge for the last time on its way to this side.
  // Without a part inside, a way out began on the edge, and a way in ends there.
  const t = isEntry
    ? (parts.at(-1)?.[0] ?? 1)
    : parts.length === 0
      ? 0
      : (parts.findLast(part => part[1] < 1)?.[1] ?? 1);
  const { lat, lon } = along(last, fix, t);
  const span = fix.time - last.time;
  const at = span <= SILENCE_MS ? last.time + t * span : reckoned(isEntry, fix, last, { lat, lon } as LatLon);
  return {
    first: fix.time,
    at: epochMs(Math.round(Math.min(fix.time, Math.max(last.time, at)))),
    after: last.time,
    lat,
    lon,
    from: { lat: last.lat, lon: last.lon },
    fixes: 1,
  };
}

/** After a silence: a vehicle that went in drove first and then stood; one that left stood first. */
function reckoned(isEntry: boolean, fix: FenceFix, last: MotionFix, edge: LatLon): number {
  const drive = (from: LatLon, speed: MetresPerSecond | null): number =>
    (ellipsoidDistance(from, edge) / Math.max(speed ?? metresPerSecond(0), RECKONED_SPEED)) * 1000;
  return isEntry ? last.time + drive(last, last.speed) : fix.time - drive(fix, fix.speed);
}

export function along(from: LatLon, to: LatLon, t: number): LatLon {
  const away = to.lon - from.lon;
  const lon = from.lon + t * (away - 360 * Math.round(away / 360));
  return {
    lat: (from.lat + t * (to.lat - from.lat)) as LatLon['lat'],
    lon: (lon - 360 * Math.round(lon / 360)) as LatLon['lon'],
  };
}

/** Half certain at the edge, certain at twice the margin; less after a silence. */
export function confidenceOf({ deepest, first, after }: Candidate, margin: number): number {
  const byDepth = Math.min(1, 0.5 + deepest / (4 * margin));
  return first - after > SEGMENT_MS ? byDepth * 0.8 : byDepth;
}
