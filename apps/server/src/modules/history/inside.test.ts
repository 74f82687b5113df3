import { degrees, fromKilometresPerHour } from '@milepost/units';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { sealOldDays } from '../../tracks/seal.ts';
import { packDay } from '../../tracks/sealed-day.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = (Math.floor(Date.now() / DAY) - 12) * DAY + 600 * MINUTE;

let server: TestHttpServer;
let owner: SignedIn;
let east: string;
let parked: string;

const addVehicle = async (n: number, deviceName: string): Promise<string> => {
  const body = { imei: testImei(n), deviceName };
  const answer = await server.call('POST', '/api/v1/device', { token: owner.token, body });
  return (answer.body as { readonly id: string }).id;
};

/** One drives east along 41.9° with a report a minute, 0.01° each; the other stands at its begin. A third never reports. */
beforeAll(async () => {
  server = await startHttpServer();
  owner = await signedIn(server);
  east = await addVehicle(9201, 'East');
  parked = await addVehicle(9202, 'Parked');
  await addVehicle(9203, 'Silent');
  const drive = Array.from({ length: 60 }, (_, i) =>
    receivedPosition(START + i * MINUTE, {
      lon: degrees(-88 + i * 0.01),
      speed: fromKilometresPerHour(50),
      ignition: true,
    }),
  );
  const stands = Array.from({ length: 60 }, (_, i) =>
    receivedPosition(START + i * MINUTE, { lat: degrees(41.95), lon: degrees(-88) }),
  );
  await storePositions(server, owner.accountId, Number(east), drive);
  await storePositions(server, owner.accountId, Number(parked), stands);
});
afterAll(() => server.close());

const iso = (ms: number) => new Date(ms).toISOString();
const ask = (area: object, from = START - DAY, to = START + DAY) =>
  server.call('POST', '/api/v1/device/inside', {
    token: owner.token,
    body: { from: iso(from), to: iso(to), area },
  });
const box = (west: number, south: number, wide: number, high: number) => ({
  kind: 'rectangle',
  bounds: [west, south, west + wide, south + high],
});

describe.each(['as rows', 'sealed'])('[R2.06] vehicles inside an area, from days %s', kept => {
  beforeAll(async () => {
    if (kept === 'sealed') {
      const { days } = await sealOldDays({
        pool: server.context.db.pool,
        log: pino({ level: 'silent' }),
        pack: async rows => packDay(rows),
        afterDays: 2,
        withinMs: 60_000,
        isStopped: () => false,
      });
      expect(days).toBe(2);
    }
  });

  it('come with their first and last moment inside', async () => {
    const { status, body } = await ask(box(-87.9, 41.89, 0.1, 0.02));
    expect(status).toBe(200);
    expect(body).toEqual([{ deviceId: east, firstAt: expect.any(String), lastAt: expect.any(String) }]);
    const [{ firstAt, lastAt }] = body as [{ readonly firstAt: string; readonly lastAt: string }];
    expect(Math.abs(Date.parse(firstAt) - (START + 10 * MINUTE))).toBeLessThan(1000);
    expect(Math.abs(Date.parse(lastAt) - (START + 20 * MINUTE))).toBeLessThan(1000);
  });

  it('also those that crossed it between two reports', async () => {
    const { body } = await ask(box(-87.9 + 0.004, 41.89, 0.002, 0.02));
    expect(body).toMatchObject([{ deviceId: east }]);
  });

  it('in the order in which they came, and only in that time', async () => {
    const both = { kind: 'circle', center: [-88, 41.925], radiusM: 3000 };
    expect(((await ask(both)).body as { readonly deviceId: string }[]).map(({ deviceId }) => deviceId).sort()).toEqual(
      [east, parked].sort(),
    );
    expect((await ask(both, START + 30 * MINUTE)).body).toMatchObject([{ deviceId: parked }]);
    expect((await ask(both, START + 2 * 60 * MINUTE)).body).toEqual([]);
    expect((await ask(box(10, 10, 1, 1))).body).toEqual([]);
  });

  it('inside a geofence', async () => {
    const shape = { kind: 'circle', center: [-88, 41.95], radiusM: 500 };
    const fence = await server.call('POST', '/api/v1/geofence', {
      token: owner.token,
      body: { name: `Yard ${kept}`, shape },
    });
    const { body } = await ask({ geofenceId: (fence.body as { readonly id: string }).id });
    expect(body).toMatchObject([{ deviceId: parked }]);
    expect((await ask({ geofenceId: '2000000000' })).status).toBe(404);
  });
});
