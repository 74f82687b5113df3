import { type Expression, sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Viewer, Visibility } from '../../fleet/visibility.ts';

/**
 * The rows of `alert` for these vehicles that the user may see. If they see a vehicle because of its current driver,
 * they see the alerts from when their own drivers had it, as `Visibility.seesDrivenBy` decides for a single alert.
 *
 * @param withTasks also those of tasks without a vehicle, as `seesAlert` decides for a single alert
 */
export async function alertsInSight(
  trx: AccountTransaction,
  viewer: Viewer,
  vehicles: readonly DirectoryEntry[],
  visibility: Pick<Visibility, 'holdsVehicle' | 'isTheirs' | 'seesAll' | 'seesDriver'>,
  withTasks: boolean,
): Promise<Expression<boolean>> {
  const held = vehicles.filter(vehicle => visibility.holdsVehicle(viewer, vehicle));
  const whole = sql<boolean>`alert.vehicle_id = any(${idsOf(held)}::int4[])`;
  if (held.length === vehicles.length && !withTasks) return whole;
  if (withTasks && visibility.seesAll(viewer)) return sql<boolean>`(${whole} or alert.vehicle_id is null)`;
  const passing = vehicles.filter(vehicle => !visibility.holdsVehicle(viewer, vehicle));
  const rows = await trx
    .selectFrom('driver')
    .select(['id', 'department_id', 'user_id'])
    .where('archived', '=', false)
    .execute();
  const known = rows.map(row => ({ id: row.id, departmentId: row.department_id, userId: row.user_id }));
  const drivers = known.filter(driver => visibility.isTheirs(viewer, driver)).map(({ id }) => id);
  const usual = passing.filter(({ usualDriverId }) => usualDriverId !== null && drivers.includes(usualDriverId));
  const seen = known.filter(driver => visibility.seesDriver(viewer, driver)).map(({ id }) => id);
  const ofTasks = sql<boolean>`(alert.vehicle_id is null and (alert.driver_id = any(${seen}::int4[])
    or (alert.driver_id is null and exists (
      select from task where task.id = alert.task_id and task.created_by = ${viewer.userId}))))`;
  return sql<boolean>`(${whole}
    or (alert.vehicle_id = any(${idsOf(passing)}::int4[]) and alert.driver_id = any(${drivers}::int4[]))
    or (alert.vehicle_id = any(${idsOf(usual)}::int4[]) and alert.driver_id is null)
    or ${withTasks ? ofTasks : sql<boolean>`false`})`;
}

const idsOf = (vehicles: readonly DirectoryEntry[]): number[] => vehicles.map(({ id }) => id);
