import type { VehicleState } from '../fleet/vehicle-state.ts';
import type { VehicleKey } from './written-columns.ts';

/** The vehicle that a tracker belongs to. */
export interface IngestVehicle extends VehicleKey {
  readonly imei: string;
  readonly usualDriverId?: number | null;
}

/** What a commit changed, vehicle by vehicle. */
export interface Change {
  readonly vehicle: IngestVehicle;
  readonly before: VehicleState | null;
  readonly after: VehicleState;
  /** How many positions led from one to the other. */
  readonly positions: number;
}

declare module '../lifecycle/signals.ts' {
  interface SignalMap {
    /**
     * Positions of vehicles were committed. Once a batch, on the hot path: a handler first looks whether it has anything
     * to do with any of these vehicles.
     */
    'positions-committed': { readonly changes: readonly Change[] };
    /** Other nodes have committed these. */
    'positions-heard': { readonly changes: readonly Change[] };
  }
}
