/**
 * Branded quantities. Everything inside Milepost is SI; other units exist only in wire formats and on the screen, and
 * are converted below. A brand costs nothing at run time: `metres(5) === 5`.
 */

declare const unit: unique symbol;
type Quantity<Name extends string> = number & { readonly [unit]: Name };

export type Metres = Quantity<'m'>;
export type MetresPerSecond = Quantity<'m/s'>;
/** Angle in degrees; latitude −90…90, longitude −180…180, course 0…360 clockwise from true north. */
export type Degrees = Quantity<'deg'>;
export type Celsius = Quantity<'°C'>;
export type Percent = Quantity<'%'>;
/** Milliseconds since 1970-01-01T00:00:00Z. */
export type EpochMs = Quantity<'ms since epoch'>;
export type Seconds = Quantity<'s'>;
/** A duration. */
export type Milliseconds = Quantity<'ms'>;
export type Volts = Quantity<'V'>;
export type Litres = Quantity<'l'>;

export const metres = (value: number): Metres => value as Metres;
export const metresPerSecond = (value: number): MetresPerSecond => value as MetresPerSecond;
export const degrees = (value: number): Degrees => value as Degrees;
export const celsius = (value: number): Celsius => value as Celsius;
export const percent = (value: number): Percent => value as Percent;
export const epochMs = (value: number): EpochMs => value as EpochMs;
export const seconds = (value: number): Seconds => value as Seconds;
export const milliseconds = (value: number): Milliseconds => value as Milliseconds;
export const volts = (value: number): Volts => value as Volts;
export const litres = (value: number): Litres => value as Litres;

const METRES_PER_KILOMETRE = 1000;
/** International mile, 1959 agreement. */
const METRES_PER_MILE = 1609.344;
/** International nautical mile; one knot is one of these an hour. */
const METRES_PER_NAUTICAL_MILE = 1852;
const SECONDS_PER_HOUR = 3600;
const MILLISECONDS_PER_MINUTE = 60_000;
const MILLISECONDS_PER_HOUR = 3_600_000;

export const fromKilometres = (km: number): Metres => metres(km * METRES_PER_KILOMETRE);
export const toKilometres = (m: Metres): number => m / METRES_PER_KILOMETRE;
export const fromMiles = (mi: number): Metres => metres(mi * METRES_PER_MILE);
export const toMiles = (m: Metres): number => m / METRES_PER_MILE;

/** The US gallon, of 231 cubic inches. */
export const LITRES_PER_GALLON = 3.785411784;

export const fromKilometresPerHour = (kmh: number): MetresPerSecond =>
  metresPerSecond((kmh * METRES_PER_KILOMETRE) / SECONDS_PER_HOUR);
export const toKilometresPerHour = (v: MetresPerSecond): number => (v * SECONDS_PER_HOUR) / METRES_PER_KILOMETRE;
export const fromMilesPerHour = (mph: number): MetresPerSecond =>
  metresPerSecond((mph * METRES_PER_MILE) / SECONDS_PER_HOUR);
export const toMilesPerHour = (v: MetresPerSecond): number => (v * SECONDS_PER_HOUR) / METRES_PER_MILE;
export const fromKnots = (knots: number): MetresPerSecond =>
  metresPerSecond((knots * METRES_PER_NAUTICAL_MILE) / SECONDS_PER_HOUR);
export const toKnots = (v: MetresPerSecond): number => (v * SECONDS_PER_HOUR) / METRES_PER_NAUTICAL_MILE;

export const fromMinutes = (minutes: number): Milliseconds => milliseconds(minutes * MILLISECONDS_PER_MINUTE);
export const toMinutes = (duration: Milliseconds): number => duration / MILLISECONDS_PER_MINUTE;
export const fromHours = (hours: number): Milliseconds => milliseconds(hours * MILLISECONDS_PER_HOUR);
export const toHours = (duration: Milliseconds): number => duration / MILLISECONDS_PER_HOUR;

export const fromFahrenheit = (f: number): Celsius => celsius(((f - 32) * 5) / 9);
export const toFahrenheit = (c: Celsius): number => (c * 9) / 5 + 32;
