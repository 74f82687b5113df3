import type { AccountTransaction } from '../../../db/database.ts';
import { endDrives } from '../../privacy/private-drives.ts';
import { type Seat, spansOf } from './seats.ts';
import type { VehicleState } from './vehicle-state.ts';

/** The log of the driver who uses the vehicle personally. */
export const personalUseOf = ({ recorder }: VehicleState): string | null =>
  recorder.indication === 'personal-use' ? recorder.driver : null;

/**
 * Keeps when a vehicle was used personally as private drives, from when until when the log says so: also what a phone
 * that was without a network tells after it is over, so that positions that come even later are hidden.
 *
 * @param again from when on the vehicle was recorded again, because something came late, and who used it personally
 *   then; null if recording goes on from where it was
 */
export async function writePersonalUse(
  trx: AccountTransaction,
  { accountId, vehicleId }: { readonly accountId: number; readonly vehicleId: number },
  changes: readonly Seat[],
  again: { readonly fromMs: number; readonly driverId: number | null } | null,
): Promise<void> {
  const add = (driverId: number, from: number, to: number | null) =>
    trx
      .insertInto('private_drive')
      .values({
        ...{ account_id: accountId, vehicle_id: vehicleId, driver_id: driverId, cause: 'personal-use' as const },
        ...{ began_at: new Date(from), ended_at: to === null ? null : new Date(to) },
      })
      .execute();
  if (!again) {
    for (const { at, driverId } of changes) {
      await endDrives(trx, vehicleId, null, new Date(at));
      if (driverId !== null) await add(driverId, at, null);
    }
    return;
  }
  const from = new Date(again.fromMs);
  const rows = await trx
    .selectFrom('private_drive')
    .select(['id', 'driver_id', 'began_at', 'ended_at'])
    .where('vehicle_id', '=', vehicleId)
    .where('cause', '=', 'personal-use')
    .where(eb => eb.or([eb('began_at', '>=', from), eb('ended_at', '>', from), eb('ended_at', 'is', null)]))
    .orderBy('began_at')
    .orderBy('id')
    .execute();
  const begun = rows.find(({ began_at, driver_id }) => began_at < from && driver_id === again.driverId);
  const wanted = spansOf(
    changes,
    again.driverId === null ? null : { at: begun?.began_at.getTime() ?? again.fromMs, driverId: again.driverId },
  );
  const isSame = ({ driverId, from: began, to }: (typeof wanted)[number], row: (typeof rows)[number]): boolean =>
    row.driver_id === driverId && row.began_at.getTime() === began && (row.ended_at?.getTime() ?? null) === to;
  const missing = wanted.filter(span => !rows.some(row => isSame(span, row)));
  // Nothing is deleted: a drive that was none has no duration.
  for (const row of rows) {
    if (wanted.some(span => isSame(span, row)) || row.ended_at?.getTime() === row.began_at.getTime()) continue;
    await trx.updateTable('private_drive').set({ ended_at: row.began_at }).where('id', '=', row.id).execute();
  }
  if (missing.some(({ to }) => to === null)) await endDrives(trx, vehicleId, 'switch', from);
  for (const { driverId, from: began, to } of missing) await add(driverId, began, to);
}
