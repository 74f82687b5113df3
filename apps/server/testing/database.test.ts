import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from './database.ts';

let one: TestDatabase;
let other: TestDatabase;

beforeAll(async () => {
  [one, other] = await Promise.all([testDatabase(), testDatabase()]);
});
afterAll(async () => {
  await Promise.all([one.close(), other.close()]);
});

it('gives each test file a migrated database of its own', async () => {
  await one.databases.system.insertInto('account').values({ name: 'Only in the first' }).execute();
  const names = await other.databases.system.selectFrom('account').select('name').execute();
  expect(names).toEqual([]);
});

it('runs the product’s own database: PostgreSQL 18, UTF-8, data checksums', async () => {
  const { rows } = await sql<Record<string, string>>`select
    current_setting('server_version_num')::int / 10000 as version,
    current_setting('server_encoding') as encoding,
    current_setting('data_checksums') as checksums,
    current_setting('listen_addresses') as addresses`.execute(one.databases.system);
  expect(rows).toEqual([{ version: 18, encoding: 'UTF8', checksums: 'on', addresses: '127.0.0.1' }]);
});
