import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';
import { addNamedVehicle, type Caller, callerOf, limit } from '../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../testing/stored-positions.ts';

/** [R6.03] A vehicle out of scope is answered everywhere like one that does not exist. */

let server: TestHttpServer;
let owner: SignedIn;
let call: Caller;
let mine: { readonly id: string; readonly imei: string };
let theirs: { readonly id: string; readonly imei: string };
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
  call = callerOf(server, owner);
  mine = await addNamedVehicle(server, owner.accountId, 'In sight');
  theirs = await addNamedVehicle(server, owner.accountId, 'Out of sight');
  for (const { id } of [mine, theirs]) {
    await storePositions(server, owner.accountId, Number(id), [receivedPosition(Date.now() - 60_000)]);
  }
});

const YESTERDAY = `from=${new Date(Date.now() - 86_400_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`;

/** Every call about a single vehicle. */
const ABOUT_ONE = [
  (id: string) => `/device/${id}`,
  (id: string) => `/device/${id}/day?${YESTERDAY}`,
  (id: string) => `/device/${id}/message`,
  (id: string) => `/position?deviceId=${id}&${YESTERDAY}`,
];

async function expectSight(as: Caller): Promise<void> {
  for (const path of ['/device', '/position/latest', '/device/export', '/folder']) {
    const { status, text } = await as('GET', path);
    if (status === 403) continue;
    expect([path, status]).toEqual([path, 200]);
    expect(text).toContain(mine.imei);
    expect(text).not.toContain(theirs.imei);
    expect(text).not.toContain('Out of sight');
  }
  for (const path of ABOUT_ONE) {
    expect((await as('GET', path(mine.id))).status).toBe(200);
    const hidden = await as('GET', path(theirs.id));
    const nothing = await as('GET', path('2000000000'));
    const words = ({ status, body }: { status: number; body: object }) => ({ status, ...body, instance: '' });
    expect(words(hidden)).toEqual(words(nothing));
    expect(hidden.status).toBe(404);
  }
}

async function inFolder(): Promise<string> {
  const { body } = await call('POST', '/folder', { name: 'Mine' });
  const { id } = body as { id: string };
  await call('PATCH', `/folder/assign/${id}`, { devices: [mine.id] });
  return id;
}

describe('[R6.03] a user limited to a folder', () => {
  it.each(['admin', 'dispatcher', 'viewer'] as const)('sees its vehicles and no others as %s', async role => {
    const someone = await signedIn(server, { accountId: owner.accountId, role });
    await limit(server.context, someone, { folders: [await inFolder()] });
    await expectSight(callerOf(server, someone));
  });

  it('sees nothing if the scope is empty', async () => {
    const someone = await signedIn(server, { accountId: owner.accountId, role: 'viewer' });
    await limit(server.context, someone, {});
    expect((await callerOf(server, someone)('GET', '/device')).body).toEqual([]);
  });

  it('changes, deletes and adds nothing outside it', async () => {
    const folder = await inFolder();
    const someone = await signedIn(server, { accountId: owner.accountId, role: 'admin' });
    await limit(server.context, someone, { folders: [folder] });
    const admin = callerOf(server, someone);
    const other = ((await call('POST', '/folder', { name: 'Other' })).body as { id: string }).id;
    const outside = (change: object) => admin('PATCH', `/device/${mine.id}`, change);
    expect((await admin('PATCH', `/device/${theirs.id}`, { deviceName: 'Stolen' })).status).toBe(404);
    expect((await admin('DELETE', `/device/${theirs.id}`)).status).toBe(404);
    expect((await admin('POST', `/device/${theirs.id}/key`)).status).toBe(404);
    expect((await admin('PATCH', '/device', { ids: [mine.id, theirs.id], change: { make: 'X' } })).status).toBe(404);
    for (const folderId of [other, null]) {
      expect(await outside({ folderId })).toMatchObject({ status: 400, body: { errors: [{ field: 'folderId' }] } });
    }
    const imei = '490154203237518';
    expect((await admin('POST', '/device', { imei, deviceName: 'New' })).status).toBe(400);
    expect((await admin('POST', '/device', { imei, deviceName: 'New', folderId: folder })).status).toBe(201);
    expect((await admin('POST', '/folder', { name: 'At the top' })).status).toBe(403);
    expect((await admin('DELETE', `/folder/${folder}`)).status).toBe(403);
  });
});

describe('[R6.03] a driver', () => {
  let driver: SignedIn;
  let driverId: string;
  beforeEach(async () => {
    driver = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
    const { body } = await call('POST', '/driver', { name: 'Ann', card: '04A1', userId: driver.userId });
    driverId = (body as { id: string }).id;
  });

  it('sees the vehicle while they are its usual driver', async () => {
    const as = callerOf(server, driver);
    expect((await as('GET', '/device')).body).toEqual([]);
    await call('PATCH', `/driver/${driverId}/vehicle`, { deviceId: mine.id });
    await expectSight(as);
    await call('PATCH', `/driver/${driverId}/vehicle`, { deviceId: null });
    expect((await as('GET', '/device')).body).toEqual([]);
  });

  it('sees the vehicle that has their card, and not the one that had it before', async () => {
    const as = callerOf(server, driver);
    const present = async (id: string, at: number) => {
      await storePositions(server, owner.accountId, Number(id), [receivedPosition(at, { rfid: '04A1' })]);
      server.organisation.driving.reported(owner.accountId, Number(id), null, '04A1');
    };
    await present(theirs.id, Date.now() - 50_000);
    await present(mine.id, Date.now() - 40_000);
    await expectSight(as);
  });

  it('sees where they drove themselves, and not where another drove the same vehicle', async () => {
    const as = callerOf(server, driver);
    await call('POST', '/driver', { name: 'Ben', card: '0BEEF' });
    await call('PATCH', `/driver/${driverId}/vehicle`, { deviceId: mine.id });
    const at = (minutes: number) => Date.now() - 3 * 3_600_000 + minutes * 60_000;
    await storePositions(server, owner.accountId, Number(mine.id), [
      receivedPosition(at(61), { rfid: '0BEEF', event: 'sos' }),
      receivedPosition(at(62), { rfid: 'FFFF', event: 'harshBraking' }),
      receivedPosition(at(63), { rfid: '04A1', event: 'overspeed' }),
      receivedPosition(at(64), { event: 'ignitionOff' }),
    ]);
    const events = async (path: string, who = as) =>
      ((await who('GET', path)).body as { eventType?: string | null; report?: { eventType: string | null } }[])
        .map(each => each.eventType ?? each.report?.eventType ?? null)
        .filter(event => event !== null);
    const until = new Date(at(90)).toISOString();
    const history = `/position?deviceId=${mine.id}&from=${new Date(at(0)).toISOString()}&to=${until}`;
    expect(await events(history)).toEqual(['harshBraking', 'overspeed', 'ignitionOff']);
    expect(await events(`/device/${mine.id}/message`)).toEqual(['ignitionOff', 'overspeed', 'harshBraking']);
    expect(await events(history, call)).toHaveLength(4);
    const day = `/device/${mine.id}/day?from=${new Date(at(0)).toISOString()}&to=${until}`;
    const fixes = async (who: Caller) => ((await who('GET', day)).body as { fixes: number }).fixes;
    expect((await fixes(call)) - (await fixes(as))).toBe(1);
  });

  it('sees no vehicle through a scope alone', async () => {
    await limit(server.context, driver, { folders: [await inFolder()] });
    expect((await callerOf(server, driver)('GET', '/device')).body).toEqual([]);
  });
});
