import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDebianPostgres, startDebianPostgres } from '../../testing/debian-postgres.ts';
import { makeScratchFolder, removeScratchFolder } from '../../testing/scratch.ts';
import { openDatabases } from './database.ts';
import { migrate } from './migrate.ts';
import { openDatabaseServer } from './open.ts';

const log = pino({ level: 'silent' });
const scratch = makeScratchFolder();
afterAll(() => removeScratchFolder(scratch));

const open = (databaseUrl: string, folder: string) =>
  openDatabaseServer({ databaseUrl, dataDir: join(scratch, folder) }, log);

it('says what to check when DATABASE_URL can’t be reached, and releases the folder', async () => {
  for (let times = 0; times < 2; times++) {
    await expect(open('postgresql://milepost@127.0.0.1:1/fleet', 'nowhere')).rejects.toThrow(
      /DATABASE_URL can’t be reached: .*ECONNREFUSED.* Check the address, the user and the password/,
    );
  }
});

it('says so when DATA_DIR can’t be a folder', async () => {
  writeFileSync(join(scratch, 'file'), '');
  for (const databaseUrl of [null, 'postgresql://milepost@127.0.0.1:1/fleet']) {
    const opening = openDatabaseServer({ databaseUrl, dataDir: join(scratch, 'file/below') }, log);
    await expect(opening).rejects.toThrow(/file\/below is not a folder.*set DATA_DIR to another/);
  }
});

const debian = findDebianPostgres();
if (!debian) console.warn('Skipped: DATABASE_URL with a PostgreSQL that is not ours, because this machine has none.');

describe.skipIf(!debian)('DATABASE_URL, a PostgreSQL that is not ours', () => {
  let server: { url: string; stop(): Promise<void> };
  beforeAll(async () => {
    server = await startDebianPostgres(debian!);
  });
  afterAll(() => server.stop());

  async function administer(...statements: string[]): Promise<void> {
    const client = new Client(server.url);
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  /** Migrates as this user and checks that accounts are isolated. */
  async function proveAccountsStayApart(url: string, folder: string): Promise<void> {
    const opened = await open(url, folder);
    const databases = openDatabases(opened.connection);
    expect(await migrate(databases.pool)).not.toEqual([]);
    expect(await migrate(databases.pool)).toEqual([]);
    const accounts = await databases.system
      .insertInto('account')
      .values([{ name: 'One' }, { name: 'Other' }])
      .returning('id')
      .execute();
    const seen = await databases.asAccount(accounts[0]!.id, trx => trx.selectFrom('account').select('name').execute());
    expect(seen).toEqual([{ name: 'One' }]);
    const { rows } = await sql<{ user: string }>`select current_user as user`.execute(databases.system);
    expect(rows[0]!.user).not.toBe('milepost_account');
    await databases.close();
    await opened.stop();
  }

  it('works as its superuser', () => proveAccountsStayApart(server.url, 'superuser'));

  it('works as a user who may create roles', async () => {
    await administer(
      'drop schema public cascade',
      'create schema public',
      'drop role milepost_account',
      'create role maker login createrole',
      'create database made owner maker',
    );
    const url = server.url.replace('milepost@', 'maker@').replace('/postgres', '/made');
    await proveAccountsStayApart(url, 'maker');
  });

  it('says what a user without those rights needs', async () => {
    await administer('create role poor login', 'create database poorly owner poor');
    const opened = await open(server.url.replace('milepost@', 'poor@').replace('/postgres', '/poorly'), 'poor');
    const databases = openDatabases(opened.connection);
    await expect(migrate(databases.pool)).rejects.toThrow(/CREATEROLE.*grant it to that user/);
    await databases.close();
    await opened.stop();
  });

  it('works as a user who may not, once an administrator has created and granted the role', async () => {
    await administer(
      'create role plain login',
      'create database plainly owner plain',
      'grant milepost_account to plain',
    );
    const url = server.url.replace('milepost@', 'plain@').replace('/postgres', '/plainly');
    await proveAccountsStayApart(url, 'plain');
  });

  it('allows only one server on a DATA_DIR, too', async () => {
    const opened = await open(server.url, 'claimed');
    await expect(open(server.url, 'claimed')).rejects.toThrow(/Another Milepost/);
    await opened.stop();
  });
});
