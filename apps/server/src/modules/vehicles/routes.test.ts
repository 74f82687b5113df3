import { vehicleSchema } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

let server: TestHttpServer;
let owner: SignedIn;
let stranger: SignedIn;
let count = 100;
const nextImei = () => testImei(++count);

beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server, { operator: true });
  stranger = await signedIn(server);
});
afterAll(() => server.close());

interface Created {
  readonly id: string;
  readonly imei: string;
  readonly deviceName: string;
  readonly deviceKey: string;
}

async function create(who = owner, fields: object = {}): Promise<Created> {
  const imei = nextImei();
  const body = { imei, deviceName: `Truck ${imei}`, ...fields };
  const answer = await server.call('POST', '/api/v1/device', { token: who.token, body });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body as Created;
}

const asOwner = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: owner.token, ...(body !== undefined && { body }) });

describe('a vehicle and its tracker', () => {
  it('are created as one record, with a device key that is shown once and stored as a hash', async () => {
    const { id, deviceKey, imei } = await create(owner, { plate: 'IL 4127', vin: '1ftew1ep5jfa00001', model: '' });
    expect(deviceKey).toMatch(/^[0-9a-f]{40}$/);
    const read = await asOwner('GET', `/api/v1/device/${id}`);
    expect(vehicleSchema.parse(read.body)).toMatchObject({
      imei,
      plate: 'IL 4127',
      vin: '1FTEW1EP5JFA00001',
      model: null,
      protocol: null,
      live: { motion: null, fixAt: null, heardAt: null, gpsValid: false, lat: null },
    });
    expect(read.text).not.toContain(deviceKey);
    expect(server.directory.verifyDeviceKey(imei, deviceKey)).toBe(true);
    expect(server.directory.verifyDeviceKey(imei, `${deviceKey}0`)).toBe(false);
    const row = await server.context.db.system.selectFrom('vehicle').selectAll().where('id', '=', Number(id)).execute();
    expect(JSON.stringify(row)).not.toContain(deviceKey);
  });

  it('need a valid check digit and a name', async () => {
    const { status, body } = await asOwner('POST', '/api/v1/device', { imei: '358000000000000', deviceName: ' ' });
    expect([status, body]).toMatchObject([
      400,
      {
        errors: [
          { field: 'imei', message: 'Check the IMEI. It has 15 digits, and the last one is a check digit.' },
          { field: 'deviceName', message: 'Enter a name of up to 60 characters.' },
        ],
      },
    ]);
  });

  it('[R6.04] have an IMEI unique in the installation; the error does not say who has it', async () => {
    const theirs = await create(stranger, { deviceName: 'Secret convoy' });
    const body = { imei: theirs.imei, deviceName: 'Mine' };
    const answer = await asOwner('POST', '/api/v1/device', body);
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { code: 'imei-taken', errors: [{ field: 'imei', message: 'A vehicle with this IMEI already exists.' }] },
    ]);
    expect(answer.text).not.toContain('Secret convoy');
    const mine = await create();
    const moved = await asOwner('PATCH', `/api/v1/device/${mine.id}`, { imei: theirs.imei });
    expect([moved.status, moved.body]).toMatchObject([409, { code: 'imei-taken' }]);
  });

  it('have a name unique in the account, ignoring case', async () => {
    const { deviceName } = await create(owner, { deviceName: 'Depot van' });
    const body = { imei: nextImei(), deviceName: 'DEPOT VAN' };
    const refused = await asOwner('POST', '/api/v1/device', body);
    expect([refused.status, refused.body]).toMatchObject([
      409,
      {
        code: 'name-taken',
        title: 'Another vehicle is already called “DEPOT VAN”.',
        errors: [{ field: 'deviceName' }],
      },
    ]);
    await create(stranger, { deviceName });
  });

  it('change only in the fields given, and never in read-only ones', async () => {
    const { id, imei } = await create(owner, { plate: 'OLD', model: 'Volvo' });
    const change = {
      plate: 'NEW',
      id: '1',
      accountId: stranger.accountId,
      account_id: stranger.accountId,
      protocol: 'mqtt',
    };
    const { status, body } = await asOwner('PATCH', `/api/v1/device/${id}`, change);
    expect([status, body]).toMatchObject([200, { id, imei, plate: 'NEW', model: 'Volvo', protocol: 'mqtt' }]);
    expect((await asOwner('PATCH', `/api/v1/device/${id}`, { plate: '' })).body).toMatchObject({ plate: null });
    expect((await asOwner('PATCH', `/api/v1/device/${id}`, {})).status).toBe(200);
    expect(server.directory.findById(Number(id))?.accountId).toBe(owner.accountId);
  });

  it('notify the rest of the server immediately of a new tracker, name or key, and of deletion', async () => {
    const heard: string[] = [];
    const unsubscribe = server.context.signals.on('vehicle-changed', ({ imei }) => heard.push(imei));
    const { id, imei, deviceKey } = await create();
    expect(server.directory.findByImei(imei)).toMatchObject({ id: Number(id), accountId: owner.accountId });

    await asOwner('PATCH', `/api/v1/device/${id}`, { deviceName: `Renamed ${imei}` });
    expect(server.directory.findByImei(imei)?.name).toBe(`Renamed ${imei}`);

    const other = nextImei();
    await asOwner('PATCH', `/api/v1/device/${id}`, { imei: other });
    expect(server.directory.findByImei(imei)).toBeNull();
    expect(server.directory.findByImei(other)?.id).toBe(Number(id));

    const renewed = await asOwner('POST', `/api/v1/device/${id}/key`);
    expect(server.directory.verifyDeviceKey(other, deviceKey)).toBe(false);
    expect(server.directory.verifyDeviceKey(other, (renewed.body as Created).deviceKey)).toBe(true);

    await asOwner('DELETE', `/api/v1/device/${id}`);
    expect(server.directory.findByImei(other)).toBeNull();
    expect(server.directory.findById(Number(id))).toBeNull();
    unsubscribe();
    expect(heard).toEqual([imei, imei, imei, other, other, other]);
  });

  it('are deleted with their positions and state', async () => {
    const { system } = server.context.db;
    const { id, imei } = await create();
    await storePositions(server, owner.accountId, Number(id), [receivedPosition(Date.now())]);
    expect(await asOwner('DELETE', `/api/v1/device/${id}`)).toMatchObject({ status: 200, body: { deleted: true, id } });
    for (const table of ['position', 'vehicle_state'] as const) {
      expect(
        await system.selectFrom(table).select('vehicle_id').where('vehicle_id', '=', Number(id)).execute(),
      ).toEqual([]);
    }
    expect((await asOwner('GET', `/api/v1/device/${id}`)).status).toBe(404);
    expect((await asOwner('DELETE', `/api/v1/device/${id}`)).status).toBe(404);
    expect((await create(stranger, { imei })).imei).toBe(imei);
  });

  it('are listed by name', async () => {
    const reader = await signedIn(server);
    for (const deviceName of ['b', 'C', 'a']) await create(reader, { deviceName });
    const { body } = await server.call('GET', '/api/v1/device', { token: reader.token });
    expect((body as Created[]).map(vehicle => vehicle.deviceName)).toEqual(['a', 'b', 'C']);
  });

  it.each(['0', '-1', '1.5', 'x', '99999999999', '2147483648', '%27', 'null'])(
    'are not found under the id %s',
    async id => {
      expect(await asOwner('GET', `/api/v1/device/${id}`)).toMatchObject({ status: 404, body: { code: 'not-found' } });
    },
  );
});

