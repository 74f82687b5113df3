import type { Alert, Overview, Permission, Role, TrackerProtocol, User } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, limit } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { believedCard } from '../../tracks/driver-card.ts';

/** [R6.03] Attempts to see or change more than one's scope, by a driver, a dispatcher and an admin of a part. */

let server: TestHttpServer;
let owner: Person;
let north: Part;
let south: Part;

interface Part {
  readonly folder: string;
  readonly department: string;
  readonly vehicle: { readonly id: string; readonly imei: string };
  /** Has the card `card`, and no vehicle yet. */
  readonly driver: string;
  readonly card: string;
}

beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await person(server);
  [north, south] = [await part('North'), await part('South')];
});

const idOf = ({ body }: { readonly body: unknown }): string => (body as { id: string }).id;
const OUT_OF_SCOPE = { status: 403, body: { code: 'out-of-scope' } };
const NOT_FOUND = { status: 404, body: { code: 'not-found' } };
const NOT_ALLOWED = { status: 403, body: { code: 'not-allowed' } };

async function part(name: string): Promise<Part> {
  const folder = idOf(await owner.call('POST', 'folder', { name }));
  const department = idOf(await owner.call('POST', 'department', { name }));
  const vehicle = await addNamedVehicle(server, owner.accountId, `Vehicle ${name}`);
  await owner.call('PATCH', `folder/assign/${folder}`, { devices: [vehicle.id] });
  const card = name === 'North' ? '0A01' : '0A02';
  const driver = idOf(await owner.call('POST', 'driver', { name: `Driver ${name}`, departmentId: department, card }));
  return { folder, department, vehicle, driver, card };
}

/** Gets a custom role if permissions are given. Limited to North, except drivers and when the scope is null. */
async function someone(role: Role, permissions?: readonly Permission[], scope: Part | null = north): Promise<Person> {
  const who = await person(server, { accountId: owner.accountId, role });
  if (permissions) {
    const made = await owner.call('POST', 'role', { name: `Of ${who.userName}`, basedOn: role, permissions });
    const answer = await owner.call('PATCH', `update_my_user/${who.userId}`, { role, customRoleId: idOf(made) });
    expect(answer.status).toBe(200);
  }
  if (scope) await limit(server.context, who, { folders: [scope.folder], departments: [scope.department] });
  return who;
}
const scopeOf = ({ department, folder }: Part) => ({
  folderIds: [Number(folder)],
  departmentIds: [Number(department)],
});
const customRoleOf = async ({ userId }: Person): Promise<string> => {
  const users = (await owner.call('GET', 'read_my_users')).body as User[];
  return users.find(({ id }) => id === userId)?.customRole?.id ?? '';
};

/** The card is either read by a vehicle's reader, or named in data that anyone could send. */
async function report(
  vehicleId: string,
  rfid: string | null,
  protocol: TrackerProtocol = 'teltonika',
  at = Date.now() - 1000,
) {
  const before = server.live.latestOf(Number(vehicleId)).newest;
  await storePositions(server, owner.accountId, Number(vehicleId), [receivedPosition(at, { rfid, protocol })]);
  const after = server.live.latestOf(Number(vehicleId)).newest;
  server.organisation.driving.reported(owner.accountId, Number(vehicleId), believedCard(before), believedCard(after));
}
const drives = (driver: string, deviceId: string | null) =>
  owner.call('PATCH', `driver/${driver}/vehicle`, { deviceId });
const seen = async (who: Person) =>
  ((await who.call('GET', 'device')).body as { deviceName: string }[]).map(({ deviceName }) => deviceName).sort();

