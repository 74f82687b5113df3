import { degrees, epochMs, type Metres, metresPerSecond } from '@milepost/units';
import type { FenceFix } from '../fences/follower.ts';
import type { LatLon } from '../fix.ts';

/** Meters per degree near the place of these stories, which lie on the equator. */
const DEGREE = 111_320;

/** The same numbers for the same seed: mulberry32. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const normal = (next: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

/** East and north of 0, 0 in meters. */
export const placeAt = (east: number, north: number): LatLon => ({
  lat: degrees(north / DEGREE),
  lon: degrees(east / DEGREE),
});

export const fixAt = (timeMs: number, east: number, north: number, more: Partial<FenceFix> = {}): FenceFix => ({
  time: epochMs(timeMs),
  ...placeAt(east, north),
  speed: metresPerSecond(0),
  ignition: null,
  accuracy: null,
  ...more,
});

export interface Drift {
  readonly seed: number;
  /** Meters. */
  readonly sigma: number;
  readonly everyMs: number;
  readonly lengthMs: number;
  readonly accuracy?: Metres | null;
}

/**
 * What a receiver makes up where a vehicle is parked: white noise, a slow walk as satellites and reflections move
 * (Gauss-Markov, minutes long), and now and then a jump of 200 m for one to three fixes, with a wild speed on the way.
 * The speed is measured by Doppler, so it stays near zero otherwise.
 */
export function* parkedAt(
  east: number,
  north: number,
  { seed, sigma, everyMs, lengthMs, accuracy = null }: Drift,
): Generator<FenceFix> {
  const next = random(seed);
  const correlation = Math.exp(-everyMs / 300_000);
  let walk = [0, 0] as [number, number];
  let jump: { left: number; angle: number } | null = null;
  for (let time = 0; time < lengthMs; time += everyMs) {
    const push = sigma * Math.sqrt(1 - correlation * correlation);
    walk = [walk[0] * correlation + push * normal(next), walk[1] * correlation + push * normal(next)];
    let speed = Math.abs(normal(next)) * 0.3;
    if (jump === null && next() < 1 / 500) {
      jump = { left: 1 + Math.floor(next() * 3), angle: next() * 2 * Math.PI };
      speed = 3 + next() * 20;
    } else if (jump !== null && --jump.left === 0) {
      jump = null;
      speed = 3 + next() * 20;
    }
    const [jumpEast, jumpNorth] = jump ? [200 * Math.cos(jump.angle), 200 * Math.sin(jump.angle)] : [0, 0];
    const white = sigma / 3;
    yield fixAt(
      time,
      east + walk[0] + white * normal(next) + jumpEast,
      north + walk[1] + white * normal(next) + jumpNorth,
      {
        speed: metresPerSecond(speed),
        accuracy,
      },
    );
  }
}
