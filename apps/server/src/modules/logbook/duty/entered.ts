import type { DutyAction } from '@milepost/contract';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Recorder } from '../recorder/recorder.ts';
import type { VehicleState } from '../recorder/vehicle-state.ts';
import type { DriverTerms } from '../settings/driver-terms.ts';

/** One action of a driver, on its way into the log. */
export interface Entered {
  readonly id: string;
  /** Epoch milliseconds, not later than now. */
  readonly atMs: number;
  readonly action: DutyAction;
}

export interface TakeParts {
  readonly trx: AccountTransaction;
  readonly accountId: number;
  readonly userId: string;
  readonly terms: DriverTerms;
  readonly recorder: Recorder;
  readonly nowMs: number;
}

/** The vehicle that a driver is signed in to, as driver or co-driver. */
export async function signedInTo(
  trx: AccountTransaction,
  driverId: number,
): Promise<{ readonly vehicleId: number; readonly isDriving: boolean; readonly state: VehicleState } | null> {
  const row = await trx
    .selectFrom('recorder_fold')
    .select(['vehicle_id', 'driver_id', 'state'])
    .where(eb => eb.or([eb('driver_id', '=', driverId), eb('co_driver_id', '=', driverId)]))
    .orderBy('fix_through', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row
    ? { vehicleId: row.vehicle_id, isDriving: row.driver_id === driverId, state: row.state as VehicleState }
    : null;
}
