import { type EpochMs, metres } from '@milepost/units';
import type { LatLon } from '../fix.ts';
import { distanceMetres } from '../sphere.ts';
import type { RuleFix } from './rule.ts';

const MINUTE_MS = 60_000;
/** How full a tank is, and how full it would be at least if an engine alone had emptied it. Percent; plain JSON. */
export interface FuelLevel extends LatLon {
  readonly level: number;
  readonly expected: number;
  readonly at: EpochMs;
  readonly use: Use;
  /** Those of the last minutes, of which the median counts: fuel sloshes. */
  readonly readings: readonly (readonly [at: EpochMs, fuel: number])[];
}

type Use = 'off' | 'on' | 'drives';

/** The most that an engine uses of a tank in an hour: a small car on a highway, idling, an auxiliary heater. */
const USED_PER_HOUR: Readonly<Record<Use, number>> = { drives: 25, on: 5, off: 1 };
const SLOSHES_MS = 2 * 60_000;
const READINGS = 9;
const HOUR_MS = 3_600_000;
const MOVED = metres(500);
const STANDING = 1.5;

/** The level with one more fix; null until a fix says how full the tank is. */
export function nextFuelLevel(known: FuelLevel | null, fix: RuleFix): FuelLevel | null {
  const { fuel, lat, lon, time } = fix;
  const use = useOf(fix);
  if (known === null) {
    return fuel === null ? null : { level: fuel, expected: fuel, at: time, lat, lon, use, readings: [[time, fuel]] };
  }
  const hasMoved = use === 'drives' || known.use === 'drives' || distanceMetres(fix, known) > MOVED;
  const used: Use = hasMoved ? 'drives' : use === 'on' || known.use === 'on' ? 'on' : 'off';
  const since = known.readings.filter(([at]) => time - at < SLOSHES_MS);
  const readings = fuel === null ? since : [...since, [time, fuel] as const].slice(-READINGS);
  const level = fuel === null ? known.level : median(readings.map(([, each]) => each));
  const expected = Math.max(level, known.expected - (USED_PER_HOUR[used] * (time - known.at)) / HOUR_MS);
  return { level, expected, at: time, lat, lon, use, readings };
}

function useOf({ ignition, speed }: RuleFix): Use {
  if (speed !== null && speed >= STANDING) return 'drives';
  return ignition === false ? 'off' : 'on';
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const [below = 0, above = 0] = [sorted[sorted.length % 2 === 0 ? half - 1 : half], sorted[half]];
  return (below + above) / 2;
}

/** Lost fuel is believed when the tank stays that empty; what is lost in one go is one alert. */
export const FUEL_SETTLES_MS = 5 * MINUTE_MS;
export const FUEL_ENDS_MS = 15 * MINUTE_MS;
export const FUEL_MORE = 1;