describe('import', () => {
  const imported = (text: string, query = '') => asOwner('POST', `/api/v1/device/import${query}`, text);
  const names = async () =>
    ((await asOwner('GET', '/api/v1/device')).body as Created[]).map(vehicle => vehicle.deviceName);

  it('changes nothing in a dry run', async () => {
    const before = await names();
    const answer = await imported(`imei,deviceName\n${nextImei()},Import 1\n`);
    expect(answer).toMatchObject({ status: 200, body: { dryRun: true, rows: 1, imported: 0, errors: [] } });
    expect(await names()).toEqual(before);
  });

  it('imports all rows', async () => {
    const [one, other] = [nextImei(), nextImei()];
    const answer = await imported(`imei;deviceName;plate\n${one};Import A;P 1\n${other};Import B;\n`, '?dryRun=false');
    expect(answer).toMatchObject({ status: 200, body: { dryRun: false, rows: 2, imported: 2, errors: [] } });
    expect(await names()).toEqual(expect.arrayContaining(['Import A', 'Import B']));
    expect(server.directory.findByImei(one)).toMatchObject({ name: 'Import A', accountId: owner.accountId });
  });

  it('imports none if one row is wrong, and says which and why', async () => {
    const theirs = await create(stranger);
    const mine = await create();
    const text = `imei,deviceName\n${nextImei()},Fine\n${theirs.imei},Not fine\n${nextImei()},${mine.deviceName}\n1,x\n`;
    const tried = await imported(text);
    expect(tried.body).toMatchObject({
      rows: 4,
      imported: 0,
      errors: [
        { row: 3, column: 'imei', message: 'A vehicle with this IMEI already exists.' },
        { row: 4, column: 'deviceName', message: `Another vehicle is already called “${mine.deviceName}”.` },
        { row: 5, column: 'imei' },
      ],
    });
    const refused = await imported(text, '?dryRun=false');
    expect([refused.status, refused.body]).toMatchObject([
      422,
      {
        code: 'import-has-errors',
        title: 'Rows with errors: 3. Nothing was imported.',
        errors: [{ field: 'row 3.imei' }, { field: 'row 4.deviceName' }, { field: 'row 5.imei' }],
      },
    ]);
    expect(await names()).not.toContain('Fine');
  });

  it('imports 10,000 vehicles at once, and refuses more or an invalid CSV', { timeout: 120_000 }, async () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `${testImei(500_000 + i)},Many ${i}`);
    const many = await signedIn(server);
    const send = (body: string, headers = {}) =>
      server.call('POST', '/api/v1/device/import?dryRun=false', { token: many.token, body, headers });
    expect(await send(['imei,deviceName', ...lines].join('\n'))).toMatchObject({
      status: 200,
      body: { imported: 10_000 },
    });
    expect(server.directory.findByImei(testImei(509_999))?.name).toBe('Many 9999');
    const tooMany = await send(['imei,deviceName', ...lines, `${nextImei()},One more`].join('\n'));
    expect(tooMany).toMatchObject({ status: 413, body: { title: 'The file has more than 10,000 rows.' } });
    expect((await send('x'.repeat(3_000_000))).status).toBe(413);
    expect((await send('{}', { 'content-type': 'application/json' })).status).toBe(415);
    const latin1 = await fetch(`${server.url}/api/v1/device/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${many.token}`, 'content-type': 'text/csv' },
      body: Uint8Array.from([0x69, 0xfc, 0x0a]),
    });
    expect(await latin1.json()).toMatchObject({ status: 400, errors: [{ code: 'not-utf-8' }] });
  });
});

