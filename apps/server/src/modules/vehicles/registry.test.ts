import type { Vehicle } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { type Caller, callerOf } from '../../../testing/organisation.ts';
import { readVehiclesCsv } from './csv.ts';

let server: TestHttpServer;
let owner: SignedIn;
let call: Caller;
let serial = 800_000;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
  call = callerOf(server, owner);
});

const add = async (deviceName: string, fields: object = {}): Promise<Vehicle> => {
  const { status, body } = await call('POST', '/device', { imei: testImei(++serial), deviceName, ...fields });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body;
};
const list = async (): Promise<Vehicle[]> => (await call('GET', '/device')).body;
const folder = async (name: string, parentId?: string): Promise<string> =>
  ((await call('POST', '/folder', { name, parentId })).body as { id: string }).id;

describe('the registry', () => {
  it('stores a vehicle’s details, and changes only the fields given', async () => {
    const fields = {
      type: 'tractor',
      make: 'Volvo',
      model: 'VNL 760',
      year: '2024',
      fuelType: 'diesel',
      tankLitres: '760.5',
      odometerOffsetKm: -12.5,
      tags: ['north', 'Cold', 'NORTH'],
      notes: 'Two tanks\nOne key',
      trackerModel: 'FMC650',
      simNumber: '8931 0800',
    };
    const truck = await add('Truck 1', fields);
    expect(truck).toMatchObject({ ...fields, year: 2024, tankLitres: 760.5, tags: ['NORTH', 'Cold'] });
    await call('PATCH', `/device/${truck.id}`, { year: '', tags: [] });
    const [after] = await list();
    expect(after).toMatchObject({ ...fields, year: null, tankLitres: 760.5, tags: [] });
  });

  it('reports errors by field', async () => {
    const { body } = await call('POST', '/device', {
      imei: testImei(++serial),
      deviceName: 'Truck',
      type: 'rocket',
      year: 24,
      tankLitres: -1,
      tags: ['x'.repeat(31)],
      folderId: 'none',
    });
    const fields = (body as { errors: { field: string }[] }).errors.map(({ field }) => field);
    expect([...new Set(fields)]).toEqual(['type', 'year', 'tankLitres', 'folderId', 'tags.0']);
    expect(
      (await call('POST', '/device', { imei: testImei(++serial), deviceName: 'T', folderId: '2000000000' })).status,
    ).toBe(404);
  });

  it('adds the odometer reading from before the tracker', async () => {
    const truck = await add('Truck 2', { odometerOffsetKm: 1000 });
    expect((await call('PATCH', `/device/${truck.id}`, { odometerOffsetKm: 1500 })).body).toMatchObject({
      odometerOffsetKm: 1500,
    });
    expect(server.directory.findById(Number(truck.id))).toMatchObject({ odometerOffset: 1_500_000 });
  });
});