describe('an admin of a part', () => {
  it('can’t change roles, which users without limits hold, too', async () => {
    const clerk = await someone('viewer', ['vehicles.read'], null);
    const admin = await someone('admin');
    const role = await customRoleOf(clerk);
    const more = { permissions: ['vehicles.read', 'vehicles.write', 'users.write'] };
    expect(await admin.call('PATCH', `role/${role}`, more)).toMatchObject(NOT_ALLOWED);
    expect(await admin.call('DELETE', `role/${role}`)).toMatchObject(NOT_ALLOWED);
    expect(await admin.call('POST', 'role', { name: 'X', basedOn: 'viewer', ...more })).toMatchObject(NOT_ALLOWED);
    expect((await clerk.call('DELETE', `device/${south.vehicle.id}`)).status).toBe(403);
  });

  it.each([
    ['GET', 'audit'],
    ['GET', 'audit/export'],
    ['GET', 'settings/changes'],
    ['PATCH', 'settings', { keepPositionsDays: 30 }],
    ['GET', 'security_policy'],
    ['PATCH', 'security_policy', { secondFactor: 'everybody' }],
    ['GET', 'data/export'],
    ['POST', 'data/export', {}],
    ['GET', 'data/import'],
    ['GET', 'unknown_tracker'],
    ['PATCH', 'control_pass', { password: 'x', controlPassword: 'y' }],
  ])('has nothing that concerns the whole account: %s %s', async (method, path, body?: object) => {
    const admin = await someone('admin');
    const answer = await admin.call(method, path, body);
    // A mistyped path would be a 404.
    expect([path, answer.status]).toEqual([path, 403]);
  });

  it('can’t see or change users outside it', async () => {
    const outsiders = [owner, await someone('viewer', undefined, south), await someone('viewer', undefined, null)];
    const colleague = await someone('viewer');
    const admin = await someone('admin');
    const listed = ((await admin.call('GET', 'read_my_users')).body as User[]).map(({ id }) => id);
    expect(listed).toEqual([colleague.userId]);
    for (const { userId } of outsiders) {
      for (const [method, path, body] of [
        ['PATCH', `update_my_user/${userId}`, { displayName: 'X' }],
        ['PATCH', `update_my_user/${userId}`, { password: 'another sentence nobody guesses' }],
        ['GET', `read_my_user_dependents/${userId}`],
        ['DELETE', `delete_my_user/${userId}`],
        ['POST', `sign_out_my_user/${userId}`],
        ['POST', `invite_my_user/${userId}`],
        ['POST', `reset_second_factor_of_my_user/${userId}`],
      ] as const) {
        expect([path, await admin.call(method, path, body)]).toMatchObject([path, NOT_FOUND]);
      }
    }
    const roles = (await admin.call('GET', 'role')).body as { id: string; users: number }[];
    expect(roles.map(({ id, users }) => [id, users])).toEqual([
      ['owner', 0],
      ['admin', 1],
      ['dispatcher', 0],
      ['viewer', 1],
      ['driver', 0],
    ]);
  });

  it('can’t take over a driver’s user to see their vehicle', async () => {
    const user = await someone('driver');
    await owner.call('PATCH', `driver/${south.driver}`, { userId: user.userId });
    const admin = await someone('admin');
    const password = { password: 'another sentence nobody guesses' };
    expect(await admin.call('PATCH', `update_my_user/${user.userId}`, password)).toMatchObject(NOT_FOUND);
    await owner.call('PATCH', `driver/${south.driver}`, { userId: null });
    expect((await admin.call('PATCH', `update_my_user/${user.userId}`, password)).status).toBe(200);
  });

  it('can’t make a user out of scope a driver', async () => {
    const [admin, colleague] = [await someone('admin'), await someone('viewer')];
    const link = (userId: string) => admin.call('PATCH', `driver/${north.driver}`, { userId });
    expect(await link(owner.userId)).toMatchObject(NOT_FOUND);
    expect((await link(colleague.userId)).status).toBe(200);
  });

  it('can’t move or delete the top folder of their scope, and keeps seeing vehicles of a deleted subfolder', async () => {
    const region = idOf(await owner.call('POST', 'folder', { name: 'Region' }));
    await owner.call('PATCH', `folder/${north.folder}`, { parentId: region });
    const inside = idOf(await owner.call('POST', 'folder', { name: 'Yard', parentId: north.folder }));
    await owner.call('PATCH', `folder/assign/${inside}`, { devices: [north.vehicle.id] });
    const admin = await someone('admin');
    for (const parentId of [null, inside]) {
      expect(await admin.call('PATCH', `folder/${north.folder}`, { parentId })).toMatchObject(OUT_OF_SCOPE);
    }
    expect(await admin.call('DELETE', `folder/${north.folder}`)).toMatchObject(OUT_OF_SCOPE);
    // A field sent unchanged by a form is not a move.
    expect((await admin.call('PATCH', `folder/${north.folder}`, { name: 'N', parentId: region })).status).toBe(200);
    expect((await admin.call('DELETE', `folder/${inside}`)).body).toMatchObject({ released: 0 });
    expect(await seen(admin)).toEqual(['Vehicle North']);
  });

  it('imports vehicles only into their own folders, and learns of no others', async () => {
    const admin = await someone('admin');
    const row = (folder: string) => `imei,deviceName,folder\n490154203237518,New,${folder}\n`;
    const dry = async (folder: string) =>
      (await server.call('POST', '/api/v1/device/import?dryRun=true', { token: admin.token, body: row(folder) }))
        .body as { errors: { message: string }[] };
    const wordsOf = async (folder: string) => (await dry(folder)).errors.map(({ message }) => message);
    expect(await wordsOf('North')).toEqual([]);
    expect(await wordsOf('South')).toEqual(await wordsOf('No such folder'));
    expect(await wordsOf('')).toEqual([expect.stringContaining('Choose a folder')]);
  });

  it('has an API token limited in the same way, even if it was created before', async () => {
    const admin = await someone('admin', undefined, null);
    const wish = { password: 'a sentence nobody guesses', name: 'T', expiresInDays: 30 };
    const made = await admin.call('POST', 'api_token', { ...wish, scopes: ['audit.read', 'vehicles.read'] });
    const { token } = made.body as { token: string };
    const audit = () => server.call('GET', '/api/v1/audit', { token });
    expect((await audit()).status).toBe(200);
    await limit(server.context, admin, { folders: [north.folder], departments: [north.department] });
    expect(await audit()).toMatchObject({ status: 403, body: { code: 'token-not-allowed' } });
    expect((await server.call('GET', '/api/v1/device', { token })).body).toHaveLength(1);
    const again = await admin.call('POST', 'api_token', { ...wish, scopes: ['audit.read'] });
    expect(again.body).toMatchObject({ code: 'more-than-you-hold' });
  });
});

