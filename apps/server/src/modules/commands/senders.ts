import { type CommandCategory, may, PERMISSIONS_OF_ROLE, type Permission, type Role } from '@milepost/contract';
import type { Kysely } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Viewer, Visibility } from '../../fleet/visibility.ts';
import { customPermissions } from '../accounts/load-session.ts';

export const PERMISSION_OF: Readonly<Record<CommandCategory, Permission>> = {
  read: 'commands.read',
  control: 'commands.control',
  settings: 'commands.settings',
};

export interface Holder extends Viewer {
  readonly permissions: readonly Permission[];
}

/** Users who may do something at this moment. */
const selectHolders = (db: Kysely<Database> | AccountTransaction) =>
  db
    .selectFrom('app_user')
    .leftJoin('custom_role', 'custom_role.id', 'app_user.custom_role_id')
    .select(['app_user.id', 'app_user.account_id', 'role', 'scope_folders', 'scope_departments'])
    .select('custom_role.permissions')
    .where('active', '=', true)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', new Date())]));

type HolderRow = Awaited<ReturnType<ReturnType<typeof selectHolders>['executeTakeFirstOrThrow']>>;

function toHolder(row: HolderRow): Holder {
  // The column's check constraint allows the contract's roles only.
  const role = row.role as Role;
  return {
    accountId: row.account_id,
    userId: row.id,
    role,
    permissions: row.permissions === null ? PERMISSIONS_OF_ROLE[role] : customPermissions(row.permissions),
    scope:
      row.scope_folders && row.scope_departments
        ? { folderIds: row.scope_folders, departmentIds: row.scope_departments }
        : null,
  };
}

/** What a user may do at this moment, without a session; null where they may do nothing any more. */
async function holderOf(system: Kysely<Database>, userId: string): Promise<Holder | null> {
  const row = await selectHolders(system).where('app_user.id', '=', userId).executeTakeFirst();
  return row ? toHolder(row) : null;
}

/** Users of the account who can send control commands; invited users who have not joined can't. */
export async function readControllers(trx: AccountTransaction): Promise<Holder[]> {
  const rows = await selectHolders(trx)
    .where(({ eb, exists, not, or, selectFrom }) =>
      or([
        eb('password_hash', 'is not', null),
        not(exists(selectFrom('invitation').select('user_id').whereRef('user_id', '=', 'app_user.id'))),
      ]),
    )
    .execute();
  return rows.map(toHolder).filter(holder => may({ ...holder, readOnly: false }, PERMISSION_OF.control));
}

/** Looks up who may do what, each user once. */
export type Holders = (userId: string) => Promise<Holder | null>;

export function readHolders(system: Kysely<Database>): Holders {
  const known = new Map<string, Promise<Holder | null>>();
  return userId => {
    const holder = known.get(userId) ?? holderOf(system, userId);
    known.set(userId, holder);
    return holder;
  };
}

export async function stillHolds(
  system: Kysely<Database>,
  userId: string,
  accountId: number,
  permission: Permission,
): Promise<boolean> {
  const holder = await holderOf(system, userId);
  return holder?.accountId === accountId && may({ ...holder, readOnly: false }, permission);
}

/** Of a vehicle in sight, whatever asks its tracker; what changes anything, to vehicles of one's own folders. */
export const reaches = (
  visibility: Visibility,
  viewer: Viewer,
  vehicle: DirectoryEntry,
  category: CommandCategory,
): boolean => visibility.sees(viewer, vehicle) && (category === 'read' || visibility.holdsVehicle(viewer, vehicle));

/** Whether a command's sender could still send it. Synchronous, from what is known in memory. */
export const maySendStill = (
  holder: Holder | null,
  visibility: Visibility,
  vehicle: DirectoryEntry,
  category: CommandCategory,
): holder is Holder =>
  holder !== null &&
  may({ ...holder, readOnly: false }, PERMISSION_OF[category]) &&
  reaches(visibility, holder, vehicle, category);
