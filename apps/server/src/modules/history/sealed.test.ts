import type { PositionReport } from '@milepost/contract';
import { tracksIn, unpackTrack } from '@milepost/track';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { exported } from '../../../testing/transfers.ts';
import { sealOldDays } from '../../tracks/seal.ts';
import { packDay } from '../../tracks/sealed-day.ts';
import { trackFile } from './track.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TODAY = Math.floor(Date.now() / DAY) * DAY;
const DAYS = 9;
const START = TODAY - DAYS * DAY;

let server: TestHttpServer;
let owner: SignedIn;
let deviceId: string;

beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
  owner = await signedIn(server);
  const body = { imei: testImei(7001), deviceName: 'Truck' };
  const answer = await server.call('POST', '/api/v1/device', { token: owner.token, body });
  deviceId = (answer.body as { id: string }).id;
  await storePositions(
    server,
    owner.accountId,
    Number(deviceId),
    Array.from({ length: DAYS }, (_, day) => drives(day)).flat(),
  );
});
afterAll(() => server.close());

/** Two drives a day with a stop between them; a jump that is not believed, a fix without GPS, and one that comes late. */
function drives(day: number) {
  const fix = (minute: number, fields: Parameters<typeof receivedPosition>[1] = {}) =>
    receivedPosition(START + day * DAY + minute * MINUTE, fields);
  const drive = (minute: number, count: number) =>
    Array.from({ length: count }, (_, i) =>
      fix(minute + i, {
        lon: degrees(-87.68 + (i + day) * 0.009),
        speed: fromKilometresPerHour(45 + (i % 7)),
        ignition: true,
        attributes: { rpm: 1500 + i, driverSeat: i % 2 === 0 },
      }),
    );
  return [
    ...drive(480, 40),
    fix(521, { lat: degrees(10), ignition: true }),
    fix(522, { valid: false }),
    fix(530),
    ...drive(800, 30),
    fix(790, { event: 'harshBraking', rfid: '04A1B2' }),
    fix(900),
  ];
}

const iso = (ms: number) => new Date(ms).toISOString();
const dateOf = (ms: number) => iso(ms).slice(0, 10);
const get = async (path: string, query: Record<string, string> = {}) => {
  const { status, body, text } = await server.call('GET', `/api/v1${path}?${new URLSearchParams(query)}`, {
    token: owner.token,
  });
  expect(status, path).toBe(200);
  return body ?? text;
};

async function track(fromMs: number, toMs: number, columns: string, zoom?: string) {
  const query = new URLSearchParams({ from: iso(fromMs), to: iso(toMs), columns, ...(zoom && { zoom }) });
  const answer = await fetch(`${server.url}/api/v1/device/${deviceId}/track?${query}`, {
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect(answer.status).toBe(200);
  return tracksIn(new Uint8Array(await answer.arrayBuffer())).flatMap(each => unpackTrack(each));
}

async function everything() {
  const days = Array.from({ length: DAYS }, (_, day) => START + day * DAY);
  return {
    latest: await get('/position/latest'),
    all: await get('/position', { deviceId, from: iso(START), to: iso(TODAY) }),
    across: await get('/position', { deviceId, from: iso(START + 0.4 * DAY), to: iso(START + 2.5 * DAY) }),
    track: await track(START, TODAY, 'speed,course,ignition,odometer,event,rfid'),
    drawn: await track(START, TODAY, 'speed', '12'),
    messages: await get(`/device/${deviceId}/message`, { limit: '200' }),
    days: await Promise.all(days.map(day => get(`/device/${deviceId}/day`, { from: iso(day), to: iso(day + DAY) }))),
    // As of now: `until` alone differs.
    period: await vi.waitFor(
      async () => {
        const period = await get('/fleet/period', { from: dateOf(START), to: dateOf(TODAY - 2 * DAY) });
        expect(period).toMatchObject({ behind: 0 });
        return { ...(period as object), until: null };
      },
      { timeout: 30_000 },
    ),
    exported: (await exported(server, owner)).split('\n').filter(line => line.startsWith('{"table":"position"')),
  };
}

describe('positions whose days are packed', () => {
  it('give the same answers as before, and the same figures when they are counted again', async () => {
    const before = await everything();
    expect(before.all).toHaveLength(DAYS * 75);
    // The same positions as in the list; what a map shows of them.
    expect(
      before.track.map(({ fixAt, lat, lon, valid, event, rfid }) => [
        iso(fixAt).slice(0, 19),
        lat,
        Math.round(lon * 1e7) / 1e7,
        valid,
        event,
        rfid,
      ]),
    ).toEqual(
      (before.all as PositionReport[]).map(({ reportDate, reportTime, lat, lon, gpsStatus, eventType, rfid }) => [
        `${reportDate}T${reportTime}`,
        lat,
        lon,
        gpsStatus === 'A',
        eventType,
        rfid,
      ]),
    );
    expect(before.drawn.length).toBeLessThan(DAYS * 60);
    expect(before.drawn.every(({ valid, doubts, event }) => valid && doubts === 0 && event === null)).toBe(true);
    expect(before.exported.length).toBeGreaterThanOrEqual(DAYS * 75);
    const { pool, system } = server.context.db;
    const sealed = await sealOldDays({
      pool,
      log: pino({ level: 'silent' }),
      pack: async rows => packDay(rows),
      afterDays: 2,
      withinMs: 60_000,
      isStopped: () => false,
    });
    expect(sealed).toEqual({ days: DAYS - 2, positions: (DAYS - 2) * 75, kept: 0 });
    const same = (after: Awaited<ReturnType<typeof everything>>): void => {
      for (const name of Object.keys(before) as (keyof typeof before)[])
        expect(after[name], name).toEqual(before[name]);
    };
    same(await everything());
    // As after a change of the account's time zone: the days are counted anew, from packed positions.
    await system.deleteFrom('vehicle_day').execute();
    server.figures.manager.forget(owner.accountId);
    same(await everything());
  });

  it('[N8] leave out of a track what may not be seen, and keep the rest as it was', async () => {
    const vehicle = { id: Number(deviceId), accountId: owner.accountId };
    // From the middle of a day to the middle of another.
    const hiddenFrom = START + DAY + 500 * MINUTE;
    const tracks = async (isSeen: (rfid: string | null, atMs: number) => boolean) => {
      const options = { from: new Date(START), to: new Date(TODAY), columns: ['rfid', 'event'] as const, isSeen };
      const file: Uint8Array[] = [];
      for await (const piece of trackFile(server.context.db, vehicle, { ...options, zoom: undefined }))
        file.push(piece);
      return tracksIn(Buffer.concat(file)).flatMap(each => unpackTrack(each));
    };
    const isSeen = (rfid: string | null, atMs: number) =>
      rfid !== '04A1B2' && !(atMs >= hiddenFrom && atMs < hiddenFrom + 2 * DAY);
    const all = await tracks(() => true);
    expect(all).toHaveLength(DAYS * 75);
    expect(await tracks(isSeen)).toEqual(all.filter(({ rfid, fixAt }) => isSeen(rfid, fixAt)));
    expect(await tracks(() => false)).toEqual([]);
  });
});