describe('a dispatcher', () => {
  it('can’t move a driver into their department just because they drive one of their vehicles', async () => {
    const dispatcher = await someone('dispatcher', [
      'organisation.assign',
      'drivers.read',
      'drivers.write',
      'vehicles.read',
    ]);
    await report(north.vehicle.id, south.card);
    expect((await dispatcher.call('GET', `driver/${south.driver}`)).status).toBe(200);
    for (const [method, path, body] of [
      ['PATCH', `department/assign/${north.department}`, { drivers: [south.driver] }],
      ['PATCH', `driver/${south.driver}`, { departmentId: north.department }],
      ['PATCH', `driver/${south.driver}`, { card: null }],
      ['PATCH', `driver/${south.driver}/vehicle`, { deviceId: north.vehicle.id }],
      ['DELETE', `driver/${south.driver}`],
    ] as const) {
      expect([path, await dispatcher.call(method, path, body)]).toMatchObject([path, OUT_OF_SCOPE]);
    }
    await report(south.vehicle.id, south.card, 'teltonika', Date.now());
    expect(await seen(dispatcher)).toEqual(['Vehicle North']);
    expect((await dispatcher.call('GET', `driver/${south.driver}`)).status).toBe(404);
  });

  it('can’t keep a vehicle in sight by giving it one of their drivers', async () => {
    const dispatcher = await someone('admin', undefined, { ...north, folder: north.folder });
    await drives(north.driver, south.vehicle.id);
    expect(await seen(dispatcher)).toEqual(['Vehicle North', 'Vehicle South']);
    const mine = idOf(await owner.call('POST', 'driver', { name: 'Mine', departmentId: north.department }));
    for (const [method, path, body] of [
      ['PATCH', `driver/${mine}/vehicle`, { deviceId: south.vehicle.id }],
      ['PATCH', `device/${south.vehicle.id}`, { usualDriverId: mine }],
      ['PATCH', `device/${south.vehicle.id}`, { folderId: north.folder }],
      ['PATCH', 'device', { ids: [south.vehicle.id], change: { make: 'X' } }],
      ['PATCH', `folder/assign/${north.folder}`, { devices: [south.vehicle.id] }],
      ['POST', `device/${south.vehicle.id}/key`],
      ['DELETE', `device/${south.vehicle.id}`],
    ] as const) {
      expect([path, await dispatcher.call(method, path, body)]).toMatchObject([path, OUT_OF_SCOPE]);
    }
    await drives(north.driver, null);
    expect(await seen(dispatcher)).toEqual(['Vehicle North']);
  });

  it('sees of a vehicle with one of their drivers only where their drivers drove', async () => {
    const dispatcher = await someone('dispatcher');
    const at = Date.now() - 60_000;
    await report(south.vehicle.id, south.card, 'teltonika', at);
    await report(south.vehicle.id, north.card, 'teltonika', at + 10_000);
    const day = `from=${new Date(at - 60_000).toISOString()}&to=${new Date(at + 60_000).toISOString()}`;
    const fixes = async (who: Person) =>
      ((await who.call('GET', `position?deviceId=${south.vehicle.id}&${day}`)).body as object[]).length;
    expect([await fixes(owner), await fixes(dispatcher)]).toEqual([2, 1]);
  });

  it('sees of a vehicle with one of their drivers only the alerts of their drivers', async () => {
    const dispatcher = await someone('dispatcher');
    const vehicleId = Number(south.vehicle.id);
    const driven = (driver: string | null) =>
      addAlert(server, owner.accountId, vehicleId, {
        ...{ driver_id: driver === null ? null : Number(driver), kind: 'overspeed', severity: 'warning' },
        ...{ closed_at: new Date() },
      });
    const [theirs, others, nobodys] = [await driven(north.driver), await driven(south.driver), await driven(null)];
    const inNorth = await addAlert(server, owner.accountId, Number(north.vehicle.id));
    await report(south.vehicle.id, north.card);
    const listed = async (query = '') => {
      const { body } = await dispatcher.call('GET', `alert${query}`);
      const { alerts, unacknowledged } = body as { alerts: Alert[]; unacknowledged: object };
      return [alerts.map(({ id }) => id).toSorted(), unacknowledged] as const;
    };
    expect(await listed()).toEqual([[theirs, inNorth].toSorted(), { critical: 1, warning: 1, info: 0 }]);
    expect(await listed(`?deviceId=${south.vehicle.id}`)).toEqual([[theirs], { critical: 0, warning: 1, info: 0 }]);
    for (const id of [others, nobodys]) {
      expect(await dispatcher.call('POST', 'alert/acknowledge', { ids: [id] })).toMatchObject(NOT_FOUND);
    }
    expect((await dispatcher.call('POST', 'alert/acknowledge', { ids: [theirs] })).status).toBe(200);

    const told: string[] = [];
    const { vehicle } = { vehicle: server.directory.findById(vehicleId) };
    const { visibility } = server.organisation;
    const session = { ...dispatcher, role: 'dispatcher' as const, scope: scopeOf(north) };
    for (const [name, driver] of [
      ['theirs', north.driver],
      ['others', south.driver],
      ['nobody', null],
    ] as const) {
      if (vehicle && visibility.seesDrivenBy(session, vehicle, driver === null ? null : Number(driver)))
        told.push(name);
    }
    expect(told).toEqual(['theirs']);
  });

  it('gets no overview figures of a vehicle with one of their drivers, and is told that it is left out', async () => {
    const dispatcher = await someone('dispatcher');
    await addAlert(server, owner.accountId, Number(south.vehicle.id), { driver_id: Number(south.driver) });
    const read = async (who: Person) => {
      const date = server.figures
        .calendar(owner.accountId)
        .dateOf(server.figures.calendar(owner.accountId).dayOf(Date.now()));
      const { body, status } = await who.call('GET', `overview?from=${date}&to=${date}`);
      expect(status).toBe(200);
      return body as Overview;
    };
    expect(await read(dispatcher)).toMatchObject({ vehicles: 1, passing: 0 });
    await report(south.vehicle.id, north.card);
    expect(await read(dispatcher)).toMatchObject({ vehicles: 2, passing: 1, now: { alerts: { critical: 0 } } });
    expect(await read(owner)).toMatchObject({ vehicles: 2, passing: 0, now: { alerts: { critical: 1 } } });
  });

  it('can’t find folders out of scope through the overview', async () => {
    const dispatcher = await someone('dispatcher');
    const overview = (folderId: string) =>
      dispatcher.call('GET', `overview?from=2026-11-16&to=2026-11-22&folderId=${folderId}`);
    expect((await overview(north.folder)).status).toBe(200);
    expect(await overview(south.folder)).toMatchObject(NOT_FOUND);
  });
});