describe('unknown trackers', () => {
  const list = (who: SignedIn) => server.call('GET', '/api/v1/unknown_tracker', { token: who.token });
  const report = async (imei: string) =>
    server.context.db.system
      .insertInto('unknown_tracker')
      .values({ imei, protocol: 'gt06', remote_address: '203.0.113.5' })
      .execute();

  it('are seen only by the operator’s account', async () => {
    const imei = nextImei();
    await report(imei);
    expect((await list(owner)).body).toEqual([
      expect.objectContaining({ imei, protocol: 'gt06', connections: 1, remoteAddress: '203.0.113.5' }),
    ]);
    expect(await list(stranger)).toMatchObject({ status: 403, body: { code: 'not-allowed' } });
  });

  it('leave undecodable frames, which only that account sees', async () => {
    const frame = {
      protocol: 'gt06',
      imei: null,
      remote_address: '203.0.113.5',
      code: 'unknown-type',
      at: 3,
      length: 4,
    };
    await server.context.db.system
      .insertInto('unknown_frame')
      .values({ ...frame, frame: Buffer.from('78780d0a', 'hex') })
      .execute();
    const frames = (who: SignedIn) => server.call('GET', '/api/v1/unknown_frame', { token: who.token });
    expect((await frames(owner)).body).toEqual([
      expect.objectContaining({ protocol: 'gt06', code: 'unknown-type', at: 3, frame: '78780d0a', length: 4 }),
    ]);
    expect(await frames(stranger)).toMatchObject({ status: 403, body: { code: 'not-allowed' } });
    const [{ id }] = (await frames(owner)).body as [{ id: string }];
    const explained = (who: SignedIn, which: string) =>
      server.call('GET', `/api/v1/unknown_frame/${which}`, { token: who.token });
    expect((await explained(owner, id)).body).toMatchObject({
      frame: '78780d0a',
      parts: [{ from: 0, to: 2, name: 'start', value: '0x7878' }, { name: 'length' }, { name: 'packet' }],
    });
    expect((await explained(stranger, id)).status).toBe(403);
    expect((await explained(owner, '999999')).status).toBe(404);
  });

  it('leave the list when they get a vehicle, by hand or by import, and stay off it after the vehicle is deleted', async () => {
    const [one, other] = [nextImei(), nextImei()];
    await report(one);
    await report(other);
    const { id } = await create(owner, { imei: one });
    await asOwner('POST', '/api/v1/device/import?dryRun=false', `imei,deviceName\n${other},Found\n`);
    await asOwner('DELETE', `/api/v1/device/${id}`);
    const imeis = ((await list(owner)).body as Created[]).map(tracker => tracker.imei);
    expect(imeis).not.toContain(one);
    expect(imeis).not.toContain(other);
  });
});
