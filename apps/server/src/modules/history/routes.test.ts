import { type PositionReport, positionReportSchema, vehicleSchema } from '@milepost/contract';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** 14:00 on a day long past, so that nothing depends on the current time. */
const START = Date.parse('2026-11-19T14:00:00Z');

let server: TestHttpServer;
let owner: SignedIn;
let imei: string;
let deviceId: string;
let count = 200;

beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
});
afterAll(() => server.close());

beforeEach(async () => {
  imei = testImei(++count);
  const body = { imei, deviceName: `Truck ${count}` };
  const answer = await server.call('POST', '/api/v1/device', { token: owner.token, body });
  deviceId = (answer.body as { id: string }).id;
});

const store = (positions: ReturnType<typeof receivedPosition>[]) =>
  storePositions(server, owner.accountId, Number(deviceId), positions);
const get = (path: string, query: Record<string, string> = {}) =>
  server.call('GET', `${path}?${new URLSearchParams(query)}`, { token: owner.token });
const iso = (ms: number) => new Date(ms).toISOString();
const times = (body: unknown) => (body as PositionReport[]).map(report => report.reportTime);

/** Drives east at 54 km/h, one fix in ten seconds. */
const drive = (fromMs: number, fixes: number) =>
  Array.from({ length: fixes }, (_, i) =>
    receivedPosition(fromMs + i * 10_000, {
      lon: degrees(-87.68 + (i * 150) / 82_850),
      speed: fromKilometresPerHour(54),
      ignition: true,
    }),
  );

describe('the newest positions', () => {
  it('[R3.03] are reports with exactly the specified names, of the vehicles that were heard', async () => {
    await store([receivedPosition(START), receivedPosition(START + MINUTE, { event: 'sos', rfid: '04A1B2', gsm: 31 })]);
    const { status, body } = await get('/api/v1/position/latest');
    expect(status).toBe(200);
    const report = (body as PositionReport[]).find(candidate => candidate.imei === imei);
    expect(positionReportSchema.strict().parse(report)).toEqual({
      address: expect.stringMatching(/Chicago, IL$/),
      deviceId,
      deviceName: `Truck ${count}`,
      eventType: 'sos',
      fuelGage: 64.5,
      gpsStatus: 'A',
      gsmStatus: 31,
      ignitionStatus: 0,
      imei,
      lat: 41.9,
      lon: -87.68,
      mileage: 1234.567,
      reportDate: '2026-11-19',
      reportTime: '14:01:00',
      rfid: '04A1B2',
      speed: 0,
      temp: null,
      course: 90,
      altitude: 180,
      hdop: 0.9,
      satellites: 11,
      receivedAt: '2026-11-19T14:01:00.800Z',
      late: false,
      driver: null,
    });
  });

  it('come with the live state in the list of vehicles', async () => {
    await store(drive(START, 5));
    const vehicle = vehicleSchema.parse((await get(`/api/v1/device/${deviceId}`)).body);
    expect(vehicle.live).toMatchObject({
      motion: 'moving',
      fixAt: iso(START + 40_000),
      heardAt: iso(START + 40_800),
      gpsValid: true,
      lat: 41.9,
    });
  });

  it('leave out a vehicle that was never heard', async () => {
    const { body } = await get('/api/v1/position/latest');
    expect((body as PositionReport[]).map(report => report.imei)).not.toContain(imei);
  });
});

