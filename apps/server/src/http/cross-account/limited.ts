import type { Role } from '@milepost/contract';
import type { TestHttpServer } from '../../testing/http-server.ts';
import { limit } from '../../testing/organisation.ts';
import { type UserWithData, userWithData } from './account-data.ts';

/** A user limited to a folder and a department that contain everything they have. */
export async function limitedTo(
  server: TestHttpServer,
  options: { readonly accountId?: number; readonly role: Role },
): Promise<UserWithData> {
  const me = await userWithData(server, options);
  const { accountId } = me;
  const { db, feed } = server.context;
  const region = { account_id: accountId, name: `Region of ${me.marker}` };
  const folder = await db.system.insertInto('folder').values(region).returning('id').executeTakeFirstOrThrow();
  const department = await db.system.insertInto('department').values(region).returning('id').executeTakeFirstOrThrow();
  await db.system.updateTable('folder').set({ parent_id: folder.id }).where('id', '=', Number(me.folderId)).execute();
  await db.system
    .updateTable('department')
    .set({ parent_id: department.id })
    .where('id', '=', Number(me.departmentId))
    .execute();
  // Whoever is a driver has their vehicle by that, whatever else they are limited to.
  if (options.role === 'driver') {
    await db.system.updateTable('driver').set({ user_id: me.userId }).where('id', '=', Number(me.driverId)).execute();
  }
  await feed.settled();
  const scope = { folders: [String(folder.id)], departments: [String(department.id)] };
  await limit(server.context, me, scope);
  await limit(server.context, { userId: me.colleagueId }, scope);
  return me;
}

/**
 * A user of the same account whose vehicle and driver a limited user sees at the moment, but can't change: the one is
 * driven by the limited user's driver, the other drives their vehicle.
 */
export async function passing(server: TestHttpServer, me: UserWithData): Promise<UserWithData> {
  const other = await userWithData(server, { accountId: me.accountId });
  const { context } = server;
  const drives = (driverId: string | null, vehicleId: string) =>
    context.db.system
      .updateTable('vehicle')
      .set({ usual_driver_id: driverId === null ? null : Number(driverId) })
      .where('id', '=', Number(vehicleId))
      .execute();
  // Each drives one vehicle at a time.
  await drives(null, me.vehicleId);
  await drives(me.driverId, other.vehicleId);
  await drives(other.driverId, me.vehicleId);
  await context.feed.settled();
  return other;
}

export const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
};
