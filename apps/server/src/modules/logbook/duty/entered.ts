import type { DutyAction } from '@milepost/contract';
import { sql } from 'kysely';
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

/**
 * The vehicle that a driver is signed in to, as driver or co-driver; of several, because they have not signed out, the
 * one that they have signed in to last.
 */
export async function signedInTo(
  trx: AccountTransaction,
  driverId: number,
): Promise<{ readonly vehicleId: number; readonly isDriving: boolean; readonly state: VehicleState } | null> {
  const rows = await trx
    .selectFrom('recorder_fold')
    .select(['vehicle_id', 'driver_id', 'state'])
    .where(eb => eb.or([eb('driver_id', '=', driverId), eb('co_driver_id', '=', driverId)]))
    .orderBy('fix_through', 'desc')
    .execute();
  const last = rows.length > 1 ? await lastSignIn(trx, driverId, new Date()) : undefined;
  const row = rows.find(({ vehicle_id }) => vehicle_id === last?.vehicle_id) ?? rows[0];
  return row
    ? { vehicleId: row.vehicle_id, isDriving: row.driver_id === driverId, state: row.state as VehicleState }
    : null;
}

/**
 * The vehicle in which a driver was at a moment, at the wheel or not, by what they have entered: an entry that comes
 * late is about the vehicle they were in then.
 */
export async function seatAt(trx: AccountTransaction, driverId: number, atMs: number): Promise<number | null> {
  const last = await lastSignIn(trx, driverId, new Date(atMs));
  // Of those before the first entry that is kept, the recorder knows.
  if (!last) return (await signedInTo(trx, driverId))?.vehicleId ?? null;
  return last.kind === 'sign-in' ? last.vehicle_id : null;
}

/** The last time that a driver signed in or out, by what they have entered up to a moment. */
const lastSignIn = (trx: AccountTransaction, driverId: number, until: Date) =>
  trx
    .selectFrom('duty_input')
    .select(['vehicle_id', sql<string>`action ->> 'kind'`.as('kind')])
    .where('driver_id', '=', driverId)
    .where('at', '<=', until)
    .where('vehicle_id', 'is not', null)
    // A vehicle may have seemed to move only because its tracker had not sent yet that it stood.
    .where(sql<boolean>`coalesce(refusal, '') not in ('not-allowed', 'not-found', 'not-your-vehicle')`)
    .where(sql<boolean>`action ->> 'kind' in ('sign-in', 'sign-out')`)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Who was signed in to drive a vehicle at a moment. */
export async function driverAt(trx: AccountTransaction, vehicleId: number, atMs: number): Promise<number | null> {
  const at = new Date(atMs);
  const span = await trx
    .selectFrom('driver_span')
    .select('driver_id')
    .where('vehicle_id', '=', vehicleId)
    .where('kind', '=', 'signed-in')
    .where('from_at', '<=', at)
    .where(eb => eb.or([eb('to_at', 'is', null), eb('to_at', '>', at)]))
    .executeTakeFirst();
  return span?.driver_id ?? null;
}
