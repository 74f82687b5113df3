import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { createAccount, createUser } from '../accounts/accounts.ts';
import { createLedger, type Ledger, type Looker } from './ledger.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.parse('2026-11-02T08:00:00Z');

let database: TestDatabase;
let ledger: Ledger;
let accountId: number;
let ann: Looker;
let driverId: number;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await ledger.stop();
  await database.close();
});
beforeEach(async () => {
  const { databases } = database;
  await ledger?.stop();
  ledger = createLedger({ db: databases, log: pino({ level: 'silent' }) });
  accountId = await createAccount(databases, { name: 'Ledger' });
  const userId = await createUser(databases, {
    accountId,
    userName: `ann-${accountId}`,
    role: 'owner',
    password: null,
  });
  ann = { accountId, userId, via: 'session' };
  driverId = await newDriver('Dana');
});

async function newDriver(name: string): Promise<number> {
  const row = await database.databases.system
    .insertInto('driver')
    .values({ account_id: accountId, name })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

const live = () => [{ driverId, kind: 'map' as const, period: null }];
const replay = (fromMs: number, toMs: number) => [{ driverId, kind: 'replay' as const, period: { fromMs, toMs } }];

async function rows() {
  await ledger.settled();
  return database.databases.system
    .selectFrom('look')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('began_at')
    .execute();
}

describe('the privacy ledger', () => {
  it('[N8] makes one entry of a look that goes on, whatever its calls, and another after a pause', async () => {
    for (let at = NOW; at <= NOW + HOUR; at += 15_000) ledger.note(ann, live(), at);
    ledger.note(ann, live(), NOW + HOUR + 16 * MINUTE);
    const spans = (await rows()).map(({ began_at, until_at }) => [+began_at - NOW, +until_at - NOW]);
    expect(spans).toEqual([
      [0, HOUR],
      [HOUR + 16 * MINUTE, HOUR + 16 * MINUTE],
    ]);
  });

  it('[N8] gives a screen that is never turned off an entry a day', async () => {
    for (let at = NOW; at <= NOW + 50 * HOUR; at += 10 * MINUTE) ledger.note(ann, live(), at);
    expect((await rows()).map(({ began_at }) => (+began_at - NOW) / HOUR)).toEqual([0, 24, 48]);
  });

  it('[N8] joins what was looked at only where the times meet', async () => {
    await ledger.record(ann, replay(NOW - 5 * HOUR, NOW - 4 * HOUR), NOW);
    await ledger.record(ann, replay(NOW - 4 * HOUR, NOW - 2 * HOUR), NOW + MINUTE);
    await ledger.record(ann, replay(NOW - 90 * HOUR, NOW - 80 * HOUR), NOW + 2 * MINUTE);
    const periods = (await rows()).map(({ period_from, period_to }) =>
      [period_from, period_to].map(at => at && +at - NOW),
    );
    expect(periods).toEqual([
      [-5 * HOUR, -2 * HOUR],
      [-90 * HOUR, -80 * HOUR],
    ]);
  });

  it('[N8] keeps viewers, links and ways apart, and the name that a viewer had', async () => {
    ledger.note(ann, live(), NOW);
    ledger.note({ ...ann, via: 'api-token' }, live(), NOW);
    for (const id of [1, 2]) ledger.note({ ...ann, via: 'share', link: { id, name: `Link ${id}` } }, live(), NOW);
    expect(
      (await rows()).map(({ via, link_name, user_name }) => `${via} ${link_name} ${user_name}`).toSorted(),
    ).toEqual([
      `api-token null ann-${accountId}`,
      `session null ann-${accountId}`,
      `share Link 1 ann-${accountId}`,
      `share Link 2 ann-${accountId}`,
    ]);
  });

  it('[N8] has an entry in the database before what was looked at is sent', async () => {
    await ledger.record(ann, replay(NOW, NOW + HOUR), NOW);
    const { system } = database.databases;
    const found = await system.selectFrom('look').select('id').where('account_id', '=', accountId).execute();
    expect(found).toHaveLength(1);
  });

  it('[N8] goes on without the entries of a driver who was deleted meanwhile', async () => {
    const gone = await newDriver('Gone');
    await database.databases.system.deleteFrom('driver').where('id', '=', gone).execute();
    ledger.note(ann, [{ driverId: gone, kind: 'map', period: null }, ...live()], NOW);
    expect((await rows()).map(({ driver_id }) => driver_id)).toEqual([driverId]);
  });

  it('[N8] leaves out an entry that the database refuses, and writes the others', async () => {
    ledger.note(ann, [{ driverId, kind: 'replay', period: { fromMs: NOW + HOUR, toMs: NOW } }, ...live()], NOW);
    expect((await rows()).map(({ kind }) => kind)).toEqual(['map']);
    await ledger.record(ann, replay(NOW, NOW + HOUR), NOW);
    expect((await rows()).map(({ kind }) => kind).toSorted()).toEqual(['map', 'replay']);
  });

  it('[N8] writes again what could not be written', async () => {
    let isDown = true;
    const failing = {
      ...database.databases,
      get system() {
        if (isDown) throw new Error('The database is down.');
        return database.databases.system;
      },
    };
    await ledger.stop();
    ledger = createLedger({ db: failing, log: pino({ level: 'silent' }) });
    await expect(ledger.record(ann, replay(NOW, NOW + HOUR), NOW)).rejects.toThrow('down');
    isDown = false;
    expect(await rows()).toHaveLength(1);
  });
});

describe('the table', () => {
  const entry = async () => {
    await ledger.record(ann, live(), Date.now());
    const [row] = await rows();
    if (!row) throw new Error('There is no entry.');
    return row;
  };

  it.each([
    ['another viewer', { user_name: 'Nobody' }],
    ['another driver', { driver_id: 1 }],
    ['an earlier end', { until_at: new Date(NOW - 1) }],
    ['a later begin', { began_at: new Date(NOW + 1) }],
    ['another kind', { kind: 'alerts' }],
  ])('[N8] refuses %s, even to its owner', async (_, change) => {
    const { id } = await entry();
    const { system } = database.databases;
    await expect(system.updateTable('look').set(change).where('id', '=', id).execute()).rejects.toThrow(
      'only added to',
    );
  });

  it('[N8] refuses to delete a young entry, and lets an old one and those of a deleted driver go', async () => {
    const { system } = database.databases;
    const { id } = await entry();
    const remove = () => system.deleteFrom('look').where('account_id', '=', accountId).execute();
    await expect(remove()).rejects.toThrow('only added to');
    await system.deleteFrom('driver').where('id', '=', driverId).execute();
    expect(await system.selectFrom('look').select('id').where('id', '=', id).execute()).toEqual([]);
    driverId = await newDriver('Old');
    ledger.note(ann, live(), Date.now() - 31 * 24 * HOUR);
    expect(await rows()).toHaveLength(1);
    await remove();
    expect(await rows()).toEqual([]);
  });

  it('[N8] is read by requests of its account, and written by none', async () => {
    await entry();
    const { databases } = database;
    const other = await createAccount(databases, { name: 'Other' });
    const readAs = (id: number) => databases.asAccount(id, trx => trx.selectFrom('look').select('id').execute());
    expect([(await readAs(accountId)).length, (await readAs(other)).length]).toEqual([1, 0]);
    for (const work of [
      databases.asAccount(accountId, trx => trx.updateTable('look').set({ until_at: new Date() }).execute()),
      databases.asAccount(accountId, trx => trx.deleteFrom('look').execute()),
    ]) {
      await expect(work).rejects.toThrow('permission denied');
    }
  });
});
