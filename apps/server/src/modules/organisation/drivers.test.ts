import { type Driver, departmentSchema, driverSchema } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, type Caller, callerOf, limit } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

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

const hire = async (fields: object): Promise<Driver> => {
  const { status, body } = await call('POST', '/driver', fields);
  expect([status, body]).toEqual([201, expect.anything()]);
  return driverSchema.parse(body);
};
const read = async (id: string): Promise<Driver> => (await call('GET', `/driver/${id}`)).body;
const vehicle = (name: string) => addNamedVehicle(server, owner.accountId, name);
/** A report with a driver card, as ingest receives it. */
const report = async (id: string, rfid: string | null, at = Date.now() - 60_000) => {
  const before = server.live.of(Number(id))?.newest?.rfid ?? null;
  await storePositions(server, owner.accountId, Number(id), [receivedPosition(at, { rfid })]);
  server.organisation.driving.reported(owner.accountId, Number(id), before, rfid);
};

describe('departments', () => {
  it('[R7.23] [R7.24] [R7.25] [R7.26] [R7.27] [R3.05] list their drivers, and are arranged like folders', async () => {
    const north = departmentSchema.parse((await call('POST', '/department', { name: 'North team' })).body);
    const night = departmentSchema.parse(
      (await call('POST', '/department', { name: 'Nights', parentId: north.id })).body,
    );
    const ann = await hire({ name: 'Ann' });
    expect((await call('PATCH', `/department/assign/${night.id}`, { drivers: [ann.id] })).body).toEqual({
      assigned: 1,
    });
    await call('PATCH', `/department/${night.id}`, { name: 'Night shift' });
    expect((await call('GET', '/department')).body).toEqual([
      { id: night.id, name: 'Night shift', parentId: north.id, drivers: [{ id: ann.id, name: 'Ann' }] },
      { id: north.id, name: 'North team', parentId: null, drivers: [] },
    ]);
    expect(await call('POST', '/department', { name: 'north TEAM' })).toMatchObject({
      status: 409,
      body: { code: 'department-name-taken', title: 'A department with this name already exists here.' },
    });
    expect((await call('DELETE', `/department/${night.id}`)).body).toMatchObject({ released: 1 });
    expect(await read(ann.id)).toMatchObject({ departmentId: null });
    await call('PATCH', `/department/assign/${north.id}`, { drivers: [ann.id] });
    await call('PATCH', '/department/assign/none', { drivers: [ann.id] });
    expect((await call('GET', '/department')).body).toMatchObject([{ id: north.id, drivers: [] }]);
  });
});

