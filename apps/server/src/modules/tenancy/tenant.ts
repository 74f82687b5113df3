import { type Brand, DEFAULT_COLOURS, type Tenant, type tenantChangeSchema } from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { z } from 'zod';
import { AppError, fieldProblem } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { audit, changesBetween } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { dropImage, storeImage } from '../images/store.ts';

export type TenantRow = Partial<Selectable<Database['tenant']>> & {
  readonly id: number;
  readonly name: string;
};

export type Picture = 'logo' | 'splash';

/** The account's branding; a row of defaults if it has none. */
export async function readTenantRow(trx: AccountTransaction): Promise<TenantRow> {
  const row = await trx
    .selectFrom('account')
    .leftJoin('tenant', 'tenant.account_id', 'account.id')
    .selectAll('tenant')
    .select(['account.id', 'account.name'])
    .executeTakeFirst();
  if (!row) throw new AppError('session-ended');
  return present(row);
}

/** The tenant whose pages a host name shows: the account that claimed it, else the operator's. */
export async function tenantOfHost({ db }: Pick<Context, 'db'>, hostName: string): Promise<TenantRow | null> {
  const row = await db.system
    .selectFrom('account')
    .leftJoin('tenant', 'tenant.account_id', 'account.id')
    .selectAll('tenant')
    .select(['account.id', 'account.name'])
    .where(({ eb, or }) => or([eb('tenant.host_name', '=', hostName), eb('account.operator', '=', true)]))
    .orderBy(sql`tenant.host_name is not distinct from ${hostName}`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? present(row) : null;
}

const present = (row: { readonly id: number; readonly name: string }): TenantRow => row as TenantRow;

export const toBrand = (row: TenantRow): Brand => ({
  name: row.name,
  logoUrl: row.logo ?? null,
  splashScreenUrl: row.splash ?? null,
  isTenantSplashImg: Boolean(row.splash_on && row.splash),
  primaryColour: row.primary_colour ?? DEFAULT_COLOURS.primaryColour,
  secondaryColour: row.secondary_colour ?? DEFAULT_COLOURS.secondaryColour,
  activeColour: row.active_colour ?? DEFAULT_COLOURS.activeColour,
});

export const toTenant = (row: TenantRow): Tenant => ({
  ...toBrand(row),
  id: String(row.id),
  hostName: row.host_name ?? null,
});

export async function changeTenant(
  { config, db }: Pick<Context, 'config' | 'db'>,
  { session, author }: By,
  change: z.output<typeof tenantChangeSchema>,
): Promise<Tenant> {
  const { accountId } = session;
  try {
    return await db.asAccount(accountId, async trx => {
      const before = toTenant(await readTenantRow(trx));
      const { name, hostName } = change;
      if (hostName && hostName !== before.hostName && isOurs(config.http.publicUrl, hostName)) {
        const { operator } = await trx.selectFrom('account').select('operator').executeTakeFirstOrThrow();
        if (!operator) throw hostNameTaken();
      }
      if (name !== undefined) await trx.updateTable('account').set({ name }).where('id', '=', accountId).execute();
      await writeTenant(trx, accountId, {
        splash_on: change.isTenantSplashImg,
        primary_colour: change.primaryColour,
        secondary_colour: change.secondaryColour,
        active_colour: change.activeColour,
        host_name: hostName,
      });
      const after = toTenant(await readTenantRow(trx));
      const changes = changesBetween(before, after);
      const target = { id: accountId, name: after.name };
      if (changes.length > 0) await audit(trx, author, { action: 'tenant.changed', target, changes });
      return after;
    });
  } catch (error) {
    throw error instanceof DatabaseError && error.constraint === 'tenant_host_name_key' ? hostNameTaken() : error;
  }
}

/** Stores a new, encoded image, or removes it. Removing the splash image also turns it off. */
export async function changePicture(
  trx: AccountTransaction,
  { session, author }: By,
  picture: Picture,
  content: Buffer | null,
): Promise<Tenant> {
  const { accountId } = session;
  const before = await readTenantRow(trx);
  const name = content && (await storeImage(trx, accountId, picture, content));
  await writeTenant(trx, accountId, {
    [picture]: name,
    ...(picture === 'splash' && name === null && { splash_on: false }),
  });
  await dropImage(trx, before[picture] ?? null);
  const target = { id: accountId, name: before.name };
  await audit(trx, author, { action: `tenant.${picture}-changed`, target });
  return toTenant(await readTenantRow(trx));
}

type Columns = Partial<Omit<Selectable<Database['tenant']>, 'account_id'>>;

async function writeTenant(
  trx: AccountTransaction,
  accountId: number,
  columns: { readonly [Name in keyof Columns]: Columns[Name] | undefined },
): Promise<void> {
  const named = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
  if (Object.keys(named).length === 0) return;
  await trx
    .insertInto('tenant')
    .values({ ...named, account_id: accountId })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(named))
    .execute();
}

/** The installation's own host name belongs to the operator. */
const isOurs = (publicUrl: string, hostName: string): boolean => new URL(publicUrl).hostname === hostName;

const hostNameTaken = (): AppError => fieldProblem('hostName', 'host-name-taken');
