import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cardSchema,
  imeiSchema,
  newGeofenceSchema,
  newTaskSchema,
  phoneSchema,
  plateSchema,
  STEPS_FROM,
  vinSchema,
} from '@milepost/contract';
import { shapeProblem } from '@milepost/geo';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_CONFIG, testContext } from '../../../testing/context.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../testing/scratch.ts';
import { toFenceShape } from '../../watching/fence-shape.ts';
import { verifyPassword } from '../accounts/password.ts';
import { createSessions, type Sessions } from '../accounts/sessions.ts';
import { prepareDemo } from './demo.ts';
import { DEMO_FLEET } from './fleet.ts';
import { DEMO_DRIVERS, DEMO_FOLDERS, DEMO_SPARES } from './people.ts';
import { DEMO_TASKS } from './tasks.ts';
import { vinOf } from './vin.ts';

let database: TestDatabase;
const dataDir = makeScratchFolder();
let sessions: Sessions;
beforeAll(async () => {
  database = await testDatabase();
  sessions = createSessions(testContext(database.databases));
});
afterAll(async () => {
  await database.close();
  removeScratchFolder(dataDir);
});

const prepare = (mode: 'on' | 'public') =>
  prepareDemo(mode, { db: database.databases, config: { ...TEST_CONFIG, dataDir } }, sessions);
const users = () => database.databases.system.selectFrom('app_user').selectAll().execute();

it('has 40 vehicles with valid IMEIs and plates, none twice, over all four protocols', () => {
  expect(DEMO_FLEET).toHaveLength(40);
  for (const field of ['imei', 'name', 'plate'] as const) {
    expect(new Set(DEMO_FLEET.map(vehicle => vehicle[field])).size).toBe(40);
  }
  for (const { imei, plate } of DEMO_FLEET) {
    expect(imeiSchema.safeParse(imei).success).toBe(true);
    expect(plateSchema.safeParse(plate).success).toBe(true);
  }
  expect(Object.groupBy(DEMO_FLEET, ({ protocol }) => protocol)).toMatchObject({
    teltonika: { length: 20 },
    gt06: { length: 8 },
    osmand: { length: 6 },
    mqtt: { length: 6 },
  });
});

it('has 20 geofences in 5 groups, each a shape that the contract and the engine accept', async () => {
  await prepare('on');
  const { system } = database.databases;
  expect(await system.selectFrom('geofence_group').select('name').execute()).toHaveLength(5);
  const geofences = await system.selectFrom('geofence').selectAll().execute();
  expect(geofences).toHaveLength(20);
  for (const { name, shape } of geofences) {
    expect([name, newGeofenceSchema.safeParse({ name, shape }).error]).toEqual([name, undefined]);
    expect([name, shapeProblem(toFenceShape(shape))]).toEqual([name, null]);
  }
});

it('has tasks that the contract accepts, of drivers who exist, in steps that a driver can take, some late and some unanswered', async () => {
  await prepare('on');
  const { system } = database.databases;
  const tasks = await system.selectFrom('task').selectAll().execute();
  expect(tasks).toHaveLength(DEMO_TASKS.length);
  for (const { title, priority, stops, due_from, due_to, driver_id, vehicle_id, state, created_at } of tasks) {
    const sent = { title, priority, stops, dueFrom: due_from?.toISOString(), dueTo: due_to?.toISOString() };
    expect([title, newTaskSchema.safeParse(sent).error]).toEqual([title, undefined]);
    expect([title, driver_id === null, vehicle_id === null]).toEqual([title, state === 'open', state === 'open']);
    expect(created_at.getTime()).toBeLessThan(Date.now());
  }
  for (const { title, steps = [] } of DEMO_TASKS) {
    for (const [index, [state, minutesAgo]] of steps.entries()) {
      const [before, earlier] = steps[index - 1] ?? ['open', Number.POSITIVE_INFINITY];
      const allowed: readonly string[] = before === 'open' ? ['assigned'] : STEPS_FROM[before];
      expect([title, allowed.includes(state), earlier > minutesAgo]).toEqual([title, true, true]);
    }
  }
  const open = tasks.filter(({ over_at }) => over_at === null);
  expect(open.filter(({ due_to }) => (due_to?.getTime() ?? 0) < Date.now())).toHaveLength(1);
  expect(new Set(tasks.map(({ state }) => state))).toEqual(
    new Set(['open', 'assigned', 'seen', 'accepted', 'enroute', 'done', 'failed', 'declined']),
  );
});

it('has vehicle identification numbers whose check digit is right', () => {
  expect(new Set(DEMO_FLEET.map(({ vin }) => vin)).size).toBe(40);
  for (const { vin } of DEMO_FLEET) expect(vinSchema.safeParse(vin).success).toBe(true);
  // 8 + 49 + 42 + 10 + 16 + 21 + 18 + 70 + 36 + 72 + 63 + 2 = 407 = 37 · 11, by 49 CFR 565.15(c).
  expect(vinOf('Peterbilt', 2021, 1)).toBe('1XPBDP9X0MZ900001');
});

