import type { Permission, Role, User, UserState } from '@milepost/contract';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Session } from '../../http/session.ts';
import { customPermissions } from '../accounts/load-session.ts';
import type { Holding, Rights } from './rights.ts';

/** A user's row, with related counts. */
export type UserRow = Awaited<ReturnType<typeof listUserRows>>[number];

const like = (text: string) =>
  sql<boolean>`strpos(lower(concat_ws(chr(10), display_name, user_name, email, app_user.phone)), lower(${text})) > 0`;

/** Users ordered by name; `id` for a single one. Row-level security hides those of other accounts. */
export function listUserRows(trx: AccountTransaction, { id, q }: { readonly id?: string; readonly q?: string } = {}) {
  return trx
    .selectFrom('app_user')
    .leftJoin('custom_role', 'custom_role.id', 'app_user.custom_role_id')
    .select(['app_user.id', 'user_name', 'display_name', 'email', 'phone', 'gender', 'image', 'role', 'custom_role_id'])
    .select(['scope_folders', 'scope_departments', 'active', 'expires_at', 'last_seen_at', 'created_by'])
    .select(['app_user.created_at', 'custom_role.name as role_name', 'custom_role.permissions as role_permissions'])
    .select(
      sql<
        string | null
      >`(select c.email from email_change c where c.user_id = app_user.id and c.expires_at > now())`.as(
        'pending_email',
      ),
    )
    .select(
      sql<Rights['driver']>`(
        select json_build_object('departmentId', department_id) from driver where driver.user_id = app_user.id)`.as(
        'driver',
      ),
    )
    .select(sql<boolean>`password_hash is null`.as('has_no_password'))
    .select(sql<boolean>`exists (select from invitation where user_id = app_user.id)`.as('is_invited'))
    .select(
      sql<number>`(select count(*)::int from session where user_id = app_user.id and kind = 'browser' and not read_only and session.expires_at > now())`.as(
        'sessions',
      ),
    )
    .select(
      sql<boolean>`exists (select from totp where user_id = app_user.id and confirmed_at is not null)`.as('has_totp'),
    )
    .select(sql<number>`(select count(*)::int from passkey where user_id = app_user.id)`.as('passkeys'))
    .$if(id !== undefined, query => query.where('app_user.id', '=', id ?? ''))
    .$if(q !== undefined && q !== '', query => query.where(like(q ?? '')))
    .orderBy(sql`lower(display_name)`)
    .orderBy('app_user.id')
    .execute();
}

export async function findUserRow(trx: AccountTransaction, id: string): Promise<UserRow> {
  const [row] = await listUserRows(trx, { id });
  if (!row) throw new AppError('not-found');
  return row;
}

export function rightsOf(row: UserRow): Rights {
  return {
    role: row.role as Role,
    permissions: permissionsOfRow(row),
    scope:
      row.scope_folders && row.scope_departments
        ? { folderIds: row.scope_folders, departmentIds: row.scope_departments }
        : null,
    driver: row.driver,
  };
}

const permissionsOfRow = (row: UserRow): readonly Permission[] | null =>
  row.role_permissions === null ? null : customPermissions(row.role_permissions);

export function userAnswer(row: UserRow, caller: Session, holding: Holding): User {
  const { scope, role } = rightsOf(row);
  return {
    id: row.id,
    userName: row.user_name,
    displayName: row.display_name,
    email: row.email,
    pendingEmail: row.pending_email,
    phone: row.phone,
    gender: row.gender,
    image: row.image,
    role,
    customRole:
      row.custom_role_id !== null && row.role_name !== null
        ? { id: String(row.custom_role_id), name: row.role_name }
        : null,
    scope: scope && { folderIds: scope.folderIds.map(String), departmentIds: scope.departmentIds.map(String) },
    state: stateOf(row),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
    sessions: row.sessions,
    secondFactor: { totp: row.has_totp, passkeys: row.passkeys },
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    editable: row.id !== caller.userId && holding.holds(caller, rightsOf(row)),
  };
}

export function stateOf(row: UserRow): UserState {
  if (!row.active) return 'deactivated';
  if (row.expires_at !== null && row.expires_at.getTime() <= Date.now()) return 'expired';
  return row.has_no_password && row.is_invited ? 'invited' : 'active';
}