describe('a bulk edit', () => {
  it('changes many at once, each in the audit log, and leaves the rest', async () => {
    const [one, two, three] = [
      await add('A', { tags: ['old', 'keep'] }),
      await add('B', { make: 'Ford' }),
      await add('C'),
    ];
    const into = await folder('North');
    const change = { folderId: into, make: 'Volvo', addTags: ['new', 'KEEP'], removeTags: ['OLD'] };
    expect((await call('PATCH', '/device', { ids: [one?.id, two?.id], change })).body).toEqual({ changed: 2 });
    expect((await list()).map(({ make, folderId, tags }) => ({ make, folderId, tags }))).toEqual([
      { make: 'Volvo', folderId: into, tags: ['keep', 'new'] },
      { make: 'Volvo', folderId: into, tags: ['new', 'KEEP'] },
      { make: null, folderId: null, tags: [] },
    ]);
    const audited = await server.context.db.system
      .selectFrom('audit_entry')
      .select(['target_name', 'action'])
      .where('account_id', '=', owner.accountId)
      .where('action', '=', 'vehicle.changed')
      .execute();
    expect(audited.map(({ target_name }) => target_name).sort()).toEqual(['A', 'B']);
    expect(three).toBeDefined();
  });

  it('changes none if one does not exist, or if no change is given', async () => {
    const truck = await add('D', { make: 'Ford' });
    const change = { make: 'Volvo' };
    expect((await call('PATCH', '/device', { ids: [truck.id, '2000000000'], change })).status).toBe(404);
    expect((await call('PATCH', '/device', { ids: [truck.id], change: {} })).status).toBe(400);
    expect((await call('PATCH', '/device', { ids: [], change })).status).toBe(400);
    expect(
      (await call('PATCH', '/device', { ids: [truck.id], change: { imei: testImei(1), deviceName: 'X' } })).status,
    ).toBe(400);
    expect(await list()).toMatchObject([{ deviceName: 'D', make: 'Ford' }]);
    const tags = Array.from({ length: 21 }, (_, n) => `tag ${n}`);
    const tooMany = { ids: [truck.id], change: { addTags: tags.slice(0, 11) } };
    await call('PATCH', '/device', tooMany);
    const more = await call('PATCH', '/device', { ids: [truck.id], change: { addTags: tags.slice(11) } });
    expect(more.body).toMatchObject({ errors: [{ message: 'A vehicle can have at most 20 tags.' }] });
  });
});

describe('a file of vehicles', () => {
  it('can be exported and imported without loss, including folders', async () => {
    const depot = await folder('Depot', await folder('North'));
    await add('Truck 1', {
      folderId: depot,
      type: 'van',
      year: 2023,
      tags: ['a', 'b'],
      notes: 'x\ny',
      odometerOffsetKm: -5,
    });
    await add('Truck "2", blue; new');
    const { text, headers } = await call('GET', '/device/export');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toContain('attachment; filename="vehicles.csv"');
    const before = await list();
    for (const { id } of before) await call('DELETE', `/device/${id}`);
    expect(
      (await server.call('POST', '/api/v1/device/import?dryRun=false', { token: owner.token, body: text })).body,
    ).toMatchObject({
      imported: 2,
      errors: [],
    });
    const told = ({ id: _id, createdAt: _at, ...rest }: Vehicle) => rest;
    expect((await list()).map(told)).toEqual(before.map(told));
  });

  it('contains the requested vehicles', async () => {
    const [one] = [await add('One'), await add('Two')];
    const { text } = await call('GET', `/device/export?ids=${one?.id}`);
    expect((await readVehiclesCsv(text)).vehicles.map(({ fields }) => fields.deviceName)).toEqual(['One']);
    expect((await call('GET', '/device/export?ids=1;drop')).status).toBe(400);
  });

  it('runs nothing in a spreadsheet: formulas are escaped, and imported unchanged', async () => {
    const names = ['=HYPERLINK("http://x";"y")', '+1+1', '-2+3', '@SUM(A1)', '\uff1d1+1'];
    for (const name of names) await add(name, { notes: '\t=1+1', make: '=cmd|calc' });
    const { text } = await call('GET', '/device/export');
    for (const cell of text.split(/[,\r\n]+/)) expect(cell.replace(/^"/, '')).not.toMatch(/^[=+@\uff1d]/);
    expect((await readVehiclesCsv(text)).vehicles.map(({ fields }) => fields.deviceName).sort()).toEqual(
      names.toSorted(),
    );
  });

  it('must name existing folders, and reports unknown ones', async () => {
    await folder('North');
    await folder('Depot', await folder('South'));
    await folder('Depot');
    const row = (name: string, into: string) => `${testImei(++serial)},${name},${into}`;
    const file = ['imei,deviceName,folder', row('A', 'north'), row('B', 'South / Depot'), row('C', 'Nowhere'), ''].join(
      '\n',
    );
    const dry = await server.call('POST', '/api/v1/device/import', { token: owner.token, body: file });
    expect(dry.body).toMatchObject({ rows: 3, errors: [{ row: 4, column: 'folder' }] });
    expect(await list()).toEqual([]);
  });
});
