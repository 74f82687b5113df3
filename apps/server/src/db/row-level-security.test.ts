import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { testImei } from '../../testing/imei.ts';
import { createAccount, createUser } from '../modules/accounts/accounts.ts';

/** The second defense of invariant I2: what the database refuses to any request. */

const TABLES = ['account', 'app_user', 'session', 'vehicle', 'vehicle_state', 'position'] as const;
/** Append-only tables. */
const GROWING = ['duty_entry', 'duty_root'] as const;
let database: TestDatabase;
let mine: Rows;
let theirs: Rows;

interface Rows {
  readonly accountId: number;
  readonly userId: string;
  readonly vehicleId: number;
}

beforeAll(async () => {
  database = await testDatabase();
  [mine, theirs] = [await fill(1), await fill(2)];
});
afterAll(() => database.close());

/** One row in each table. */
async function fill(n: number): Promise<Rows> {
  const { system } = database.databases;
  const accountId = await createAccount({ system }, { name: `Account ${n}` });
  const userId = await createUser({ system }, { accountId, userName: `user-${n}`, role: 'owner', password: null });
  const account = { account_id: accountId };
  await system
    .insertInto('session')
    .values({
      ...account,
      user_id: userId,
      token_hash: Buffer.from([n]),
      messaging_hash: Buffer.from([n]),
      expires_at: new Date(Date.now() + 1e6),
      address: null,
      user_agent: null,
    })
    .execute();
  const { id: vehicleId } = await system
    .insertInto('vehicle')
    .values({ ...account, imei: testImei(n), name: `Vehicle ${n}`, device_key_hash: Buffer.alloc(32) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const now = new Date();
  await system
    .insertInto('vehicle_state')
    .values({ ...account, vehicle_id: vehicleId, heard_at: now, live: '{}', newest: null })
    .execute();
  await sql`insert into position (account_id, vehicle_id, fix_at, received_at, lat, lon, valid, late, protocol)
    values (${accountId}, ${vehicleId}, now(), now(), 1, 2, true, false, 'gt06')`.execute(system);
  await sql`insert into duty_entry
      (account_id, log, position, id, action, recorded_at, touches_at, entry, content, hash)
    values (${accountId}, 'driver:1', 0, gen_random_uuid(), 'home', now(), now(), '{}', sha256('{}'), sha256('{}'))`.execute(
    system,
  );
  await sql`insert into duty_root (account_id, chain, day, first, count, previous, head, root)
    values (${accountId}, 'driver:1', '2026-02-03', 0, 1, sha256('{}'), sha256('{}'), sha256('{}'))`.execute(system);
  return { accountId, userId, vehicleId };
}

const asMe = <T>(query: ReturnType<typeof sql<T>>) =>
  database.databases.asAccount(mine.accountId, async trx => (await query.execute(trx)).rows);

/** With the role of a request, but no account. */
const asNobody = <T>(query: ReturnType<typeof sql<T>>) =>
  database.databases.system.transaction().execute(async trx => {
    await sql`set local role milepost_account`.execute(trx);
    return (await query.execute(trx)).rows;
  });

describe.each([...TABLES, ...GROWING])('[R6.04] %s', table => {
  const column = table === 'account' ? 'id' : 'account_id';

  it('shows an account its own rows and no other', async () => {
    const rows = await asMe(sql<{ of: number }>`select ${sql.ref(column)} as of from ${sql.table(table)}`);
    expect(rows).toEqual([{ of: mine.accountId }]);
  });

  it('shows nothing if the account is not set or invalid', async () => {
    expect(await asNobody(sql`select 1 from ${sql.table(table)}`)).toEqual([]);
    const { asAccount } = database.databases;
    for (const account of [0, -1, 2_000_000_000]) {
      expect(
        await asAccount(account, async trx => (await sql`select 1 from ${sql.table(table)}`.execute(trx)).rows),
      ).toEqual([]);
    }
  });
});

describe.each(TABLES.slice(1))('[R6.04] %s', table => {
  it('lets no account change or delete another’s rows', async () => {
    const others = sql`where account_id = ${theirs.accountId}`;
    expect(await asMe(sql`delete from ${sql.table(table)} ${others} returning 1`)).toEqual([]);
    expect(await asMe(sql`update ${sql.table(table)} set account_id = account_id ${others} returning 1`)).toEqual([]);
    expect(await asNobody(sql`delete from ${sql.table(table)} returning 1`)).toEqual([]);
  });

  it('lets no row be given to another account', async () => {
    const give = sql`update ${sql.table(table)} set account_id = ${theirs.accountId}`;
    await expect(asMe(give)).rejects.toThrow(/row-level security/);
  });
});

describe.each(GROWING)('[R6.04] %s', table => {
  it('lets nobody change or delete append-only rows, and lets an account add only its own', async () => {
    for (const statement of [
      sql`update ${sql.table(table)} set account_id = account_id`,
      sql`delete from ${sql.table(table)}`,
    ]) {
      await expect(asMe(statement)).rejects.toThrow(/permission denied/);
      await expect(asNobody(statement)).rejects.toThrow(/permission denied/);
    }
    const copied = sql`select (jsonb_populate_record(row, jsonb_build_object('account_id', ${theirs.accountId}::integer))).*
      from ${sql.table(table)} row`;
    await expect(asMe(sql`insert into ${sql.table(table)} ${copied}`)).rejects.toThrow(/row-level security/);
  });
});

describe('what a request may never do', () => {
  it.each([
    [
      'a user',
      () =>
        sql`insert into app_user (account_id, user_name, display_name, role) values (${theirs.accountId}, 'x', 'x', 'owner')`,
    ],
    [
      'a vehicle',
      () =>
        sql`insert into vehicle (account_id, imei, name, device_key_hash) values (${theirs.accountId}, ${testImei(9)}, 'x', '')`,
    ],
    [
      'a position',
      () => sql`insert into position (account_id, vehicle_id, fix_at, received_at, lat, lon, valid, late, protocol)
      values (${theirs.accountId}, ${theirs.vehicleId}, now() - interval '1 hour', now(), 1, 2, true, false, 'gt06')`,
    ],
  ])('is put %s into another account', async (_, insert) => {
    await expect(asMe(insert())).rejects.toThrow(/row-level security/);
    await expect(asNobody(insert())).rejects.toThrow(/row-level security/);
  });

  it.each([
    'installation',
    'unknown_tracker',
    'unknown_frame',
    'migration',
    'position_other',
    'password_recovery',
    'passkey_challenge',
  ])('is read %s', async table => {
    await expect(asMe(sql`select 1 from ${sql.table(table)}`)).rejects.toThrow(/permission denied/);
  });

  it('is create or change an account, a table or its own rights', async () => {
    for (const statement of [
      sql`insert into account (name) values ('x')`,
      sql`update account set operator = true`,
      sql`create table x ()`,
      sql`alter table vehicle disable row level security`,
      sql`drop policy own_account on vehicle`,
    ]) {
      await expect(asMe(statement)).rejects.toThrow(/permission denied|must be owner/);
    }
  });
});

it('does not leave an account behind on a connection', async () => {
  const { system, asAccount, pool } = database.databases;
  await Promise.all(Array.from({ length: 30 }, () => asAccount(mine.accountId, trx => sql`select 1`.execute(trx))));
  await expect(asAccount(mine.accountId, trx => sql`select nonsense`.execute(trx))).rejects.toThrow();
  const states = await Promise.all(
    Array.from({ length: pool.totalCount }, () =>
      sql`select current_user = session_user as own, coalesce(current_setting('milepost.account_id', true), '') as account, pg_sleep(0.05)`.execute(
        system,
      ),
    ),
  );
  for (const { rows } of states) expect(rows).toMatchObject([{ own: true, account: '' }]);
});

it('protects every table with an account, including future ones', async () => {
  const { rows } = await sql<{ name: string; secured: boolean; policies: string[] }>`
    select c.relname as name, c.relrowsecurity as secured,
      -- Asked once a query or once a row: the same.
      array(select replace(
        pg_get_expr(p.polqual, p.polrelid) || ' / ' || coalesce(pg_get_expr(p.polwithcheck, p.polrelid), 'same'),
        '( SELECT current_account() AS current_account)', 'current_account()'
      ) from pg_policy p where p.polrelid = c.oid) as policies
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by 1`.execute(database.databases.system);
  expect(rows.map(row => row.name)).toEqual(expect.arrayContaining([...TABLES.slice(1), ...GROWING]));
  for (const row of rows) {
    expect(row).toMatchObject({
      secured: true,
      policies: ['(account_id = current_account()) / (account_id = current_account())'],
    });
  }
});

it('lets no one reach a partition past its table', async () => {
  const { rows } = await sql<{ name: string; open: boolean }>`
    select relname as name, has_table_privilege('milepost_account', oid, 'select, insert, update, delete') as open
    from pg_class where relispartition and relkind = 'r'`.execute(database.databases.system);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(row => row.open)).toEqual([]);
});

it('uses a role that can’t bypass it', async () => {
  const { rows } = await sql`select rolsuper, rolbypassrls, rolcanlogin, rolcreaterole
    from pg_roles where rolname = 'milepost_account'`.execute(database.databases.system);
  expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false, rolcreaterole: false }]);
});
