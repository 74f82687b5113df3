import { type Degrees, degrees, type EpochMs, epochMs, metresPerSecond } from '@milepost/units';
import { isStanding } from '../fences/candidate.ts';
import { ellipsoidDistance, near } from '../fences/ellipsoid.ts';
import type { FenceFix } from '../fences/follower.ts';

/** Between two fixes so close in time, a vehicle is on the straight way from one to the other. */
const WAY_MS = 10 * 60_000;
/**
 * A fix tells where its vehicle was for only so long before it: a live look waits long enough to have such a fix. If it
 * told of a longer time, a look back would find what live could not know.
 */
const SAID_BEFORE_MS = 2 * 60_000;
/** A vehicle that stood at its last fix is still there for so long, unless its next fix says otherwise. */
export const STANDS_MS = 60 * 60_000;

/** Where a vehicle was at a moment, by its fixes in the order of time; null if they are too far from it to say. */
export function placeInTime(fixes: readonly FenceFix[], at: EpochMs): FenceFix | null {
  const nth = lastUntil(fixes, at);
  const before = fixes[nth];
  if (!before) return null;
  if (before.time === at) return before;
  const after = fixes[nth + 1];
  const stands = isStanding(before.speed, before.ignition);
  if (after && after.time - before.time <= WAY_MS && after.time - at <= SAID_BEFORE_MS) {
    // Until then, all that was known is that it stood.
    const left = stands ? Math.max(before.time, after.time - SAID_BEFORE_MS) : before.time;
    return between({ ...before, time: epochMs(left) }, after, at);
  }
  return stands && at - before.time <= STANDS_MS ? { ...before, time: at } : null;
}

/** The time from which a fix tells where its vehicle was. `before`: the time of the fix before it, null if unknown. */
export const bearsFrom = (at: number, before: number | null): number =>
  Math.max(at - SAID_BEFORE_MS, before ?? Number.NEGATIVE_INFINITY);

/** The place of the last fix at a moment or before it; -1 if there is none. */
export function lastUntil(fixes: readonly { readonly time: number }[], at: number): number {
  let [low, high] = [0, fixes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fixes[middle]?.time ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function between(before: FenceFix, after: FenceFix, at: EpochMs): FenceFix {
  const span = after.time - before.time;
  const t = (at - before.time) / span;
  const { lat, lon } = onTheWay(before, after, t);
  const isKnown = before.speed !== null && after.speed !== null;
  const reckoned = ellipsoidDistance(before, after) / (span / 1000);
  return {
    time: epochMs(at),
    lat,
    lon,
    speed: isKnown ? metresPerSecond(Math.max(before.speed ?? 0, after.speed ?? 0)) : metresPerSecond(reckoned),
    ignition: before.ignition === true || after.ignition === true ? true : before.ignition,
    accuracy:
      before.accuracy === null
        ? after.accuracy
        : after.accuracy === null || before.accuracy > after.accuracy
          ? before.accuracy
          : after.accuracy,
  };
}

interface Place {
  readonly lat: Degrees;
  readonly lon: Degrees;
}

/** On the straight line through the Earth, so also across a pole and the antimeridian. */
function onTheWay(from: Place, to: Place, t: number): Place {
  if (Math.abs(from.lat) < POLAR && Math.abs(to.lat) < POLAR) {
    const lon = from.lon + t * (near(to.lon, from.lon) - from.lon);
    return { lat: degrees(from.lat + t * (to.lat - from.lat)), lon: degrees(lon - 360 * Math.round(lon / 360)) };
  }
  const [a, b] = [towards(from), towards(to)];
  const [x, y, z] = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
  return { lat: degrees(Math.atan2(z, Math.hypot(x, y)) / RADIANS), lon: degrees(Math.atan2(y, x) / RADIANS) };
}

export type Vector = readonly [number, number, number];
export const RADIANS = Math.PI / 180;
/** Where degrees of longitude are no measure of a way. */
const POLAR = 80;

/** From the middle of the Earth, of length 1. */
export function towards({ lat, lon }: { readonly lat: number; readonly lon: number }): Vector {
  const [p, l] = [lat * RADIANS, lon * RADIANS];
  return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)];
}
