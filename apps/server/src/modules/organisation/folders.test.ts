import { type Folder, folderSchema } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, type Caller, callerOf, limit } from '../../../testing/organisation.ts';

let server: TestHttpServer;
let owner: SignedIn;
let call: Caller;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
  call = callerOf(server, owner);
});

const make = async (name: string, parentId?: string): Promise<string> => {
  const { status, body } = await call('POST', '/folder', { name, ...(parentId && { parentId }) });
  expect(status).toBe(201);
  return folderSchema.parse(body).id;
};
const list = async (as = call): Promise<Folder[]> => (await as('GET', '/folder')).body;
const named = (folders: readonly Folder[]) =>
  folders.map(({ name, parentId }) => [name, folders.find(({ id }) => id === parentId)?.name ?? null]);
const vehicle = (name: string) => addNamedVehicle(server, owner.accountId, name);
const audited = async () =>
  (
    await server.context.db.system
      .selectFrom('audit_entry')
      .select(['action', 'target_name', 'user_name'])
      .where('account_id', '=', owner.accountId)
      .orderBy('id')
      .execute()
  ).map(({ action, target_name, user_name }) => {
    expect(user_name).toBe(owner.userName);
    return `${action} ${target_name}`;
  });

describe('folders', () => {
  it('[R7.18] [R3.04] list the vehicles in them under the specified names, all checked', async () => {
    const id = await make('Line haul');
    const truck = await vehicle('Truck 1');
    expect(await call('PATCH', `/folder/assign/${id}`, { devices: [truck.id] })).toMatchObject({
      status: 200,
      body: { assigned: 1 },
    });
    expect(await list()).toEqual([
      {
        id,
        name: 'Line haul',
        parentId: null,
        is_checked: false,
        devices: [{ id: truck.id, imei: truck.imei, deviceName: 'Truck 1', is_checked: false }],
      },
    ]);
    expect((await call('GET', `/device/${truck.id}`)).body).toMatchObject({ folderId: id });
  });

  it('[R7.19] [R7.20] are created inside others, renamed and moved, all in the audit log', async () => {
    const north = await make('North');
    const south = await make('South');
    const depot = await make('Depot', north);
    await call('PATCH', `/folder/${depot}`, { name: 'Yard', parentId: south });
    expect(named(await list())).toEqual([
      ['North', null],
      ['South', null],
      ['Yard', 'South'],
    ]);
    await call('PATCH', `/folder/${depot}`, { parentId: null });
    expect(named(await list())).toContainEqual(['Yard', null]);
    expect(await audited()).toEqual([
      'folder.created North',
      'folder.created South',
      'folder.created Depot',
      'folder.changed Yard',
      'folder.changed Yard',
    ]);
  });

  it('[R7.21] leave their vehicles without a folder when deleted, and their subfolders move up', async () => {
    const north = await make('North');
    const depot = await make('Depot', north);
    await make('Gate', depot);
    const truck = await vehicle('Truck 2');
    await call('PATCH', `/folder/assign/${depot}`, { devices: [truck.id] });
    expect((await call('DELETE', `/folder/${depot}`)).body).toEqual({ deleted: true, id: depot, released: 1 });
    expect(named(await list())).toEqual([
      ['Gate', 'North'],
      ['North', null],
    ]);
    expect((await call('GET', `/device/${truck.id}`)).body).toMatchObject({ folderId: null });
  });

  it('[R7.22] take vehicles from where they were, and `none` takes them out', async () => {
    const [a, b] = [await make('A'), await make('B')];
    const trucks = [await vehicle('Truck 3'), await vehicle('Truck 4')];
    const devices = trucks.map(({ id }) => id);
    await call('PATCH', `/folder/assign/${a}`, { devices });
    await call('PATCH', `/folder/assign/${b}`, { devices: devices.slice(0, 1) });
    const inFolders = async () => (await list()).map(({ devices }) => devices.map(({ deviceName }) => deviceName));
    expect(await inFolders()).toEqual([['Truck 4'], ['Truck 3']]);
    await call('PATCH', '/folder/assign/none', { devices });
    expect(await inFolders()).toEqual([[], []]);
    expect(await call('PATCH', `/folder/assign/${a}`, { devices: [devices[0], '2000000000'] })).toMatchObject({
      status: 404,
    });
    expect(await inFolders()).toEqual([[], []]);
  });

  it('have unique names among their siblings, ignoring case', async () => {
    const north = await make('North');
    await make('Depot', north);
    await make('Depot');
    for (const taken of [
      await call('POST', '/folder', { name: 'DEPOT' }),
      await call('PATCH', `/folder/${north}`, { name: ' depot ' }),
      await call('DELETE', `/folder/${north}`),
    ]) {
      expect(taken).toMatchObject({ status: 409, body: { code: 'folder-name-taken', errors: [{ field: 'name' }] } });
    }
    for (const name of ['', ' ', 'x'.repeat(61), 'two\nlines', 7]) {
      expect(await call('POST', '/folder', { name })).toMatchObject({
        status: 400,
        body: { errors: [{ field: 'name' }] },
      });
    }
    expect(await list()).toHaveLength(3);
  });

  it('are never inside themselves, nor deeper than eight levels', async () => {
    const ids: string[] = [];
    for (let level = 1; level <= 8; level++) ids.push(await make(`Level ${level}`, ids.at(-1)));
    expect(await call('POST', '/folder', { name: 'Level 9', parentId: ids[7] })).toMatchObject({
      status: 409,
      body: { code: 'too-deep', title: 'There can be at most 8 levels.' },
    });
    for (const parentId of [ids[0], ids[1], ids[7]]) {
      expect(await call('PATCH', `/folder/${ids[0]}`, { parentId })).toMatchObject({
        status: 409,
        body: { code: 'inside-itself' },
      });
    }
    const other = await make('Other');
    expect(await call('PATCH', `/folder/${ids[0]}`, { parentId: other })).toMatchObject({ body: { code: 'too-deep' } });
  });

  it('make no cycle when two are moved into each other at the same time', async () => {
    const [a, b] = [await make('A'), await make('B')];
    const moves = await Promise.all([
      call('PATCH', `/folder/${a}`, { parentId: b }),
      call('PATCH', `/folder/${b}`, { parentId: a }),
    ]);
    expect(moves.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('[R4.09] are answered 304 while nothing has changed, and whole as soon as something has', async () => {
    const id = await make('North');
    const truck = await vehicle('Truck 5');
    const ask = (etag?: string) =>
      server.call('GET', '/api/v1/folder', {
        token: owner.token,
        ...(etag && { headers: { 'if-none-match': etag } }),
      });
    const etag = (await ask()).headers.get('etag') ?? '';
    const unchanged = await ask(etag);
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    expect(unchanged.headers.get('cache-control')).toBe('no-store');
    expect((await ask(`"other", ${etag}`)).status).toBe(304);
    await call('PATCH', `/folder/assign/${id}`, { devices: [truck.id] });
    expect(await ask(etag)).toMatchObject({ status: 200 });
    const stranger = callerOf(server, await signedIn(server));
    expect(await list(stranger)).toEqual([]);
  });
});

describe('a dispatcher who is limited to one folder', () => {
  let dispatcher: Caller;
  let north: string;
  let depot: string;
  let south: string;
  let mine: { readonly id: string };
  let theirs: { readonly id: string };

  beforeEach(async () => {
    north = await make('North');
    depot = await make('Depot', north);
    south = await make('South');
    [mine, theirs] = [await vehicle('Mine'), await vehicle('Theirs')];
    await call('PATCH', `/folder/assign/${depot}`, { devices: [mine.id] });
    await call('PATCH', `/folder/assign/${south}`, { devices: [theirs.id] });
    const someone = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
    await limit(server.context, someone, { folders: [depot] });
    dispatcher = callerOf(server, someone);
  });

  it('sees that folder, the path to it, and no others', async () => {
    expect(named(await list(dispatcher))).toEqual([
      ['Depot', 'North'],
      ['North', null],
    ]);
    expect((await list(dispatcher)).flatMap(({ devices }) => devices.map(({ id }) => id))).toEqual([mine.id]);
  });

  it('moves vehicles within it, and neither in nor out', async () => {
    const gate = await make('Gate', depot);
    expect(await dispatcher('PATCH', `/folder/assign/${gate}`, { devices: [mine.id] })).toMatchObject({ status: 200 });
    for (const [folder, device] of [
      [south, mine.id],
      [north, mine.id],
      [depot, theirs.id],
    ]) {
      expect(await dispatcher('PATCH', `/folder/assign/${folder}`, { devices: [device] })).toMatchObject({
        status: 404,
      });
    }
    expect(await dispatcher('PATCH', '/folder/assign/none', { devices: [mine.id] })).toMatchObject({ status: 403 });
    expect((await list()).find(({ id }) => id === gate)?.devices).toHaveLength(1);
  });

  it('sees nothing at all once the folder is gone', async () => {
    await call('DELETE', `/folder/${depot}`);
    expect(await list(dispatcher)).toEqual([]);
    expect((await dispatcher('GET', '/device')).body).toEqual([]);
  });
});
