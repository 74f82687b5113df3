import type { TrackOptions, TrackProblem } from '@milepost/contract';
import { type Degrees, degrees, type EpochMs } from '@milepost/units';

/** A position in a file, in SI units. `attributes` has what no column is for, by its own name. */
export interface TrackFix {
  readonly time: EpochMs;
  readonly lat: Degrees;
  readonly lon: Degrees;
  readonly speed: number | null;
  readonly course: number | null;
  readonly altitude: number | null;
  readonly odometer: number | null;
  readonly fuel: number | null;
  readonly temperature: number | null;
  readonly hdop: number | null;
  readonly satellites: number | null;
  readonly ignition: boolean | null;
  readonly rfid: string | null;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A row of a file: its line, counted from 1, the vehicle as the file names it, and its position or why it has none. */
export type TrackRow = { readonly line: number; readonly vehicle: string } & (
  | { readonly fix: TrackFix; readonly problem?: never }
  | { readonly fix?: never; readonly problem: TrackProblem; readonly value: string }
);

export interface TrackFile {
  readonly path: string;
  readonly name: string;
}

/** Reads on from a file. Called with the bytes that were read so far. */
export interface ReadOptions {
  readonly options: TrackOptions;
  readonly read?: (bytes: number) => void;
}

/** The vehicle of a file that names none: `Truck 12` of `Truck 12.gpx`. */
export const vehicleOfFile = (name: string): string => name.replace(/\.[a-z0-9]{1,8}$/i, '').trim();

export const NO_MEASUREMENTS = {
  ...{ speed: null, course: null, altitude: null, odometer: null, fuel: null, temperature: null },
  ...{ hdop: null, satellites: null, ignition: null, rfid: null },
} as const;

/** Where a row says it is, or the problem with it. */
export function placeOf(latText: string, lonText: string): { lat: Degrees; lon: Degrees } | 'no-place' | 'bad-place' {
  const [lat, lon] = [latText.trim(), lonText.trim()];
  if (lat === '' || lon === '') return 'no-place';
  const [y, x] = [numberOf(lat), numberOf(lon)];
  if (y === null || x === null || Math.abs(y) > 90 || Math.abs(x) > 180) return 'bad-place';
  return { lat: degrees(y), lon: degrees(x) };
}

/** With a point or a comma before the decimals; null if it is no number. */
export function numberOf(text: string): number | null {
  const trimmed = text.trim();
  const plain = trimmed.includes(',') ? trimmed.replace(/^([-+]?\d+),(\d+)$/, '$1.$2') : trimmed;
  if (!/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}
