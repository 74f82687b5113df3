import type { Degrees, EpochMs, MetresPerSecond } from '@milepost/units';

/** A place on WGS 84. */
export interface LatLon {
  readonly lat: Degrees;
  readonly lon: Degrees;
}

/** A place and when it was there, by the tracker's clock. */
export interface PlaceInTime extends LatLon {
  readonly time: EpochMs;
}

/** Why a fix is kept but not believed. The same strings as the contract's, where their order is the bit order. */
export const FIX_DOUBTS = ['impossible-speed', 'impossible-time', 'null-island', 'out-of-range'] as const;
export type FixDoubt = (typeof FIX_DOUBTS)[number];

/** What a tracker says of itself, as far as motion needs it; every decoded position is one. `null`: not sent. */
export interface ReportedFix extends PlaceInTime {
  readonly speed: MetresPerSecond | null;
  readonly course: Degrees | null;
  readonly ignition: boolean | null;
  /** The tracker vouches for the place. */
  readonly valid: boolean;
}

/** The same, judged (`doubtsOf`). */
export interface Fix extends ReportedFix {
  readonly doubts: readonly FixDoubt[];
}

/** Whether the position of this fix is reliable. */
export const isBelieved = (fix: Fix): boolean => fix.valid && fix.doubts.length === 0;
