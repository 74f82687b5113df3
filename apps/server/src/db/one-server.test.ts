import { Client } from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { claimDatabase, type DatabaseClaim, SERVER_LOCK } from './one-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const claims: DatabaseClaim[] = [];
let taken = 0;
async function claim(waitMs = 0, isShared = false): Promise<DatabaseClaim> {
  const claimed = await claimDatabase(database.connection, {
    log: pino({ level: 'silent' }),
    waitMs,
    isShared,
    onTaken: () => taken++,
  });
  claims.push(claimed);
  return claimed;
}
afterEach(async () => {
  for (const claimed of claims.splice(0)) await claimed.release();
  taken = 0;
});

const HOLDERS = `from pg_locks join pg_database on pg_database.oid = pg_locks.database
  where locktype = 'advisory' and granted and objid = ${SERVER_LOCK} and datname = current_database()`;

/** Ends the session that holds the lock, as a broken network would, and returns its pid. */
async function cutOff(): Promise<number> {
  const { rows } = await database.databases.pool.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) ${HOLDERS}`,
  );
  expect(rows).toHaveLength(1);
  return rows[0]!.pid;
}

it('refuses a second server with a clear error until the first has stopped', async () => {
  const first = await claim();
  await expect(claim()).rejects.toThrow(
    'Another Milepost server is running on this database. Stop it first, or set NATS_URL on all of them so that they share it.',
  );
  const second = claim(20_000);
  await first.release();
  await second;
  await expect(claim()).rejects.toThrow('Another Milepost server');
});

it('claims the database again if only its connection was lost', async () => {
  await claim();
  const before = await cutOff();
  await expect
    .poll(
      async () =>
        (await database.databases.pool.query<{ pid: number }>(`select pid ${HOLDERS}`)).rows[0]?.pid ?? before,
    )
    .not.toBe(before);
  await expect(claim()).rejects.toThrow('Another Milepost server');
  expect(taken).toBe(0);
});

it('stops its server once another one has claimed the database', async () => {
  await claim();
  const other = new Client(database.url);
  await other.connect();
  const waiting = other.query('select pg_advisory_lock($1)', [SERVER_LOCK]);
  await expect
    .poll(async () => {
      const { rows } = await database.databases.pool.query('select from pg_locks where objid = $1 and not granted', [
        SERVER_LOCK,
      ]);
      return rows.length;
    })
    .toBe(1);
  await cutOff();
  await waiting;
  await expect.poll(() => taken).toBe(1);
  await other.end();
});

it('lets servers that share a bus share the database, and neither kind start beside the other', async () => {
  const [one, two] = [await claim(0, true), await claim(0, true)];
  await expect(claim()).rejects.toThrow('Another Milepost server');
  await one.release();
  await expect(claim()).rejects.toThrow('Another Milepost server');
  await two.release();
  const alone = await claim(20_000);
  await expect(claim(0, true)).rejects.toThrow('Another Milepost server');
  await alone.release();
});

it('keeps other servers off while one of several changes the database, if none is there', async () => {
  const [one, two] = [await claim(0, true), await claim(0, true)];
  expect(await one.takeAlone()).toBe(false);
  await two.release();
  await expect.poll(() => one.takeAlone()).toBe(true);
  await expect(claim(0, true)).rejects.toThrow('Another Milepost server');
  await one.share();
  await claim(20_000, true);
  expect(await one.takeAlone()).toBe(false);
});
