import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { createAccount } from '../modules/accounts/accounts.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('one license once: drivers who had one already, written otherwise, stay, and nobody else gets it', async () => {
  const { system } = database.databases;
  const account_id = await createAccount(database.databases, { name: 'Rockfish' });
  const hired = (name: string, licence_number: string | null, licence_region: string | null, archived = false) =>
    system
      .insertInto('driver')
      .values({ account_id, name, licence_number, licence_region, archived })
      .returning('id')
      .executeTakeFirstOrThrow();
  await sql`drop index driver_licence_once`.execute(system);
  await sql`drop function licence_key`.execute(system);
  await hired('Left', 'R234 5678', 'IL', true);
  const ann = await hired('Ann', 'R234-5678', 'IL');
  const double = await hired('Double', 'r2345678', 'il');
  for (const name of ['Ben', 'Cal']) await hired(name, null, 'IL');
  await database.databases.pool.query(
    readFileSync(join(import.meta.dirname, 'migrations', '0390_licence_once.sql'), 'utf8'),
  );
  await expect(hired('Eve', 'R.2345678', 'IL')).rejects.toThrow('driver_licence_once');
  await hired('Dee', 'R2345678', 'WI');
  // Whoever was there goes on, and the first of those who still drive is the one who counts.
  const rename = (id: number) => system.updateTable('driver').set({ name: 'Renamed' }).where('id', '=', id).execute();
  await rename(double.id);
  await rename(ann.id);
  await system.deleteFrom('driver').where('id', '=', ann.id).execute();
  await hired('Eve', 'R.2345678', 'IL');
});
