import type { Role, Scope } from '@milepost/contract';
import { invalidField } from '../../app-error.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { customPermissions } from '../accounts/load-session.ts';
import type { Rights } from './rights.ts';

export interface RightsRequest {
  readonly role?: Role | undefined;
  readonly customRoleId?: string | null | undefined;
  readonly scope?: Scope | null | undefined;
}

export interface RequestedRights extends Rights {
  readonly customRoleId: number | null;
}

/**
 * The rights a form requests, applied to the present ones; roles, folders and departments must belong to the account.
 */
export async function requestedRights(
  trx: AccountTransaction,
  asked: RightsRequest,
  present: RequestedRights | null,
): Promise<RequestedRights> {
  const customRoleId = customRoleOf(asked, present);
  const custom = customRoleId === null ? null : await findRole(trx, customRoleId);
  const role = asked.role ?? custom?.based_on ?? present?.role ?? 'viewer';
  if (custom && custom.based_on !== role) throw invalidField('customRoleId', 'role-mismatch');
  const scope = asked.scope === undefined ? (present?.scope ?? null) : await knownScope(trx, asked.scope);
  return {
    role: role as Role,
    permissions: custom ? customPermissions(custom.permissions) : null,
    // An owner's scope is always the whole account.
    scope: role === 'owner' ? null : scope,
    driver: present?.driver ?? null,
    customRoleId,
  };
}

/** Choosing a built-in role replaces a custom one. */
function customRoleOf(asked: RightsRequest, present: RequestedRights | null): number | null {
  if (asked.customRoleId !== undefined) return asked.customRoleId === null ? null : Number(asked.customRoleId);
  return asked.role === undefined ? (present?.customRoleId ?? null) : null;
}

async function findRole(trx: AccountTransaction, id: number) {
  const role = await trx
    .selectFrom('custom_role')
    .select(['based_on', 'permissions'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!role) throw invalidField('customRoleId', 'unknown-role');
  return role;
}

async function knownScope(trx: AccountTransaction, scope: Scope | null): Promise<Rights['scope']> {
  if (scope === null) return null;
  const [folderIds, departmentIds] = [idsOf(scope.folderIds), idsOf(scope.departmentIds)];
  await refuseUnknown(trx, 'folder', folderIds, 'scope.folderIds');
  await refuseUnknown(trx, 'department', departmentIds, 'scope.departmentIds');
  return { folderIds, departmentIds };
}

const idsOf = (ids: readonly string[]): number[] => [...new Set(ids.map(Number))];

async function refuseUnknown(
  trx: AccountTransaction,
  table: 'folder' | 'department',
  ids: readonly number[],
  field: string,
): Promise<void> {
  if (ids.length === 0) return;
  const known = await trx.selectFrom(table).select('id').where('id', 'in', ids).execute();
  if (known.length < ids.length) throw invalidField(field, `unknown-${table}`);
}
