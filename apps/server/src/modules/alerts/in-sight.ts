import { type Expression, sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Viewer, Visibility } from '../../fleet/visibility.ts';

/**
 * The rows of `alert` for these vehicles that the user may see. If they see a vehicle because of its current driver,
 * they see the alerts from when their own drivers had it, as `Visibility.seesDrivenBy` decides for a single alert.
 */
export async function alertsInSight(
  trx: AccountTransaction,
  viewer: Viewer,
  vehicles: readonly DirectoryEntry[],
  visibility: Pick<Visibility, 'holdsVehicle' | 'isTheirs'>,
): Promise<Expression<boolean>> {
  const held = vehicles.filter(vehicle => visibility.holdsVehicle(viewer, vehicle));
  const whole = sql<boolean>`alert.vehicle_id = any(${idsOf(held)}::int4[])`;
  if (held.length === vehicles.length) return whole;
  const passing = vehicles.filter(vehicle => !visibility.holdsVehicle(viewer, vehicle));
  const rows = await trx
    .selectFrom('driver')
    .select(['id', 'department_id', 'user_id'])
    .where('archived', '=', false)
    .execute();
  const drivers = rows
    .filter(row => visibility.isTheirs(viewer, { departmentId: row.department_id, userId: row.user_id }))
    .map(({ id }) => id);
  const usual = passing.filter(({ usualDriverId }) => usualDriverId !== null && drivers.includes(usualDriverId));
  return sql<boolean>`(${whole}
    or (alert.vehicle_id = any(${idsOf(passing)}::int4[]) and alert.driver_id = any(${drivers}::int4[]))
    or (alert.vehicle_id = any(${idsOf(usual)}::int4[]) and alert.driver_id is null))`;
}

const idsOf = (vehicles: readonly DirectoryEntry[]): number[] => vehicles.map(({ id }) => id);
