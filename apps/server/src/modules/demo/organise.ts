import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { DEMO_DRIVERS, DEMO_FOLDERS, DEMO_SPARES, DEMO_TEAMS } from './people.ts';

/** Days ago on which the subscriptions of each folder began. */
const SUBSCRIBED_DAYS_AGO = [153, 166, 268, 60, 20];

/** Puts the demo's vehicles into folders, its drivers into departments, and each driver into a vehicle. */
export async function organiseDemo(trx: Kysely<Database>, accountId: number): Promise<void> {
  const account = { account_id: accountId };
  const departments = new Map<string, number>();
  for (const name of Object.keys(DEMO_TEAMS)) {
    const { id } = await trx
      .insertInto('department')
      .values({ ...account, name })
      .returning('id')
      .executeTakeFirstOrThrow();
    departments.set(name, id);
  }
  const waiting = new Map<string, number[]>();
  for (const { department, licenceDays, ...driver } of DEMO_DRIVERS) {
    const { id } = await trx
      .insertInto('driver')
      .values({
        ...account,
        ...driver,
        department_id: departments.get(department) ?? null,
        licence_expires_on: sql<string>`(current_date + ${licenceDays}::integer)::text::date`,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    waiting.set(department, [...(waiting.get(department) ?? []), id]);
  }
  const vehicles = await trx
    .selectFrom('vehicle')
    .select(['id', 'name', 'imei'])
    .where('account_id', '=', accountId)
    .orderBy('name')
    .execute();
  for (const [index, { name, holds, department }] of DEMO_FOLDERS.entries()) {
    const { id: folderId } = await trx
      .insertInto('folder')
      .values({ ...account, name })
      .returning('id')
      .executeTakeFirstOrThrow();
    const daysAgo = SUBSCRIBED_DAYS_AGO[index] ?? 0;
    for (const { id, imei, name: unit } of vehicles.filter(vehicle => holds(vehicle.name))) {
      const driverId = DEMO_SPARES.includes(unit) ? null : (waiting.get(department)?.shift() ?? null);
      await trx
        .updateTable('vehicle')
        .set({ folder_id: folderId, usual_driver_id: driverId })
        .where('id', '=', id)
        .execute();
      await trx
        .updateTable('subscription')
        .set({ created_at: sql<Date>`now() - make_interval(days => ${daysAgo})` })
        .where('account_id', '=', accountId)
        .where('imei', '=', imei)
        .execute();
    }
  }
}
