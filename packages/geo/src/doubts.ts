import type { EpochMs } from '@milepost/units';
import type { FixDoubt, PlaceInTime, ReportedFix } from './fix.ts';
import { distanceMetres } from './sphere.ts';

/** In m/s: 360 km/h, faster than any road vehicle, and than any train or ferry that carries one. */
const IMPOSSIBLE_SPEED = 100;
/** The scatter of two good fixes, and clocks with whole seconds, can add this much to a leg. */
const PLACE_SCATTER_METRES = 200;
/**
 * Allowance for wrong clocks, including the server's. A fix further ahead would stay "the newest" and hide all that
 * follow.
 */
const AHEAD_MS = 10 * 60_000;
/**
 * Receivers that have missed the rollover of the GPS week number (10 bits, IS-GPS-200) are 1,024 weeks, 19.6 years,
 * behind; clocks that were never set start in 1970, 1980 or 2000. A shorter delay may be an old record sent from
 * memory.
 */
const BEHIND_MS = 15 * 365.25 * 86_400_000;
/** Receivers without a fix send 0°/0°, a point in the Gulf of Guinea with no land or port within 1.1 km. */
const NULL_ISLAND_DEGREES = 0.01;

const isOnEarth = (fix: ReportedFix): boolean => Math.abs(fix.lat) <= 90 && Math.abs(fix.lon) <= 180;

/** No vehicle could get from one place to the other in that time. Gives the same result in both directions of time. */
export function isImpossibleSpeed(previous: PlaceInTime | null, fix: ReportedFix): boolean {
  if (fix.speed !== null && !(fix.speed >= 0 && fix.speed <= IMPOSSIBLE_SPEED)) return true;
  if (previous === null) return false;
  const elapsed = Math.abs(fix.time - previous.time) / 1000;
  return distanceMetres(previous, fix) > IMPOSSIBLE_SPEED * elapsed + PLACE_SCATTER_METRES;
}

/**
 * Why this fix should not be trusted; empty if it can be. A doubted fix is stored and marked, never dropped.
 * - `out-of-range`: latitude or longitude is not on Earth
 * - `null-island`: within 0.01° of 0°/0°
 * - `impossible-time`: more than 10 minutes after its reception, or 15 years before
 * - `impossible-speed`: reports, or would need, more than 360 km/h (with 200 m of tolerance) since the last reliable
 *   place
 *
 * `previous` is the last reliable place (`MotionState.place`).
 */
export function doubtsOf(previous: PlaceInTime | null, fix: ReportedFix, receivedAt: EpochMs): FixDoubt[] {
  const doubts: FixDoubt[] = [];
  if (!isOnEarth(fix)) doubts.push('out-of-range');
  else if (Math.abs(fix.lat) < NULL_ISLAND_DEGREES && Math.abs(fix.lon) < NULL_ISLAND_DEGREES) {
    doubts.push('null-island');
  }
  if (!(fix.time <= receivedAt + AHEAD_MS && fix.time >= receivedAt - BEHIND_MS)) doubts.push('impossible-time');
  // An impossible place, or a fix that the tracker marks invalid, has no speed to judge.
  if (doubts.length === 0 && fix.valid && isImpossibleSpeed(previous, fix)) doubts.push('impossible-speed');
  return doubts;
}
