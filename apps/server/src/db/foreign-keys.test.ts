import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { testImei } from '../../testing/imei.ts';
import { createAccount, createUser } from '../modules/accounts/accounts.ts';

/**
 * [R6.04] Foreign keys bypass row-level security: only a key that includes the account keeps a row from referring to
 * another account's row. Checked against the schema, so that new tables are covered.
 */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

interface Key {
  readonly from: string;
  readonly to: string;
  readonly columns: readonly string[];
  readonly referenced: readonly string[];
}

/** Every foreign key between two tables with an account. */
async function keys(): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select child.relname as "from", parent.relname as "to",
      array(select attname::text from unnest(conkey) with ordinality as of (number, place)
        join pg_attribute on attrelid = conrelid and attnum = number order by place) as columns,
      array(select attname::text from unnest(confkey) with ordinality as of (number, place)
        join pg_attribute on attrelid = confrelid and attnum = number order by place) as referenced
    from pg_constraint
    join pg_class child on child.oid = conrelid
    join pg_class parent on parent.oid = confrelid
    where contype = 'f' and child.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute where attrelid = conrelid and attname = 'account_id' and not attisdropped)
      and exists (select from pg_attribute where attrelid = confrelid and attname = 'account_id' and not attisdropped)
    order by 1, 2, 3`.execute(database.databases.system);
  return rows;
}

it('[R6.04] every foreign key between tables with accounts includes the account', async () => {
  const all = await keys();
  expect(all.length).toBeGreaterThan(25);
  const carries = ({ columns, referenced }: Key): boolean =>
    columns.some((column, i) => column === 'account_id' && referenced[i] === 'account_id');
  expect(all.filter(key => !carries(key)).map(({ from, columns, to }) => `${from} (${columns}) → ${to}`)).toEqual([]);
});

it('[R6.04] an account column is never null', async () => {
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_class join pg_attribute on attrelid = oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'account_id' and not attnotnull
    order by 1`.execute(database.databases.system);
  expect(rows).toEqual([]);
});

describe('[R6.04] a row of one account that refers to another account’s', () => {
  it.each([
    [
      'session',
      (account: number, user: string) =>
        sql`insert into session (account_id, user_id, token_hash, messaging_hash, expires_at)
          values (${account}, ${user}, '\\x01', '\\x01', now())`,
    ],
    [
      'invitation',
      (account: number, user: string) =>
        sql`insert into invitation (account_id, user_id, token_hash, expires_at)
          values (${account}, ${user}, '\\x02', now())`,
    ],
    [
      'totp',
      (account: number, user: string) =>
        sql`insert into totp (account_id, user_id, secret) values (${account}, ${user}, '\\x03')`,
    ],
    [
      'recovery_code',
      (account: number, user: string) =>
        sql`insert into recovery_code (account_id, user_id, code_hash) values (${account}, ${user}, '\\x04')`,
    ],
    [
      'vehicle_state',
      (account: number, _user: string, vehicle: number) =>
        sql`insert into vehicle_state (account_id, vehicle_id, heard_at, live)
          values (${account}, ${vehicle}, now(), '{}')`,
    ],
  ])('is refused: %s', async (table, insert) => {
    const { system } = database.databases;
    const [mine, theirs] = [
      await createAccount({ system }, { name: `Mine ${table}` }),
      await createAccount({ system }, { name: `Theirs ${table}` }),
    ];
    const person = { accountId: theirs, userName: `their-${table}`, role: 'owner', password: null } as const;
    const user = await createUser({ system }, person);
    const { id: vehicle } = await system
      .insertInto('vehicle')
      .values({ account_id: theirs, imei: testImei(theirs), name: 'Theirs', device_key_hash: Buffer.alloc(32) })
      .returning('id')
      .executeTakeFirstOrThrow();
    const add = database.databases.asAccount(mine, trx => insert(mine, user, vehicle).execute(trx));
    await expect(add).rejects.toMatchObject({ code: '23503' });
    await insert(theirs, user, vehicle).execute(system);
  });
});
