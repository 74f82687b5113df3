import type { AccountTransaction } from '../../db/database.ts';
import { DRIVE_HOURS, type PrivateDrive } from '../../fleet/private-time.ts';

interface Drive extends Pick<PrivateDrive, 'cause' | 'driverId' | 'vehicleId'> {
  readonly accountId: number;
}

/** Begins a private drive; one that is under way goes on, if it is the same driver's. */
export async function beginDrive(trx: AccountTransaction, drive: Drive, now: Date): Promise<void> {
  const { accountId, cause, driverId, vehicleId } = drive;
  const open = await trx
    .selectFrom('private_drive')
    .select(['driver_id', 'began_at'])
    .where('vehicle_id', '=', vehicleId)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  const isOver = open && cause === 'switch' && now.getTime() - open.began_at.getTime() >= DRIVE_HOURS * 3_600_000;
  if (open?.driver_id === driverId && !isOver) return;
  if (open) await endDrives(trx, vehicleId, null, now);
  await trx
    .insertInto('private_drive')
    .values({
      ...{ account_id: accountId, vehicle_id: vehicleId, driver_id: driverId, cause },
      ...{ began_at: now, ended_at: null },
    })
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/** Ends the private drives of a vehicle that are under way, at the earliest when they began; returns whether there were any. */
export async function endDrives(
  trx: AccountTransaction,
  vehicleId: number,
  cause: PrivateDrive['cause'] | null,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('private_drive')
    .set(eb => ({ ended_at: eb.fn<Date>('greatest', ['began_at', eb.val(now)]) }))
    .where('vehicle_id', '=', vehicleId)
    .where('ended_at', 'is', null)
    .$if(cause !== null, query => query.where('cause', '=', cause as PrivateDrive['cause']))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
