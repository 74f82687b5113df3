import type { SignOn, SignOnInput } from '@milepost/contract';
import type { Selectable } from 'kysely';
import { AppError, invalidField } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { SignOnTable } from '../../db/sign-on-schema.ts';
import { audit, changesBetween, secretChanged } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { requestedRights } from '../users/requested-rights.ts';
import type { Client } from './provider.ts';
import { type Reach, reachOf } from './provider-fetch.ts';

/** An account's provider, with what signing in needs to know of the account. */
export interface SignOnAccount {
  readonly accountId: number;
  readonly organization: string;
  readonly settings: Selectable<SignOnTable>;
  readonly client: Client;
  /** Where its sign-in page may stand: its own host name, and that of the installation. */
  readonly origins: readonly string[];
}

export const REDIRECT_PATH = '/sign-on';

export function originsOf(publicUrl: string, hostName: string | null): string[] {
  const own = new URL(publicUrl);
  if (hostName === null) return [own.origin];
  const theirs = new URL(own);
  theirs.hostname = hostName;
  return [...new Set([theirs.origin, own.origin])];
}

/** Null: no provider, or it is turned off. */
export async function findSignOn(
  { config, db }: Pick<Context, 'config' | 'db'>,
  by: { readonly accountId: number } | { readonly link: string },
): Promise<SignOnAccount | null> {
  const row = await db.system
    .selectFrom('sign_on')
    .innerJoin('account', 'account.id', 'sign_on.account_id')
    .leftJoin('tenant', 'tenant.account_id', 'account.id')
    .leftJoin('sign_on_secret', 'sign_on_secret.account_id', 'account.id')
    .selectAll('sign_on')
    .select(['account.name', 'account.operator', 'tenant.host_name', 'sign_on_secret.secret'])
    .where(({ eb }) => ('link' in by ? eb('link', '=', by.link) : eb('sign_on.account_id', '=', by.accountId)))
    .where('is_on', '=', true)
    .executeTakeFirst();
  if (!row) return null;
  const reach = reachOf(row.operator, config.webhooks.networks);
  return {
    accountId: row.account_id,
    organization: row.name,
    settings: row,
    client: { issuer: row.issuer, clientId: row.client_id, secret: row.secret, reach },
    origins: originsOf(config.http.publicUrl, row.host_name),
  };
}

/** How far the server looks for this account's provider. */
export async function accountReach({ config, db }: Pick<Context, 'config' | 'db'>, accountId: number): Promise<Reach> {
  const { operator } = await db.asAccount(accountId, trx =>
    trx.selectFrom('account').select('operator').executeTakeFirstOrThrow(),
  );
  return reachOf(operator, config.webhooks.networks);
}

export async function readSignOnSettings(trx: AccountTransaction, publicUrl: string): Promise<SignOn> {
  const row = await trx.selectFrom('sign_on').selectAll().executeTakeFirst();
  const secret = await trx.selectFrom('sign_on_secret').select('account_id').executeTakeFirst();
  const tenant = await trx.selectFrom('tenant').select('host_name').executeTakeFirst();
  const { count } = await trx
    .selectFrom('sign_on_identity')
    .select(({ fn }) => fn.count<number>('user_id').distinct().as('count'))
    .executeTakeFirstOrThrow();
  const origins = originsOf(publicUrl, tenant?.host_name ?? null);
  return {
    settings: row ? { ...shown(row), hasSecret: secret !== undefined } : null,
    redirectUris: origins.map(origin => origin + REDIRECT_PATH),
    signOutUris: origins.map(origin => `${origin}/login`),
    link: row ? `${origins[0]}${REDIRECT_PATH}?with=${row.link}` : null,
    users: Number(count),
  };
}

const shown = (row: Selectable<SignOnTable>): Omit<SignOnInput, 'clientSecret'> => ({
  enabled: row.is_on,
  label: row.label,
  issuer: row.issuer,
  clientId: row.client_id,
  scopes: row.scopes,
  groupsClaim: row.groups_claim,
  groups: row.groups,
  defaultRole: row.default_role,
  domains: row.domains,
  createUsers: row.create_users,
  matchByEmail: row.match_by_email,
  passwords: row.passwords,
  trustSecondFactor: row.trust_second_factor,
  signOutToo: row.sign_out_too,
});

export async function writeSignOnSettings(
  trx: AccountTransaction,
  { session, author }: By,
  { clientSecret, ...input }: SignOnInput,
): Promise<void> {
  const { accountId } = session;
  const before = await trx.selectFrom('sign_on').selectAll().forUpdate().executeTakeFirst();
  const stored = await trx.selectFrom('sign_on_secret').select('account_id').executeTakeFirst();
  // Otherwise naming another issuer would send the secret there.
  if (clientSecret === '' && stored && before?.issuer !== input.issuer) {
    throw invalidField('clientSecret', 'sign-on-secret-again');
  }
  for (const [i, group] of input.groups.entries()) {
    await requestedRights(trx, group, null).catch((error: unknown) => {
      throw error instanceof AppError ? inRow(error, i) : error;
    });
  }
  const columns = {
    is_on: input.enabled,
    label: input.label,
    issuer: input.issuer,
    client_id: input.clientId,
    scopes: input.scopes,
    groups_claim: input.groupsClaim,
    groups: JSON.stringify(input.groups),
    default_role: input.defaultRole,
    domains: [...new Set(input.domains)],
    create_users: input.createUsers,
    match_by_email: input.matchByEmail,
    passwords: input.passwords,
    trust_second_factor: input.trustSecondFactor,
    sign_out_too: input.signOutToo,
  };
  await trx
    .insertInto('sign_on')
    .values({ account_id: accountId, ...columns })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(columns))
    .execute();
  if (clientSecret !== '') {
    await trx.deleteFrom('sign_on_secret').execute();
    await trx.insertInto('sign_on_secret').values({ account_id: accountId, secret: clientSecret }).execute();
  }
  const changes = [
    ...changesBetween<object>(before ? shown(before) : {}, { ...input, domains: columns.domains }),
    ...(clientSecret === '' ? [] : [secretChanged('clientSecret')]),
  ];
  const target = { id: accountId, name: new URL(input.issuer).host };
  if (changes.length > 0) await audit(trx, author, { action: 'sign-on.changed', target, changes });
}

/** A problem of one group, at its row of the form. */
const inRow = (error: AppError, i: number): AppError =>
  new AppError(
    'invalid-input',
    {},
    { errors: error.errors.map(each => ({ ...each, field: `groups.${i}.${each.field}` })) },
  );

export async function removeSignOnSettings(trx: AccountTransaction, { session, author }: By): Promise<void> {
  const row = await trx.deleteFrom('sign_on').returning('issuer').executeTakeFirst();
  await trx.deleteFrom('sign_on_identity').execute();
  const target = { id: session.accountId, name: row ? new URL(row.issuer).host : '' };
  await audit(trx, author, { action: 'sign-on.deleted', target });
}
