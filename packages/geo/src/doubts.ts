import type { EpochMs } from '@milepost/units';
import type { FixDoubt, PlaceInTime, ReportedFix } from './fix.ts';
import { distanceMetres } from './sphere.ts';

/** Faster than any road vehicle, and than the train or ferry that carries one: 360 km/h. */
const IMPOSSIBLE_SPEED = 100;
/** Scatter of two good fixes, and clocks that count whole seconds, may add this much to a leg. */
const PLACE_SCATTER_METRES = 200;
/** Room for wrong clocks, the server's included. A fix further ahead would stay "the newest" and hide all that follow. */
const AHEAD_MS = 10 * 60_000;
/**
 * Receivers that have missed the roll-over of the GPS week number (10 bits, IS-GPS-200) are 1,024 weeks, 19.6 years,
 * behind; clocks that were never set start in 1970, 1980 or 2000. Less than this may be an old memory read out late.
 */
const BEHIND_MS = 15 * 365.25 * 86_400_000;
/** Receivers without a fix send 0°/0°, a place in the Gulf of Guinea; within 1.1 km of it is no land and no port. */
const NULL_ISLAND_DEGREES = 0.01;

const isOnEarth = (fix: ReportedFix): boolean => Math.abs(fix.lat) <= 90 && Math.abs(fix.lon) <= 180;

/** No vehicle gets from one place to the other in that time. Says the same in both directions of time. */
export function isImpossibleSpeed(previous: PlaceInTime | null, fix: ReportedFix): boolean {
  if (fix.speed !== null && !(fix.speed >= 0 && fix.speed <= IMPOSSIBLE_SPEED)) return true;
  if (previous === null) return false;
  const elapsed = Math.abs(fix.time - previous.time) / 1000;
  return distanceMetres(previous, fix) > IMPOSSIBLE_SPEED * elapsed + PLACE_SCATTER_METRES;
}

/**
 * Why this fix should not be believed; nothing when all is well. A doubted fix is stored and marked, never dropped.
 * - `out-of-range`: latitude or longitude is no place on Earth
 * - `null-island`: within 0.01° of 0°/0°
 * - `impossible-time`: more than 10 minutes ahead of its reception, or 15 years behind
 * - `impossible-speed`: says, or would need, more than 360 km/h (with 200 m of grace) since the last believed place
 *
 * `previous` is the last believed place (`MotionState.place`).
 */
export function doubtsOf(previous: PlaceInTime | null, fix: ReportedFix, receivedAt: EpochMs): FixDoubt[] {
  const doubts: FixDoubt[] = [];
  if (!isOnEarth(fix)) doubts.push('out-of-range');
  else if (Math.abs(fix.lat) < NULL_ISLAND_DEGREES && Math.abs(fix.lon) < NULL_ISLAND_DEGREES) {
    doubts.push('null-island');
  }
  if (!(fix.time <= receivedAt + AHEAD_MS && fix.time >= receivedAt - BEHIND_MS)) doubts.push('impossible-time');
  // A place that is none, or a fix that the tracker itself disowns, has no speed to judge.
  if (doubts.length === 0 && fix.valid && isImpossibleSpeed(previous, fix)) doubts.push('impossible-speed');
  return doubts;
}