it('has 35 drivers in 4 departments, one for every vehicle but the spares, each with documents of their own, and 5 folders for every vehicle', async () => {
  await prepare('on');
  const { system } = database.databases;
  const drivers = await system.selectFrom('driver').selectAll().execute();
  expect(drivers).toHaveLength(35);
  expect(new Set(drivers.map(driver => driver.department_id)).size).toBe(4);
  expect(new Set(drivers.map(driver => driver.licence_number)).size).toBe(35);
  expect(drivers.filter(({ card }) => card === null)).toHaveLength(1);
  for (const { phone, card } of DEMO_DRIVERS) {
    expect(phoneSchema.parse(phone)).toBe(phone);
    if (card) expect(cardSchema.parse(card)).toBe(card);
  }
  const vehicles = await system.selectFrom('vehicle').select(['name', 'folder_id', 'usual_driver_id']).execute();
  expect(new Set(vehicles.map(vehicle => vehicle.folder_id)).size).toBe(DEMO_FOLDERS.length);
  expect(vehicles.filter(vehicle => vehicle.folder_id === null)).toEqual([]);
  const nobodys = vehicles.filter(vehicle => vehicle.usual_driver_id === null).map(({ name }) => name);
  expect(nobodys.sort()).toEqual([...DEMO_SPARES]);
  expect(new Set(vehicles.flatMap(vehicle => vehicle.usual_driver_id ?? [])).size).toBe(35);
});

it('[R2.04] has documents of vehicles and drivers, each a file, some that end soon and one that is overdue', async () => {
  await prepare('on');
  const documents = await database.databases.system.selectFrom('document').select(['file', 'expires_on']).execute();
  expect(documents).toHaveLength(2 * 40 + 35);
  const soon = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
  expect(documents.filter(({ expires_on }) => (expires_on ?? '') <= soon).length).toBeGreaterThan(5);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  expect(documents.filter(({ expires_on }) => (expires_on ?? '') < yesterday)).toHaveLength(1);
  const [document] = documents;
  const content = readFileSync(join(dataDir, 'documents', document?.file ?? ''), 'latin1');
  expect(content).toMatch(/^%PDF-1\.4\n[\s\S]*%%EOF\n$/);
  // The cross-reference table stands where the trailer says, and names the first object's place.
  const start = Number(/startxref\n(\d+)/.exec(content)?.[1]);
  expect(content.slice(start, start + 4)).toBe('xref');
  const first = Number(content.slice(start).split('\n')[3]?.slice(0, 10));
  expect(content.slice(first, first + 7)).toBe('1 0 obj');
});

it('makes the account once; its owner signs in with the printed password; the simulator’s token works', async () => {
  const first = await prepare('on');
  const second = await prepare('on');
  const [owner, ...others] = (await users()).toSorted((a, b) => a.user_name.length - b.user_name.length);
  expect(owner).toMatchObject({ user_name: 'demo', role: 'owner' });
  expect(others.map(({ role }) => role).sort()).toEqual(['admin', 'dispatcher', 'dispatcher', 'driver', 'viewer']);
  for (const { password_hash } of others) expect(password_hash).toBe(owner?.password_hash);
  const driver = others.find(({ role }) => role === 'driver');
  const { system } = database.databases;
  expect(await system.selectFrom('driver').select('name').where('user_id', '=', driver!.id).execute()).toEqual([
    { name: driver!.display_name },
  ]);
  expect(await verifyPassword(owner!.password_hash, 'demo-fleet')).toBe(true);
  expect(first.signIn).toMatchObject({ userName: 'demo', password: 'demo-fleet' });
  expect(first.signIn?.others.toSorted()).toEqual(others.map(({ user_name }) => user_name).sort());
  expect(await sessions.findByToken(second.simulatorToken)).toMatchObject({ userName: 'demo', readOnly: false });
  expect(await sessions.findByToken(first.simulatorToken)).toBeNull();
  await sessions.endOfUser(owner!.id, { sessionId: '0191e7a0-0000-4000-8000-000000000000' });
  expect(await sessions.findByToken(second.simulatorToken)).toMatchObject({ kind: 'api-token' });
  const { count } = await database.databases.system
    .selectFrom('vehicle')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(40);
});

it('has no password, and ends everybody’s sessions, when it is public', async () => {
  await prepare('on');
  const before = await users();
  const left = await Promise.all(before.map(user => sessions.open({ accountId: user.account_id, userId: user.id })));
  const { signIn, simulatorToken } = await prepare('public');
  expect(signIn).toBeNull();
  expect(new Set((await users()).map(({ password_hash }) => password_hash))).toEqual(new Set([null]));
  for (const { token } of left) expect(await sessions.findByToken(token)).toBeNull();
  expect(await sessions.findByToken(simulatorToken)).toMatchObject({ kind: 'api-token' });
});

it('has a control password on a loopback address, the same again after someone set another, and none when public', async () => {
  const hashes = () => database.databases.system.selectFrom('control_password').select(['hash', 'set_by']).execute();
  await prepare('on');
  await database.databases.system.updateTable('control_password').set({ hash: 'another' }).execute();
  await prepare('on');
  const [row, ...more] = await hashes();
  expect(more).toEqual([]);
  expect(await verifyPassword(row!.hash, 'demo-control')).toBe(true);
  expect((await users()).find(({ id }) => id === row!.set_by)?.user_name).toBe('demo');
  await prepare('public');
  expect(await hashes()).toEqual([]);
});
