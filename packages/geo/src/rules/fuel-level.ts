import { degrees, type EpochMs, metres } from '@milepost/units';
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
const FORGOTTEN_AT_ONCE = 64;
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
  #isKnown: boolean;
  #level: number;
  #expected: number;
  #at: number;
  #lat: number;
  #lon: number;
  #use: Use;
  /** The last readings, from the first one that still counts. */
  readonly #times: number[] = [];
  readonly #values: number[] = [];
  #first = 0;
  /** How many of the last readings are equal. */
  #alike = 0;

  constructor(known: FuelLevel | null = null) {
    this.#isKnown = known !== null;
    const { at, expected, lat, level, lon, use } = known ?? NOTHING_KNOWN;
    [this.#level, this.#expected, this.#at, this.#lat, this.#lon, this.#use] = [level, expected, at, lat, lon, use];
    for (const [then, fuel] of known?.readings ?? []) this.#remember(then, fuel);
  }

  /** The next fix; one that is not newer is left out. */
  take({ fuel, ignition, lat, lon, speed, time }: FuelReading): void {
    if (this.#isKnown && time <= this.#at) return;
    const use = speed !== null && speed >= STANDING ? 'drives' : ignition === false ? 'off' : 'on';
    if (this.#isKnown) {
      const before = this.#use;
      const hasMoved = use === 'drives' || before === 'drives' || isFar(lat, lon, this.#lat, this.#lon);
      const used: Use = hasMoved ? 'drives' : use === 'on' || before === 'on' ? 'on' : 'off';
      while (this.#count > 0 && time - (this.#times[this.#first] as number) >= SLOSHES_MS) this.#forgetFirst();
      if (fuel !== null) {
        this.#remember(time, fuel);
        if (this.#count > READINGS) this.#forgetFirst();
        this.#level = this.#alike >= this.#count ? fuel : median(this.#values, this.#first);
      }
      this.#expected = Math.max(this.#level, this.#expected - (USED_PER_HOUR[used] * (time - this.#at)) / HOUR_MS);
    } else {
      if (fuel === null) return;
      this.#remember(time, fuel);
      this.#isKnown = true;
      this.#level = fuel;
      this.#expected = fuel;
    }
    this.#at = time;
    this.#lat = lat;
    this.#lon = lon;
    this.#use = use;
  }

  /** What no engine explains, in percent of the tank; 0 as long as nothing is known. */
  get lost(): number {
    return this.#expected - this.#level;
  }

  /** What is lost until now is not missed any more. */
  forget(): void {
    this.#expected = this.#level;
  }

  /** Null until a fix says how full the tank is. */
  state(): FuelLevel | null {
    if (!this.#isKnown) return null;
    const values = this.#values.slice(this.#first);
    const readings = this.#times.slice(this.#first).map((at, nth) => [at as EpochMs, values[nth] as number] as const);
    return {
      ...{ level: this.#level, expected: this.#expected, at: this.#at as EpochMs },
      ...{ lat: degrees(this.#lat), lon: degrees(this.#lon), use: this.#use, readings },
    };
  }

  #remember(at: number, fuel: number): void {
    this.#alike = fuel === this.#values.at(-1) ? this.#alike + 1 : 1;
    this.#times.push(at);
    this.#values.push(fuel);
  }

  get #count(): number {
    return this.#times.length - this.#first;
  }

  /** Moving the others up takes longer than all the rest: that is done once for many. */
  #forgetFirst(): void {
    this.#first++;
    if (this.#first < FORGOTTEN_AT_ONCE) return;
    this.#times.splice(0, this.#first);
    this.#values.splice(0, this.#first);
    this.#first = 0;
  }
}

const NOTHING_KNOWN = { level: 0, expected: 0, at: 0, lat: 0, lon: 0, use: 'off' } as const;

/** Most fixes are where the one before was: degrees alone say so. */
const NEAR_DEGREES = 0.002;

function isFar(lat: LatLon['lat'], lon: LatLon['lon'], lastLat: number, lastLon: number): boolean {
  if (Math.abs(lat - lastLat) < NEAR_DEGREES && Math.abs(lon - lastLon) < NEAR_DEGREES) return false;
  return distanceMetres({ lat, lon }, { lat: degrees(lastLat), lon: degrees(lastLon) }) > MOVED;
}

const sorted: number[] = [];
function median(values: readonly number[], first: number): number {
  const count = values.length - first;
  for (let nth = 0; nth < count; nth++) {
    const value = values[first + nth] as number;
    let place = nth;
    for (; place > 0 && (sorted[place - 1] as number) > value; place--) sorted[place] = sorted[place - 1] as number;
    sorted[place] = value;
  }
  const half = count >> 1;
  const [below = 0, above = 0] = [sorted[count % 2 === 0 ? half - 1 : half], sorted[half]];
  return (below + above) / 2;
}

/** Lost fuel is believed when the tank stays that empty; what is lost in one go is one alert. */
export const FUEL_SETTLES_MS = 5 * MINUTE_MS;
export const FUEL_ENDS_MS = 15 * MINUTE_MS;
export const FUEL_MORE = 1;