describe('history', () => {
  it('is complete and in order from one moment to another, both included', async () => {
    await store([2, 0, 1, 3, 4].map(i => receivedPosition(START + i * MINUTE)));
    const { status, body } = await get('/api/v1/position', {
      deviceId,
      from: iso(START + MINUTE),
      to: iso(START + 3 * MINUTE),
    });
    expect(status).toBe(200);
    expect(times(body)).toEqual(['14:01:00', '14:02:00', '14:03:00']);
    expect((body as PositionReport[]).map(report => report.late)).toEqual([true, false, false]);
  });

  it('is complete beyond what one look into the database brings', async () => {
    await store(drive(START, 4321));
    const { headers, body } = await get('/api/v1/position', { deviceId, from: iso(START), to: iso(START + DAY) });
    expect(headers.get('content-encoding')).toBe('gzip');
    const expected = Array.from({ length: 4321 }, (_, i) => iso(START + i * 10_000).slice(11, 19));
    expect(times(body)).toEqual(expected);
  });

  it('takes a zone, and is empty where there is nothing', async () => {
    await store([receivedPosition(START)]);
    const local = { from: '2026-11-19T08:00:00-06:00', to: '2026-11-19T08:00:01-06:00' };
    expect(times((await get('/api/v1/position', { deviceId, ...local })).body)).toEqual(['14:00:00']);
    const before = { from: iso(START - DAY), to: iso(START - 1) };
    expect((await get('/api/v1/position', { deviceId, ...before })).body).toEqual([]);
  });

  it('refuses a stretch that is too long, backward or no time at all', async () => {
    const ask = (from: string, to: string) => get('/api/v1/position', { deviceId, from, to });
    expect(await ask(iso(START), iso(START + 31 * DAY))).toMatchObject({ status: 200 });
    expect(await ask(iso(START), iso(START + 31 * DAY + 1))).toMatchObject({
      status: 400,
      body: { code: 'range-too-long', title: 'Choose at most 31 days at a time.' },
    });
    expect(await ask(iso(START), iso(START - 1))).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'to', message: 'The end must be after the start.' }] },
    });
    expect(await ask('yesterday', '2026-11-19')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'from' }, { field: 'to' }] },
    });
  });

  it('cuts the connection when it fails half-way: half an answer is none', async () => {
    await store(drive(START, 2500));
    const { db } = server.context;
    const asAccount = db.asAccount.bind(db);
    let [asked, failsAt] = [0, Number.POSITIVE_INFINITY];
    Object.assign(db, {
      asAccount: (...call: Parameters<typeof asAccount>) =>
        ++asked === failsAt ? Promise.reject(new Error('Connection terminated')) : asAccount(...call),
    });
    onTestFinished(() => void Object.assign(db, { asAccount }));
    const query = { deviceId, from: iso(START), to: iso(START + DAY) };
    // The first look at these positions is noted; the next ones ask the database for the same as each other.
    await get('/api/v1/position', query);
    asked = 0;
    expect((await get('/api/v1/position', query)).status).toBe(200);
    // The database goes away before the last page.
    [failsAt, asked] = [asked, 0];
    await expect(get('/api/v1/position', query)).rejects.toThrow(/terminated|fetch failed/);
  });
});

describe('the last messages', () => {
  it('are returned as stored, newest first, with which are unreliable and why', async () => {
    await store([
      receivedPosition(START),
      receivedPosition(START + MINUTE, { lat: degrees(0), lon: degrees(0) }),
      receivedPosition(START + 2 * MINUTE, { protocol: 'gt06', attributes: null, valid: false }),
    ]);
    const { body } = await get(`/api/v1/device/${deviceId}/message`, { limit: '3' });
    expect(body).toMatchObject([
      { report: { reportTime: '14:02:00', gpsStatus: 'V' }, protocol: 'gt06', doubts: [], attributes: {} },
      { report: { reportTime: '14:01:00', lat: 0, lon: 0 }, doubts: ['null-island'] },
      { report: { reportTime: '14:00:00' }, doubts: [], attributes: { externalVoltage: 12.6 } },
    ]);
    expect(await get(`/api/v1/device/${deviceId}/message`, { limit: '201' })).toMatchObject({ status: 400 });
  });
});

describe('a day', () => {
  it('is split into segments of one motion, with distance, times and stops', async () => {
    const parked = (fromMs: number, fixes: number) =>
      Array.from({ length: fixes }, (_, i) => receivedPosition(fromMs + i * MINUTE, { lon: degrees(-87.57) }));
    await store([...drive(START, 61), ...parked(START + 10 * MINUTE + 10_000, 20)]);
    const { status, body } = await get(`/api/v1/device/${deviceId}/day`, {
      from: iso(START),
      to: iso(START + 30 * MINUTE),
    });
    expect(status).toBe(200);
    const day = body as { segments: { kind: string; distanceM: number }[]; distanceM: number; stops: number };
    expect(day.segments.map(segment => segment.kind)).toEqual(['moving', 'stopped']);
    expect(day.distanceM).toBeGreaterThan(8900);
    expect(day.distanceM).toBeLessThan(9300);
    expect(day).toMatchObject({ stops: 1, fixes: 81, leftOut: 0, maxSpeedMps: expect.closeTo(15, 1) });
  });

  it('has no gap in the future, and refuses to be longer than two days', async () => {
    const ask = (from: number, to: number) => get(`/api/v1/device/${deviceId}/day`, { from: iso(from), to: iso(to) });
    const now = Date.now();
    const today = (await ask(now - 60 * MINUTE, now + 60 * MINUTE)).body as { segments: { to: string }[] };
    expect(Date.parse(today.segments.at(-1)?.to ?? '')).toBeLessThanOrEqual(Date.now());
    expect((await ask(now + MINUTE, now + 2 * MINUTE)).body).toMatchObject({ segments: [], distanceM: 0, fixes: 0 });
    expect(await ask(START, START + 2 * DAY + 1)).toMatchObject({ status: 400, body: { code: 'range-too-long' } });
  });
});