describe('a driver', () => {
  it('can’t create users, whatever their role allows', async () => {
    const driver = await someone('driver', ['vehicles.read', 'users.read', 'users.write'], null);
    const colleague = await someone('viewer');
    const wish = { userName: `${driver.userName}-new`, displayName: 'New' };
    for (const rights of [{ role: 'viewer' }, { role: 'driver' }, { role: 'viewer', scope: null }]) {
      const answer = await driver.call('POST', 'register_user', { ...wish, ...rights });
      expect([rights, answer.body]).toMatchObject([rights, { code: 'more-than-you-hold' }]);
    }
    expect((await driver.call('GET', 'read_my_users')).body).toEqual([]);
    expect(await driver.call('PATCH', `update_my_user/${colleague.userId}`, { scope: null })).toMatchObject(NOT_FOUND);
  });

  it('has no permissions that concern the whole account, whatever their role allows', async () => {
    const driver = await someone('driver', ['audit.read', 'settings.write', 'tenant.write'], null);
    expect((await driver.call('GET', 'audit')).status).toBe(403);
    const { permissions } = (await driver.call('GET', 'read_me')).body as { permissions: string[] };
    expect(permissions).toEqual(['profile.read', 'profile.write']);
  });
});

describe('a user who knows a card number', () => {
  it('can’t see a vehicle by writing it into a report’s URL', async () => {
    const dispatcher = await someone('dispatcher');
    await report(south.vehicle.id, north.card, 'osmand');
    expect(await seen(dispatcher)).toEqual(['Vehicle North']);
    await report(south.vehicle.id, north.card, 'teltonika', Date.now());
    expect(await seen(dispatcher)).toEqual(['Vehicle North', 'Vehicle South']);
  });

  it('can’t take a vehicle from its driver', async () => {
    const user = await someone('driver', undefined, null);
    await owner.call('PATCH', `driver/${north.driver}`, { userId: user.userId });
    await drives(north.driver, north.vehicle.id);
    await report(south.vehicle.id, north.card, 'osmand');
    expect(await seen(user)).toEqual(['Vehicle North']);
  });
});
