import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { testImei } from '../../testing/imei.ts';
import { createAccount } from '../modules/accounts/accounts.ts';
import { learnProtocols } from './learned-protocols.ts';

/** A busy machine is slow, not wrong. */
const PATIENCE = { timeout: 30_000 };

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

async function vehicles(count: number): Promise<{ id: number; protocol: null }[]> {
  const db = database.databases;
  const accountId = await createAccount(db, { name: 'Fleet', operator: true });
  const rows = Array.from({ length: count }, (_, n) => ({
    account_id: accountId,
    imei: testImei(n),
    name: `Unit ${n}`,
    device_key_hash: Buffer.alloc(32),
  }));
  const added = await db.system.insertInto('vehicle').values(rows).returning('id').execute();
  return added.map(({ id }) => ({ id, protocol: null }));
}
const saved = async () =>
  (await database.databases.system.selectFrom('vehicle').select('protocol').orderBy('id').execute()).map(
    ({ protocol }) => protocol,
  );
const learner = () => {
  const settled = vi.fn(async () => {});
  const query = vi.spyOn(database.databases.pool, 'query');
  const context = { db: database.databases, feed: { settled } } as unknown as Parameters<typeof learnProtocols>[0];
  return { protocols: learnProtocols(context, pino({ level: 'silent' })), query, settled };
};

it('saves a fleet that is switched on together, and not a statement for each vehicle', async () => {
  const fleet = await vehicles(300);
  const { protocols, query, settled } = learner();
  for (const vehicle of fleet) protocols.learn(vehicle, 'teltonika');
  expect(fleet.every(vehicle => protocols.of(vehicle) === 'teltonika')).toBe(true);
  await vi.waitFor(() => expect(settled).toHaveBeenCalledTimes(2), PATIENCE);
  expect(await saved()).toEqual(Array(300).fill('teltonika'));
  expect(query).toHaveBeenCalledTimes(2);
});

it('keeps the first that was said, and what the owner has said', async () => {
  const [one, other] = (await vehicles(2)) as [{ id: number; protocol: null }, { id: number; protocol: null }];
  await database.databases.system.updateTable('vehicle').set({ protocol: 'gt06' }).where('id', '=', other.id).execute();
  const { protocols, settled } = learner();
  protocols.learn(one, 'osmand');
  protocols.learn(one, 'teltonika');
  protocols.learn(other, 'teltonika');
  protocols.learn({ id: other.id, protocol: 'gt06' }, 'teltonika');
  expect(protocols.of(one)).toBe('osmand');
  await vi.waitFor(() => expect(settled).toHaveBeenCalled(), PATIENCE);
  // The entry is read again and says it.
  await vi.waitFor(() => expect(protocols.of(other)).toBeNull(), PATIENCE);
  expect(await saved()).toEqual(['osmand', 'gt06']);
});

it('waits for nobody who changes a vehicle, and learns it from the next report', async () => {
  const [vehicle] = (await vehicles(1)) as [{ id: number; protocol: null }];
  const { protocols } = learner();
  await database.databases.system.transaction().execute(async trx => {
    await trx.updateTable('vehicle').set({ name: 'Another' }).where('id', '=', vehicle.id).execute();
    protocols.learn(vehicle, 'gt06');
    await vi.waitFor(() => expect(protocols.of(vehicle)).toBeNull(), PATIENCE);
  });
  expect(await saved()).toEqual([null]);
  protocols.learn(vehicle, 'gt06');
  await vi.waitFor(async () => expect(await saved()).toEqual(['gt06']), PATIENCE);
});