describe('drivers', () => {
  it('are stored with license, card, phone and notes, as users write them', async () => {
    const ann = await hire({
      name: ' Ann Lee ',
      phone: '+1 (312) 555-0142',
      email: '',
      licenceNumber: 'L123-4567',
      licenceRegion: 'IL',
      licenceClass: 'A',
      licenceExpiresOn: '2027-01-31',
      card: '04:a1:b2:c3',
      notes: 'Hazmat\nTanker',
    });
    expect(ann).toMatchObject({
      name: 'Ann Lee',
      phone: '+13125550142',
      email: null,
      licenceExpiresOn: '2027-01-31',
      card: '04A1B2C3',
      notes: 'Hazmat\nTanker',
      archived: false,
      vehicle: null,
    });
    await call('PATCH', `/driver/${ann.id}`, { phone: '', name: 'Ann' });
    expect(await read(ann.id)).toEqual({ ...ann, phone: null, name: 'Ann' });
    expect((await call('DELETE', `/driver/${ann.id}`)).body).toEqual({ deleted: true, id: ann.id });
    expect(await call('GET', `/driver/${ann.id}`)).toMatchObject({ status: 404 });
  });

  it('report errors by field', async () => {
    const { body } = await call('POST', '/driver', {
      name: '',
      phone: '555',
      email: 'nobody',
      licenceExpiresOn: '31.1.2027',
      card: '!',
    });
    expect((body as { errors: { field: string }[] }).errors.map(({ field }) => field)).toEqual([
      'name',
      'phone',
      'email',
      'licenceExpiresOn',
      'card',
    ]);
  });

  it('don’t share a card, a license or a user', async () => {
    const user = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
    await hire({ name: 'Ann', card: '04A1', licenceNumber: 'L1', licenceRegion: 'IL', userId: user.userId });
    const ben = await hire({ name: 'Ben', licenceNumber: 'L1', licenceRegion: 'WI' });
    for (const [change, code, field] of [
      [{ card: '04-a1' }, 'card-taken', 'card'],
      [{ licenceRegion: 'il' }, 'licence-taken', 'licenceNumber'],
      [{ userId: user.userId }, 'user-taken', 'userId'],
    ] as const) {
      expect(await call('PATCH', `/driver/${ben.id}`, change)).toMatchObject({
        status: 409,
        body: { code, errors: [{ field }] },
      });
    }
    const stranger = await signedIn(server);
    expect(await call('PATCH', `/driver/${ben.id}`, { userId: stranger.userId })).toMatchObject({ status: 404 });
    const elsewhere = callerOf(server, stranger);
    expect((await elsewhere('POST', '/driver', { name: 'Eve', card: '04A1' })).status).toBe(201);
  });

  const taken = { status: 409, body: { code: 'licence-taken', errors: [{ field: 'licenceNumber' }] } };

  it.each([
    ['r2345678', 'il'],
    ['R234-5678', 'US-IL'],
    ['R 234 5678', 'Illinois'],
    ['R.234/5678', 'I.L.'],
  ])(
    'have R2345678 of IL once, also as %s of %s, and after they were archived',
    async (licenceNumber, licenceRegion) => {
      const same = { licenceNumber, licenceRegion };
      const ann = await hire({ name: 'Ann', licenceNumber: 'R2345678', licenceRegion: 'IL' });
      const ben = await hire({ name: 'Ben' });
      const nobodyElse = async () => {
        expect(await call('POST', '/driver', { name: 'Eve', ...same })).toMatchObject(taken);
        expect(await call('PATCH', `/driver/${ben.id}`, same)).toMatchObject(taken);
      };
      await nobodyElse();
      expect((await call('PATCH', `/driver/${ann.id}`, { name: 'Ann Lee', ...same })).status).toBe(200);
      expect(await read(ann.id)).toMatchObject({ licenceNumber, licenceRegion: 'IL' });
      await call('PATCH', `/driver/${ann.id}`, { archived: true });
      await nobodyElse();
      expect((await call('PATCH', `/driver/${ann.id}`, { archived: false })).status).toBe(200);
      await call('DELETE', `/driver/${ann.id}`);
      expect((await call('PATCH', `/driver/${ben.id}`, same)).status).toBe(200);
    },
  );

  it('may have the same number from another place, or none at all', async () => {
    for (const licenceRegion of ['IL', 'IN', 'Nuevo León', 'ON', '']) {
      await hire({ name: 'Ann', licenceNumber: 'R2345678', licenceRegion });
    }
    for (const licenceNumber of ['R2345679', '', '', '-']) {
      await hire({ name: 'Ben', licenceNumber, licenceRegion: 'IL' });
    }
  });

  it('get a license or a user once when several ask at once', async () => {
    const spelled = ['R2345678', 'r234-5678', 'R 234 5678', 'R234.5678', 'r2345678', 'R-2345678'];
    const answers = await Promise.all(
      spelled.map(licenceNumber => call('POST', '/driver', { name: 'Ann', licenceNumber, licenceRegion: 'IL' })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    for (const answer of answers.filter(({ status }) => status === 409)) expect(answer).toMatchObject(taken);
    expect((await call('GET', '/driver')).body).toHaveLength(1);

    const user = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
    const drivers = await Promise.all(['Ben', 'Cal', 'Dee', 'Eli'].map(name => hire({ name })));
    const linked = await Promise.all(
      drivers.map(({ id }) =>
        call('PATCH', `/driver/${id}`, { userId: user.userId, licenceNumber: 'X1', licenceRegion: 'WI' }),
      ),
    );
    expect(linked.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const now = ((await call('GET', '/driver')).body as Driver[]).filter(({ licenceNumber }) => licenceNumber === 'X1');
    expect(now.map(({ userId }) => userId)).toEqual([user.userId]);
    const { rows } = await server.context.db.pool.query<{ count: number }>(
      `select count(*)::int as count from audit_entry where account_id = $1 and action = 'driver.created'`,
      [owner.accountId],
    );
    expect(rows).toEqual([{ count: 5 }]);
  });

  it('of two accounts may have the same license: a person may drive for two carriers, and neither learns of it', async () => {
    const license = { licenceNumber: 'R2345678', licenceRegion: 'IL' };
    await hire({ name: 'Ann', ...license });
    const other = callerOf(server, await signedIn(server));
    expect((await other('POST', '/driver', { name: 'Ann', ...license })).status).toBe(201);
    expect((await other('GET', '/driver')).body).toHaveLength(1);
    expect(await other('POST', '/driver', { name: 'Ben', ...license })).toMatchObject(taken);
  });

  it('are archived without card and vehicle, and can be restored', async () => {
    const truck = await vehicle('Truck 1');
    const ann = await hire({ name: 'Ann', card: '04A1' });
    await call('PATCH', `/driver/${ann.id}/vehicle`, { deviceId: truck.id });
    await call('PATCH', `/driver/${ann.id}`, { archived: true });
    expect(await read(ann.id)).toMatchObject({ archived: true, card: null, vehicle: null });
    expect((await call('GET', `/device/${truck.id}`)).body).toMatchObject({ usualDriverId: null, driver: null });
    expect(await call('PATCH', `/driver/${ann.id}/vehicle`, { deviceId: truck.id })).toMatchObject({ status: 404 });
    await hire({ name: 'Ben', card: '04A1' });
    await call('PATCH', `/driver/${ann.id}`, { archived: false });
    expect(await read(ann.id)).toMatchObject({ archived: false, card: null });
  });

  it('are the usual driver of one vehicle at a time', async () => {
    const [one, two] = [await vehicle('Truck 2'), await vehicle('Truck 3')];
    const ann = await hire({ name: 'Ann' });
    await call('PATCH', `/driver/${ann.id}/vehicle`, { deviceId: one.id });
    expect(await read(ann.id)).toMatchObject({ vehicle: { id: one.id, source: 'usual' } });
    await call('PATCH', `/device/${two.id}`, { usualDriverId: ann.id });
    expect(await read(ann.id)).toMatchObject({ vehicle: { id: two.id, deviceName: 'Truck 3' } });
    expect((await call('GET', `/device/${one.id}`)).body).toMatchObject({ usualDriverId: null });
    await call('PATCH', `/driver/${ann.id}/vehicle`, { deviceId: null });
    expect(await read(ann.id)).toMatchObject({ vehicle: null });
  });
});

describe('the card in a position report', () => {
  it('[R3.03] names the driver in every report, live and stored, and in the list of vehicles', async () => {
    const truck = await vehicle('Truck 4');
    const ann = await hire({ name: 'Ann', card: '04A1B2C3' });
    await report(truck.id, '04a1-b2c3');
    const driver = { id: ann.id, name: 'Ann' };
    const from = new Date(Date.now() - 86_400_000).toISOString();
    const history = `/position?deviceId=${truck.id}&from=${from}&to=${new Date().toISOString()}`;
    for (const path of ['/position/latest', history]) {
      expect((await call('GET', path)).body).toMatchObject([{ rfid: '04a1-b2c3', driver }]);
    }
    expect((await call('GET', `/device/${truck.id}/message`)).body).toMatchObject([{ report: { driver } }]);
    expect((await call('GET', '/device')).body).toMatchObject([{ driver: { ...driver, source: 'card' } }]);
    expect(await read(ann.id)).toMatchObject({ vehicle: { id: truck.id, source: 'card' } });
  });

  it('overrides the usual driver, moves with the card’s driver, and ends when it is taken out', async () => {
    const [one, two] = [await vehicle('Truck 5'), await vehicle('Truck 6')];
    const ann = await hire({ name: 'Ann', card: '04A1' });
    const ben = await hire({ name: 'Ben' });
    await call('PATCH', `/driver/${ann.id}/vehicle`, { deviceId: one.id });
    await call('PATCH', `/driver/${ben.id}/vehicle`, { deviceId: two.id });
    const drivers = async () =>
      ((await call('GET', '/device')).body as { driver: { name: string; source: string } | null }[]).map(
        ({ driver }) => (driver ? `${driver.name} ${driver.source}` : null),
      );
    expect(await drivers()).toEqual(['Ann usual', 'Ben usual']);
    await report(two.id, '04A1');
    expect(await drivers()).toEqual([null, 'Ann card']);
    expect(await read(ben.id)).toMatchObject({ vehicle: null });
    await report(two.id, null, Date.now() - 30_000);
    expect(await drivers()).toEqual(['Ann usual', 'Ben usual']);
    await report(one.id, '04A1', Date.now() - 40_000);
    await report(two.id, '04A1', Date.now() - 20_000);
    expect(await drivers()).toEqual([null, 'Ann card']);
    await report(two.id, 'FFFF', Date.now() - 10_000);
    expect(await drivers()).toEqual(['Ann usual', 'Ben usual']);
  });
});

describe('who sees whom', () => {
  it('shows a dispatcher of a department its drivers and the vehicles they drive', async () => {
    const [one, two] = [await vehicle('Truck 7'), await vehicle('Truck 8')];
    const north = departmentSchema.parse((await call('POST', '/department', { name: 'North' })).body);
    const ann = await hire({ name: 'Ann', departmentId: north.id, card: '04A1' });
    const ben = await hire({ name: 'Ben' });
    const someone = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
    await limit(server.context, someone, { departments: [north.id] });
    const dispatcher = callerOf(server, someone);
    const sees = async () => ({
      drivers: ((await dispatcher('GET', '/driver')).body as Driver[]).map(({ name }) => name),
      vehicles: ((await dispatcher('GET', '/device')).body as { id: string }[]).map(({ id }) => id),
    });
    expect(await sees()).toEqual({ drivers: ['Ann'], vehicles: [] });
    await report(two.id, '04A1');
    expect(await sees()).toEqual({ drivers: ['Ann'], vehicles: [two.id] });
    expect(await dispatcher('GET', `/driver/${ben.id}`)).toMatchObject({ status: 404 });
    expect(await dispatcher('PATCH', `/driver/${ann.id}/vehicle`, { deviceId: one.id })).toMatchObject({ status: 404 });
    expect(await dispatcher('PATCH', `/department/assign/${north.id}`, { drivers: [ben.id] })).toMatchObject({
      status: 404,
    });
  });

  it('shows a driver their own record, and no others', async () => {
    const user = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
    const mine = callerOf(server, user);
    expect((await mine('GET', '/my_driver')).body).toEqual({ driver: null });
    const ann = await hire({ name: 'Ann', userId: user.userId });
    expect((await mine('GET', '/my_driver')).body).toMatchObject({ driver: { id: ann.id, name: 'Ann' } });
    expect((await mine('GET', '/driver')).status).toBe(403);
  });
});
