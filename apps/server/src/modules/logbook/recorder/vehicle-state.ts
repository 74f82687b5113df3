import {
  type Composed,
  type FaultEvent,
  type FaultState,
  NO_FAULTS,
  newRecorder,
  type RecorderState,
} from '@milepost/eld';
import { epochMs } from '@milepost/units';
import type { EventDraft } from '../draft.ts';
import type { StatusSince } from './vehicle-input.ts';

/**
 * What a vehicle's recorder knows: a pure function of its positions and its drivers' inputs in the order of time. Plain
 * JSON, stored as it is.
 */
export interface VehicleState {
  readonly recorder: RecorderState;
  readonly faults: FaultState;
  /** `driver:12`: who rides along. */
  readonly coDriver: string | null;
  /** Their status; null in states from before it was kept. */
  readonly coDriverStatus?: RecorderState['status'] | null;
  /** The last status that each driver had here, and since when; not in states from before it was kept. */
  readonly statuses?: Readonly<Record<string, StatusSince>>;
  readonly trailers: string;
  readonly shippingDocument: string;
  /** Meters; null while the tracker has reported none. */
  readonly odometer: number | null;
  readonly odometerAtPowerUp: number | null;
  readonly fix: { readonly lat: number; readonly lon: number; readonly at: number } | null;
  /** Meters driven since the last valid fix. */
  readonly sinceFix: number;
  /** Unidentified driving of the last eight days, in epoch milliseconds; null: it lasts. */
  readonly unidentified: readonly (readonly [from: number, to: number | null])[];
  /** What was recorded in the second of the state's time: a run that goes on from here knows it is recorded. */
  readonly justRecorded: readonly ToRecord[];
}

/** An event to be written to a log. */
export interface ToRecord {
  readonly log: string;
  readonly event: EventDraft<Composed> | EventDraft<FaultEvent>;
}

export const newVehicleState = (atMs: number): VehicleState => ({
  recorder: newRecorder(epochMs(atMs)),
  faults: NO_FAULTS,
  coDriver: null,
  coDriverStatus: null,
  trailers: '',
  shippingDocument: '',
  odometer: null,
  odometerAtPowerUp: null,
  fix: null,
  sinceFix: 0,
  unidentified: [],
  justRecorded: [],
});

/** The moment from which on the state waits for something: the time of its last position or input. */
export const timeOf = ({ recorder }: VehicleState): number => recorder.at;
