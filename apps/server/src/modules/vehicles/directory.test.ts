import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../context.ts';
import { testContext } from '../../testing/context.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { testImei } from '../../testing/imei.ts';
import { createAccount } from '../accounts/accounts.ts';
import { hashDeviceKey } from './device-key.ts';
import { type Directory, openDirectory } from './directory.ts';

let database: TestDatabase;
let context: Context;
let directory: Directory;
let accountId: number;

beforeAll(async () => {
  database = await testDatabase();
  context = testContext(database.databases);
  accountId = await createAccount(context.db, { name: 'A' });
  await insert(1, 'here from the start');
  directory = await openDirectory(context);
});
afterAll(() => database.close());

async function insert(n: number, name: string, key = 'key', trackerId: string | null = null): Promise<number> {
  const { id } = await context.db.system
    .insertInto('vehicle')
    .values({
      account_id: accountId,
      imei: testImei(n),
      tracker_id: trackerId,
      name,
      device_key_hash: hashDeviceKey(key),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const change = (vehicleId: number, n: number) =>
  context.signals.emit('vehicle-changed', { vehicleId, accountId, imei: testImei(n) });

it('knows every vehicle from the start', () => {
  expect(directory.findByImei(testImei(1))).toMatchObject({ accountId, name: 'here from the start', protocol: null });
  expect(directory.findByImei(testImei(2))).toBeNull();
});

it('follows what the signal tells, and opens nothing by an old key meanwhile', async () => {
  const id = await insert(2, 'new', 'first');
  change(id, 2);
  await directory.settled();
  expect(directory.verifyDeviceKey(testImei(2), 'first')).toBe(true);
  await context.db.system
    .updateTable('vehicle')
    .set({ device_key_hash: hashDeviceKey('second') })
    .where('id', '=', id)
    .execute();
  change(id, 2);
  expect(directory.verifyDeviceKey(testImei(2), 'first')).toBe(false);
  expect(directory.findByImei(testImei(2))?.id).toBe(id);
  await directory.settled();
  expect(directory.verifyDeviceKey(testImei(2), 'second')).toBe(true);
});

it('keeps up with an IMEI that moves from one vehicle to another', async () => {
  const [from, to] = [await insert(3, 'from'), await insert(4, 'to')];
  change(from, 3);
  change(to, 4);
  await directory.settled();
  await context.db.system.deleteFrom('vehicle').where('id', '=', from).execute();
  await context.db.system
    .updateTable('vehicle')
    .set({ imei: testImei(3) })
    .where('id', '=', to)
    .execute();
  change(to, 3);
  change(from, 3);
  await directory.settled();
  expect(directory.findByImei(testImei(3))?.id).toBe(to);
  expect(directory.findByImei(testImei(4))).toBeNull();
  expect(directory.findById(from)).toBeNull();
});

it('sees the last of many changes, though they come while it reads', async () => {
  const id = await insert(5, 'name 0');
  for (let i = 1; i <= 20; i++) {
    await context.db.system
      .updateTable('vehicle')
      .set({ name: `name ${i}` })
      .where('id', '=', id)
      .execute();
    change(id, 5);
  }
  await directory.settled();
  expect(directory.findById(id)?.name).toBe('name 20');
});

describe('by what a tracker calls itself', () => {
  it('finds an IMEI, its first fourteen digits, and the number of its own with and without zeros', async () => {
    const id = await insert(6, 'with a number', 'key', '13912345678');
    change(id, 6);
    await directory.settled();
    const imei = testImei(6);
    for (const identity of [imei, imei.slice(0, 14), '013912345678', '13912345678', '00000000013912345678']) {
      expect(directory.findByIdentity(identity)?.id, identity).toBe(id);
    }
    expect(directory.findByIdentity('3912345678')).toBeNull();
    expect(directory.findByImei('13912345678')).toBeNull();
  });

  it('follows a number that moves to another vehicle, and forgets one that is taken away', async () => {
    const [from, to] = [await insert(7, 'had it', 'key', '4109876543'), await insert(8, 'gets it')];
    change(from, 7);
    await directory.settled();
    await context.db.system.updateTable('vehicle').set({ tracker_id: null }).where('id', '=', from).execute();
    await context.db.system.updateTable('vehicle').set({ tracker_id: '4109876543' }).where('id', '=', to).execute();
    change(to, 8);
    change(from, 7);
    await directory.settled();
    expect(directory.findByIdentity('4109876543')?.id).toBe(to);
    await context.db.system.updateTable('vehicle').set({ tracker_id: null }).where('id', '=', to).execute();
    change(to, 8);
    await directory.settled();
    expect(directory.findByIdentity('4109876543')).toBeNull();
  });
});
