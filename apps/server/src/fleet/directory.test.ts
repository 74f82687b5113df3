import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testContext } from '../../testing/context.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { testImei } from '../../testing/imei.ts';
import type { Context } from '../context.ts';
import { createAccount } from '../modules/accounts/accounts.ts';
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

it('has every vehicle from the start', () => {
  expect(directory.findByImei(testImei(1))).toMatchObject({ accountId, name: 'here from the start', protocol: null });
  expect(directory.findByImei(testImei(2))).toBeNull();
});

it('follows commits, and refuses an old key once it knows of a new one', async () => {
  const id = await insert(2, 'new', 'first');
  await context.feed.settled();
  expect(directory.verifyDeviceKey(testImei(2), 'first')).toBe(true);
  await context.db.system
    .updateTable('vehicle')
    .set({ device_key_hash: hashDeviceKey('second') })
    .where('id', '=', id)
    .execute();
  // When the change arrives, before the entry is read again.
  const meanwhile: [boolean, number | undefined][] = [];
  const unfollow = context.feed.follow('memory', () => {
    meanwhile.push([directory.verifyDeviceKey(testImei(2), 'first'), directory.findByImei(testImei(2))?.id]);
  });
  await context.feed.settled();
  unfollow();
  expect(meanwhile).toEqual([[false, id]]);
  expect(directory.verifyDeviceKey(testImei(2), 'first')).toBe(false);
  expect(directory.verifyDeviceKey(testImei(2), 'second')).toBe(true);
});

it('signals changes that affect the tracker apart from changes of folder or driver', async () => {
  const heard: unknown[] = [];
  const offs = [
    context.signals.on('vehicle-changed', ({ vehicleId, imei }) => heard.push(['changed', vehicleId, imei])),
    context.signals.on('vehicles-arranged', ({ vehicleIds }) => heard.push(['arranged', ...vehicleIds])),
  ];
  const { system } = context.db;
  const id = await insert(20, 'told');
  await context.feed.settled();
  expect(heard.splice(0)).toEqual([
    ['changed', id, testImei(20)],
    ['arranged', id],
  ]);
  const folder = { account_id: accountId, name: 'North' };
  const { id: folderId } = await system.insertInto('folder').values(folder).returning('id').executeTakeFirstOrThrow();
  await system.updateTable('vehicle').set({ folder_id: folderId }).where('id', '=', id).execute();
  await context.feed.settled();
  expect(heard.splice(0)).toEqual([['arranged', id]]);
  await system
    .updateTable('vehicle')
    .set({ imei: testImei(21) })
    .where('id', '=', id)
    .execute();
  await context.feed.settled();
  expect(heard.splice(0)).toEqual([
    ['changed', id, testImei(20)],
    ['changed', id, testImei(21)],
  ]);
  await system.updateTable('vehicle').set({ plate: 'NOBODY ASKS' }).where('id', '=', id).execute();
  await context.feed.settled();
  expect(heard).toEqual([]);
  for (const off of offs) off();
});

it('keeps up with an IMEI that moves from one vehicle to another', async () => {
  const [from, to] = [await insert(3, 'from'), await insert(4, 'to')];
  await context.feed.settled();
  await context.db.system.deleteFrom('vehicle').where('id', '=', from).execute();
  await context.db.system
    .updateTable('vehicle')
    .set({ imei: testImei(3) })
    .where('id', '=', to)
    .execute();
  await context.feed.settled();
  expect(directory.findByImei(testImei(3))?.id).toBe(to);
  expect(directory.findByImei(testImei(4))).toBeNull();
  expect(directory.findById(from)).toBeNull();
});

it('has the last of many changes, even if they come while it reads', async () => {
  const id = await insert(5, 'name 0');
  for (let i = 1; i <= 20; i++) {
    await context.db.system
      .updateTable('vehicle')
      .set({ name: `name ${i}` })
      .where('id', '=', id)
      .execute();
    void context.feed.settled();
  }
  await context.feed.settled();
  expect(directory.findById(id)?.name).toBe('name 20');
});

describe('by a tracker’s identity', () => {
  it('finds an IMEI, its first fourteen digits, and the tracker’s own ID with and without zeros', async () => {
    const id = await insert(6, 'with a number', 'key', '13912345678');
    await context.feed.settled();
    const imei = testImei(6);
    for (const identity of [imei, imei.slice(0, 14), '013912345678', '13912345678', '00000000013912345678']) {
      expect(directory.findByIdentity(identity)?.id, identity).toBe(id);
    }
    expect(directory.findByIdentity('3912345678')).toBeNull();
    expect(directory.findByImei('13912345678')).toBeNull();
  });

  it('follows an ID that moves to another vehicle, and drops one that is removed', async () => {
    const [from, to] = [await insert(7, 'had it', 'key', '4109876543'), await insert(8, 'gets it')];
    await context.feed.settled();
    await context.db.system.updateTable('vehicle').set({ tracker_id: null }).where('id', '=', from).execute();
    await context.db.system.updateTable('vehicle').set({ tracker_id: '4109876543' }).where('id', '=', to).execute();
    await context.feed.settled();
    expect(directory.findByIdentity('4109876543')?.id).toBe(to);
    await context.db.system.updateTable('vehicle').set({ tracker_id: null }).where('id', '=', to).execute();
    await context.feed.settled();
    expect(directory.findByIdentity('4109876543')).toBeNull();
  });
});
