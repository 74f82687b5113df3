import { type EpochMs, metres } from '@milepost/units';
import type { LatLon } from '../fix.ts';
import { distanceMetres } from '../sphere.ts';

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

/** What a fix says of the tank, and of what its engine may have used since the fix before. */
export interface FuelReading extends LatLon {
  readonly time: EpochMs;
  readonly speed: number | null;
  readonly ignition: boolean | null;
  readonly fuel: number | null;
}

/** Follows the level of one tank, fix by fix. */
export class FuelGauge {
  #known: Omit<FuelLevel, 'readings'> | null;
  readonly #times: number[] = [];
  readonly #values: number[] = [];

  constructor(known: FuelLevel | null = null) {
    this.#known = known;
    for (const [at, fuel] of known?.readings ?? []) this.#remember(at, fuel);
  }

  /** The next fix; one that is not newer is left out. */
  take({ fuel, ignition, lat, lon, speed, time }: FuelReading): void {
    const known = this.#known;
    if (known !== null && time <= known.at) return;
    const use = speed !== null && speed >= STANDING ? 'drives' : ignition === false ? 'off' : 'on';
    if (known === null) {
      if (fuel === null) return;
      this.#remember(time, fuel);
      this.#known = { level: fuel, expected: fuel, at: time, lat, lon, use };
      return;
    }
    const hasMoved = use === 'drives' || known.use === 'drives' || isFar(lat, lon, known);
    const used: Use = hasMoved ? 'drives' : use === 'on' || known.use === 'on' ? 'on' : 'off';
    while (this.#times.length > 0 && time - (this.#times[0] as number) >= SLOSHES_MS) this.#forgetFirst();
    let { level } = known;
    if (fuel !== null) {
      this.#remember(time, fuel);
      if (this.#times.length > READINGS) this.#forgetFirst();
      level = median(this.#values);
    }
    const expected = Math.max(level, known.expected - (USED_PER_HOUR[used] * (time - known.at)) / HOUR_MS);
    this.#known = { level, expected, at: time, lat, lon, use };
  }

  /** What no engine explains, in percent of the tank; 0 as long as nothing is known. */
  get lost(): number {
    return this.#known === null ? 0 : this.#known.expected - this.#known.level;
  }

  /** What is lost until now is not missed any more. */
  forget(): void {
    if (this.#known !== null) this.#known = { ...this.#known, expected: this.#known.level };
  }

  /** Null until a fix says how full the tank is. */
  state(): FuelLevel | null {
    const readings = this.#times.map((at, nth) => [at as EpochMs, this.#values[nth] as number] as const);
    return this.#known && { ...this.#known, readings };
  }

  #remember(at: number, fuel: number): void {
    this.#times.push(at);
    this.#values.push(fuel);
  }

  #forgetFirst(): void {
    this.#times.shift();
    this.#values.shift();
  }
}

/** Most fixes are where the one before was: degrees alone say so. */
const NEAR_DEGREES = 0.002;

function isFar(lat: LatLon['lat'], lon: LatLon['lon'], known: LatLon): boolean {
  if (Math.abs(lat - known.lat) < NEAR_DEGREES && Math.abs(lon - known.lon) < NEAR_DEGREES) return false;
  return distanceMetres({ lat, lon }, known) > MOVED;
}

const sorted: number[] = [];
function median(values: readonly number[]): number {
  for (let nth = 0; nth < values.length; nth++) {
    const value = values[nth] as number;
    let place = nth;
    for (; place > 0 && (sorted[place - 1] as number) > value; place--) sorted[place] = sorted[place - 1] as number;
    sorted[place] = value;
  }
  const half = values.length >> 1;
  const [below = 0, above = 0] = [sorted[values.length % 2 === 0 ? half - 1 : half], sorted[half]];
  return (below + above) / 2;
}

/** Lost fuel is believed when the tank stays that empty; what is lost in one go is one alert. */
export const FUEL_SETTLES_MS = 5 * MINUTE_MS;
export const FUEL_ENDS_MS = 15 * MINUTE_MS;
export const FUEL_MORE = 1;
