import { may, type Role, type SecondFactorPolicy } from '@milepost/contract';
import type { AccountTransaction } from '../../db/database.ts';
import { customPermissions, hasSecondFactor, needsSecondFactor } from './load-session.ts';

/** Whether the account's policy asks this user for a second factor. */
export async function isRequiredOf(trx: AccountTransaction, userId: string): Promise<boolean> {
  return (await usersAndPolicy(trx)).some(user => user.id === userId && user.isRequired);
}

/** How many users must have a second factor and don't. */
export async function countMissing(trx: AccountTransaction): Promise<number> {
  return (await usersAndPolicy(trx)).filter(user => user.isRequired && !user.has).length;
}

async function usersAndPolicy(trx: AccountTransaction) {
  const rows = await trx
    .selectFrom('app_user')
    .innerJoin('account', 'account.id', 'app_user.account_id')
    .leftJoin('custom_role', 'custom_role.id', 'app_user.custom_role_id')
    .select(['app_user.id', 'app_user.role', 'account.second_factor_policy', 'custom_role.permissions'])
    .select(hasSecondFactor.as('has'))
    .where('app_user.active', '=', true)
    .execute();
  return rows.map(row => {
    const permissions = row.permissions === null ? null : customPermissions(row.permissions);
    const managesUsers = may({ role: row.role as Role, readOnly: false, permissions, scope: null }, 'users.write');
    const policy = row.second_factor_policy as SecondFactorPolicy;
    return { id: row.id, has: row.has, isRequired: needsSecondFactor(policy, managesUsers) };
  });
}
