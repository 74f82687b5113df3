import {
  type newRoleSchema,
  PERMISSIONS,
  PERMISSIONS_OF_ROLE,
  ROLES,
  type Role,
  type roleSchema,
} from '@milepost/contract';
import type { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Session } from '../../http/session.ts';
import { customPermissions } from '../accounts/load-session.ts';
import type { SignedInCall } from '../accounts/own-password.ts';
import { takenProblem } from '../accounts/taken.ts';
import { audit, authorOf, changesBetween } from '../audit/audit.ts';
import type { Holding } from './rights.ts';
import { listUserRows, rightsOf } from './user-rows.ts';

type RoleAnswer = z.output<typeof roleSchema>;
type NewRole = z.output<typeof newRoleSchema>;

/** The built-in roles, and the account's custom roles: copies with other permissions. */
export function createRoles({ db, feed }: Context, holding: Holding) {
  const answer = (session: Session, role: Awaited<ReturnType<typeof rowsOf>>[number]): RoleAnswer => {
    const permissions = customPermissions(role.permissions);
    const basedOn = role.based_on as Role;
    return {
      id: String(role.id),
      name: role.name,
      builtIn: false,
      basedOn,
      permissions: [...permissions],
      users: Number(role.users),
      grantable: holding.holds(session, { role: basedOn, permissions, scope: session.scope, driver: null }),
    };
  };

  const one = async (trx: AccountTransaction, id: number) => {
    const [row] = await rowsOf(trx, id);
    if (!row) throw new AppError('not-found');
    return row;
  };

  const refuseMore = (session: Session, { basedOn, permissions }: Pick<NewRole, 'basedOn' | 'permissions'>): void =>
    holding.refuseMore(session, {
      role: basedOn,
      permissions: customPermissions(permissions),
      scope: session.scope,
      driver: null,
    });

  const inAccount = <T>(call: SignedInCall, work: (trx: AccountTransaction) => Promise<T>): Promise<T> =>
    db.asAccount(call.session.accountId, work).catch((error: unknown) => {
      throw takenProblem(error);
    });

  return {
    list: (call: SignedInCall): Promise<RoleAnswer[]> =>
      inAccount(call, async trx => {
        const { session } = call;
        const users = (await listUserRows(trx)).filter(row => holding.sees(session, rightsOf(row)));
        const holders = (isOf: (user: (typeof users)[number]) => boolean): number => users.filter(isOf).length;
        const builtIn = ROLES.map(role => ({
          id: role,
          name: role,
          builtIn: true,
          basedOn: role,
          permissions: [...PERMISSIONS_OF_ROLE[role]],
          users: holders(user => user.custom_role_id === null && user.role === role),
          grantable: holding.holds(session, { role, permissions: null, scope: session.scope, driver: null }),
        }));
        const custom = (await rowsOf(trx)).map(row => ({
          ...answer(session, row),
          users: holders(user => user.custom_role_id === row.id),
        }));
        return [...builtIn, ...custom];
      }),

    create: (call: SignedInCall, { name, basedOn, permissions }: NewRole): Promise<RoleAnswer> =>
      inAccount(call, async trx => {
        refuseMore(call.session, { basedOn, permissions });
        const stored = inOrder(permissions);
        const { id } = await trx
          .insertInto('custom_role')
          .values({ account_id: call.session.accountId, name, based_on: basedOn, permissions: stored })
          .returning('id')
          .executeTakeFirstOrThrow();
        const changes = changesBetween<object>({}, { basedOn, permissions: stored.join(' ') });
        await audit(trx, authorOf(call), { action: 'role.created', target: { id, name }, changes });
        return answer(call.session, await one(trx, id));
      }),

    update: async (call: SignedInCall, id: number, change: Partial<NewRole>): Promise<RoleAnswer> => {
      const role = await inAccount(call, async trx => {
        const before = await one(trx, id);
        const basedOn = change.basedOn ?? (before.based_on as NewRole['basedOn']);
        refuseMore(call.session, { basedOn: before.based_on as NewRole['basedOn'], permissions: known(before) });
        refuseMore(call.session, { basedOn, permissions: change.permissions ?? known(before) });
        const after = {
          name: change.name ?? before.name,
          based_on: basedOn,
          permissions: inOrder(change.permissions ?? before.permissions),
        };
        await trx.updateTable('custom_role').set(after).where('id', '=', id).execute();
        await trx.updateTable('app_user').set({ role: basedOn }).where('custom_role_id', '=', id).execute();
        const changes = changesBetween<object>(inWords(before), inWords(after));
        await audit(trx, authorOf(call), { action: 'role.changed', target: { id, name: after.name }, changes });
        return one(trx, id);
      });
      await feed.settled();
      return answer(call.session, role);
    },

    remove: (call: SignedInCall, id: number): Promise<void> =>
      inAccount(call, async trx => {
        const before = await one(trx, id);
        refuseMore(call.session, { basedOn: before.based_on as NewRole['basedOn'], permissions: known(before) });
        if (Number(before.users) > 0) throw new AppError('role-in-use', { count: Number(before.users) });
        await trx.deleteFrom('custom_role').where('id', '=', id).execute();
        await audit(trx, authorOf(call), { action: 'role.deleted', target: { id, name: before.name } });
      }),
  };
}

function rowsOf(trx: AccountTransaction, id?: number) {
  return trx
    .selectFrom('custom_role')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('app_user')
        .select(({ fn }) => fn.countAll<string>().as('users'))
        .whereRef('app_user.custom_role_id', '=', 'custom_role.id')
        .as('users'),
    )
    .$if(id !== undefined, query => query.where('id', '=', id ?? 0))
    .orderBy('name')
    .execute();
}

const known = ({ permissions }: { permissions: readonly string[] }) =>
  PERMISSIONS.filter(permission => permissions.includes(permission));
const inOrder = (permissions: readonly string[]): string[] => known({ permissions });
const inWords = (role: { name: string; based_on: string; permissions: readonly string[] }) => ({
  name: role.name,
  basedOn: role.based_on,
  permissions: role.permissions.join(' '),
});
