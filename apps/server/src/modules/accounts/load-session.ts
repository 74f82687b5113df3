import {
  type Duty,
  may,
  PERMISSIONS,
  PERMISSIONS_OF_ROLE,
  PERSONAL_PERMISSIONS,
  type Permission,
  type Role,
  type SecondFactorPolicy,
} from '@milepost/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { Session } from '../../http/session.ts';

export type SecretColumn = 'token_hash' | 'messaging_hash';

/** How a session is found: by the hash of a secret, or by its id. */
export type SessionKey = { readonly column: SecretColumn; readonly hash: Buffer } | { readonly id: string };

/** A session with its user's current rights; null if the session or the user's access has ended. */
export async function loadSession(system: Kysely<Database>, key: SessionKey): Promise<Session | null> {
  const now = new Date();
  const row = await system
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .innerJoin('account', 'account.id', 'app_user.account_id')
    .leftJoin('custom_role', 'custom_role.id', 'app_user.custom_role_id')
    .select(['session.id', 'session.account_id', 'session.user_id', 'session.kind', 'session.read_only'])
    .select(['session.permissions as token_scopes', 'custom_role.permissions as role_permissions'])
    .select(['user_name', 'role', 'scope_folders', 'scope_departments', 'must_change_password', 'second_factor_policy'])
    .select(sql<Date>`least(session.expires_at, app_user.expires_at)`.as('expires_at'))
    .select(sql<boolean>`(session.second_factor or ${hasSecondFactor})`.as('has_second_factor'))
    .where(({ eb }) => ('id' in key ? eb('session.id', '=', key.id) : eb(`session.${key.column}`, '=', key.hash)))
    .where('session.expires_at', '>', now)
    .where('app_user.active', '=', true)
    .where(({ eb, or }) => or([eb('app_user.expires_at', 'is', null), eb('app_user.expires_at', '>', now)]))
    .executeTakeFirst();
  if (!row) return null;

  // The column's check constraint allows the contract's roles only.
  const role = row.role as Role;
  const own = row.role_permissions === null ? null : customPermissions(row.role_permissions);
  const duty =
    row.kind === 'browser' && !row.read_only
      ? dutyOf({ ...row, role, permissions: own, readOnly: false, scope: null })
      : null;
  return {
    sessionId: row.id,
    kind: row.kind,
    accountId: row.account_id,
    userId: row.user_id,
    userName: row.user_name,
    role,
    permissions: duty ? PERSONAL_PERMISSIONS : scoped(own, role, row.token_scopes),
    scope:
      row.scope_folders && row.scope_departments
        ? { folderIds: row.scope_folders, departmentIds: row.scope_departments }
        : null,
    duty,
    readOnly: row.read_only,
    expiresAt: row.expires_at,
  };
}

/** Whether the user of the current row has an authenticator app or a passkey. */
export const hasSecondFactor = sql<boolean>`(
  exists (select from totp where totp.user_id = app_user.id and confirmed_at is not null)
  or exists (select from passkey where passkey.user_id = app_user.id))`;

/** Leaves out names that this version does not know. Rights to one's own data are in every role. */
export function customPermissions(stored: readonly string[]): readonly Permission[] {
  const personal: readonly Permission[] = PERSONAL_PERMISSIONS;
  return PERMISSIONS.filter(permission => personal.includes(permission) || stored.includes(permission));
}

/** An API token has the rights of its scopes, as long as its owner still has them. */
function scoped(own: readonly Permission[] | null, role: Role, scopes: readonly string[] | null) {
  return scopes === null ? own : (own ?? PERMISSIONS_OF_ROLE[role]).filter(each => scopes.includes(each));
}

interface DutyRow {
  readonly role: Role;
  readonly permissions: readonly Permission[] | null;
  readonly readOnly: boolean;
  readonly scope: null;
  readonly must_change_password: boolean;
  readonly second_factor_policy: string;
  readonly has_second_factor: boolean;
}

function dutyOf(row: DutyRow): Duty | null {
  if (row.must_change_password) return 'change-password';
  const policy = row.second_factor_policy as SecondFactorPolicy;
  return !row.has_second_factor && needsSecondFactor(policy, may(row, 'users.write')) ? 'set-up-second-factor' : null;
}

export function needsSecondFactor(policy: SecondFactorPolicy, managesUsers: boolean): boolean {
  return policy === 'everybody' || (policy === 'managers' && managesUsers);
}
