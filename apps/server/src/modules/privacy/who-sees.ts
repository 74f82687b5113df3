import { may, type Role, type RouteAnswer, type readMyPrivacy } from '@milepost/contract';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { RosterDriver } from '../../fleet/roster.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { customPermissions } from '../accounts/load-session.ts';

type MyPrivacy = RouteAnswer<typeof readMyPrivacy>;
type Through = MyPrivacy['viewers'][number]['through'];

/** Everyone who can see where a driver is now, by the same rule as every call; by name. The driver is left out. */
export async function viewersOf(
  trx: AccountTransaction,
  { directory, driving, visibility }: Organisation,
  accountId: number,
  driver: RosterDriver,
): Promise<MyPrivacy['viewers']> {
  const rows = await trx
    .selectFrom('app_user')
    .leftJoin('custom_role', 'custom_role.id', 'app_user.custom_role_id')
    .select(['app_user.id', 'display_name', 'role', 'scope_folders', 'scope_departments'])
    .select('custom_role.permissions')
    .select(eb =>
      eb
        .selectFrom('session')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .whereRef('session.user_id', '=', 'app_user.id')
        .where('kind', '=', 'api-token')
        .where('session.expires_at', '>', new Date())
        .as('api_tokens'),
    )
    .where('app_user.account_id', '=', accountId)
    .where('active', '=', true)
    .where(sql<boolean>`coalesce(app_user.expires_at > now(), true)`)
    .orderBy(sql`lower(display_name)`)
    .execute();
  const placed = driving.vehicleOf(accountId, driver);
  const vehicle = placed && directory.findById(placed.id);
  return rows.flatMap(row => {
    if (row.id === driver.userId) return [];
    const { scope_departments: departmentIds, scope_folders: folderIds } = row;
    const viewer: Viewer = {
      ...{ accountId, userId: row.id, role: row.role as Role },
      scope: folderIds && departmentIds && { folderIds, departmentIds },
    };
    const permissions = row.permissions && customPermissions(row.permissions);
    if (!may({ ...viewer, permissions, readOnly: false }, 'vehicles.read')) return [];
    const through: Through | null = visibility.seesAll(viewer)
      ? 'account'
      : vehicle && visibility.holdsVehicle(viewer, vehicle)
        ? 'folder'
        : visibility.holdsDriver(viewer, driver)
          ? 'department'
          : null;
    if (through === null) return [];
    return [{ id: row.id, name: row.display_name, role: viewer.role, through, apiTokens: Number(row.api_tokens) }];
  });
}

/** Share links that show the driver's vehicle, now or from a later time on, whoever created them. */
export async function linksOf(
  trx: AccountTransaction,
  { directory, driving }: Organisation,
  accountId: number,
  driver: RosterDriver,
): Promise<MyPrivacy['links']> {
  const placed = driving.vehicleOf(accountId, driver);
  if (!placed || !directory.findById(placed.id)) return [];
  const rows = await trx
    .selectFrom('share_link')
    .innerJoin('share_link_vehicle', 'share_link_vehicle.link_id', 'share_link.id')
    .innerJoin('app_user', 'app_user.id', 'share_link.created_by')
    .select(['share_link.id', 'share_link.name', 'display_name', 'starts_at', 'share_link.expires_at', 'show_trail'])
    .where('share_link_vehicle.vehicle_id', '=', placed.id)
    .where('revoked_at', 'is', null)
    .where('share_link.expires_at', '>', new Date())
    .where('app_user.active', '=', true)
    .orderBy('share_link.expires_at')
    .execute();
  return rows.map(row => ({
    id: String(row.id),
    name: row.name,
    createdBy: row.display_name,
    startsAt: row.starts_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    showTrail: row.show_trail,
  }));
}
