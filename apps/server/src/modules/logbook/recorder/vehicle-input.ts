import type { DutyAction } from '@milepost/contract';
import type { DutyState, RecorderState } from '@milepost/eld';

/** What does not change with time: the vehicle as its events name it. */
export interface RecordedVehicle {
  readonly id: number;
  /** 1 to 10 characters. */
  readonly powerUnit: string;
  /** 17 characters, or none. */
  readonly vin: string;
  /** Meters added to the tracker's odometer. */
  readonly odometerOffset: number;
}

/** What a driver entered, as the recorder takes it. */
export interface VehicleInput {
  readonly at: number;
  /** `driver:12` */
  readonly driver: string;
  readonly action: DutyAction;
  readonly terms: SignInTerms | null;
}
/** A duty status, and since when; epoch milliseconds. */
export interface StatusSince {
  readonly status: DutyState;
  readonly at: number;
}

export interface StatusElsewhere extends StatusSince {
  /** Whether it was entered after the vehicle's own status of that second; not if nothing was entered in it. */
  readonly isLast?: boolean;
}

/** The terms of the driver who signs in, by their log as it was when the entry came. */
export interface SignInTerms {
  readonly status: DutyState;
  readonly mayIndicate: RecorderState['mayIndicate'];
  /**
   * The last status that doesn't come from this vehicle's recorder, null if there is none: what the recorder itself knows
   * may have changed since. Not in entries from before it was kept.
   */
  readonly elsewhere?: StatusElsewhere | null;
  /** The log has no status yet. */
  readonly isFirst?: boolean;
}
