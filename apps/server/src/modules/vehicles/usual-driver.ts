import type { AccountTransaction } from '../../db/database.ts';

/** A driver is the usual driver of one vehicle at a time: removes them from all other vehicles, and returns which. */
export async function freeDriver(
  trx: AccountTransaction,
  driverId: number | null | undefined,
  exceptVehicle: number | null,
): Promise<number[]> {
  if (driverId == null) return [];
  const freed = await trx
    .updateTable('vehicle')
    .set({ usual_driver_id: null })
    .where('usual_driver_id', '=', driverId)
    .$if(exceptVehicle !== null, query => query.where('id', '!=', exceptVehicle))
    .returning('id')
    .execute();
  return freed.map(row => row.id);
}
