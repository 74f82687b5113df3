import { distanceMetres } from '@milepost/geo';
import { degrees } from '@milepost/units';
import type { Position } from '../layers.ts';

/** Meters between the points of the curve. */
const STEP = 12_000;
/**
 * Share of the line between a town's neighbors that is used as its tangent: 0 would give straight lines, 0.5
 * Catmull–Rom.
 */
const TANGENT = 0.48;

/** A cardinal spline through the positions (cubic Hermite, https://en.wikipedia.org/wiki/Cubic_Hermite_spline), to 4 decimals. */
export function splineThrough(positions: readonly Position[]): Position[] {
  const last = positions.length - 1;
  const at = (index: number): Position => positions[Math.max(0, Math.min(last, index))] ?? [0, 0];
  const curve: Position[] = [];
  for (let index = 0; index < last; index++) {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const steps = Math.max(2, Math.round(metresBetween(from, to) / STEP));
    for (let step = 0; step < steps; step++) {
      const part = step / steps;
      const axis = (of: 0 | 1) =>
        hermite(part, from[of], to[of], TANGENT * (to[of] - before[of]), TANGENT * (after[of] - from[of]));
      curve.push(rounded([axis(0), axis(1)]));
    }
  }
  return [...curve, rounded(at(last))];
}

function hermite(t: number, from: number, to: number, slopeFrom: number, slopeTo: number): number {
  const [t2, t3] = [t * t, t * t * t];
  return (2 * t3 - 3 * t2 + 1) * from + (t3 - 2 * t2 + t) * slopeFrom + (3 * t2 - 2 * t3) * to + (t3 - t2) * slopeTo;
}

const rounded = ([lon, lat]: Position): Position => [Number(lon.toFixed(4)), Number(lat.toFixed(4))];

export const metresBetween = (a: Position, b: Position): number =>
  distanceMetres({ lon: degrees(a[0]), lat: degrees(a[1]) }, { lon: degrees(b[0]), lat: degrees(b[1]) });
