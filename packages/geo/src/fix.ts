import type { Degrees, EpochMs, MetresPerSecond } from '@milepost/units';

/** A place on WGS 84. */
export interface LatLon {
  readonly lat: Degrees;
  readonly lon: Degrees;
}

/** A place and its time, by the tracker's clock. */
export interface PlaceInTime extends LatLon {
  readonly time: EpochMs;
}

/** Why a fix is stored but not trusted. The same strings as in the contract, where their order is the bit order. */
export const FIX_DOUBTS = ['impossible-speed', 'impossible-time', 'null-island', 'out-of-range'] as const;
export type FixDoubt = (typeof FIX_DOUBTS)[number];

/** The part of a tracker's report that motion needs; every decoded position has it. `null`: not sent. */
export interface ReportedFix extends PlaceInTime {
  readonly speed: MetresPerSecond | null;
  readonly course: Degrees | null;
  readonly ignition: boolean | null;
  /** The tracker marked the fix as valid. */
  readonly valid: boolean;
}

/** The same with its doubts (`doubtsOf`). */
export interface Fix extends ReportedFix {
  readonly doubts: readonly FixDoubt[];
}

/** Whether the position of this fix is reliable. */
export const isBelieved = (fix: Fix): boolean => fix.valid && fix.doubts.length === 0;
