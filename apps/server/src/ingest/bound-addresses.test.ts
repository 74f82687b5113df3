import { protocols, teltonikaEncode } from '@milepost/decoders';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Line, startApp, type TestApp } from '../../testing/app.ts';
import { call, type SignedIn, signedIn } from '../../testing/http-server.ts';
import { addVehicle, positionMessage, type TestVehicle } from '../../testing/ingest.ts';

/** A vehicle whose tracker may report from some addresses only, and what is stored about other senders. */

let test: TestApp;
let vehicle: TestVehicle;
let owner: SignedIn;
beforeAll(async () => {
  test = await startApp();
  vehicle = await addVehicle(test.context);
  owner = await signedIn(test, { accountId: vehicle.accountId });
  await vi.waitFor(async () => expect(await read('device')).toHaveLength(1), PATIENCE);
});
afterAll(() => test.close());

const PATIENCE = { timeout: 35_000 };
const read = async <T>(path: string) =>
  (await call(test.url, 'GET', `/api/v1/${path}`, { token: owner.token })).body as T;
const bind = (...trackerAddresses: string[]) =>
  call(test.url, 'PATCH', `/api/v1/device/${vehicle.id}`, { token: owner.token, body: { trackerAddresses } });
const report = () => {
  const query = `id=${vehicle.imei}&lat=41.9&lon=-87.68&speed=0&timestamp=${Date.now()}`;
  return fetch(`http://127.0.0.1:${test.port('osmand')}/?${query}`);
};
interface Refused {
  readonly cause: string;
  readonly remoteAddress: string;
  readonly times: number;
}

it('says beside the field what is no address', async () => {
  const answer = await bind('203.0.113.0/33');
  expect([answer.status, answer.body]).toMatchObject([
    400,
    { errors: [{ field: 'trackerAddresses.0', code: 'address-range' }] },
  ]);
});

it('refuses reports from elsewhere, counts them, keeps what they said, and takes them once they are allowed', async () => {
  expect((await report()).status).toBe(200);
  expect((await bind('203.0.113.0/24', '203.0.113.0/24')).body).toMatchObject({ trackerAddresses: ['203.0.113.0/24'] });
  expect((await report()).status).toBe(404);
  await vi.waitFor(async () => {
    expect(await read<Refused[]>('refused_report')).toMatchObject([
      { cause: 'address', remoteAddress: '127.0.0.1', times: 1, deviceId: String(vehicle.id) },
    ]);
  }, PATIENCE);
  await vi.waitFor(async () => {
    const [frame, ...others] = await read<{ bytes: string; parts: unknown[] }[]>(`device/${vehicle.id}/refused_frame`);
    expect(others).toEqual([]);
    expect(Buffer.from(frame?.bytes ?? '', 'hex').toString()).toContain('speed=0');
    expect(frame?.parts.length).toBeGreaterThan(3);
  }, PATIENCE);
  expect((await bind('203.0.113.0/24', '127.0.0.1')).status).toBe(200);
  expect((await report()).status).toBe(200);
  expect(await read('refused_report')).toEqual([]);
  const log = await read<{ entries: { action: string; changes: object[] }[] }>('audit?action=vehicle.changed');
  expect(log.entries[0]?.changes).toEqual([
    { field: 'tracker_addresses', from: '["203.0.113.0/24"]', to: '["203.0.113.0/24","127.0.0.1"]' },
  ]);
});

it('ends the connection of a tracker that its owner does not allow any more, and no other', async () => {
  await call(test.url, 'PATCH', `/api/v1/device/${vehicle.id}`, {
    token: owner.token,
    body: { protocol: 'teltonika', trackerAddresses: [] },
  });
  const line = await Line.to(test.port('teltonika'));
  line.say(teltonikaEncode.encodeLogin(vehicle.imei));
  expect(await line.hear(1)).toBe('01');
  await bind('127.0.0.0/8');
  line.say(...(protocols.teltonika.tracker?.reports(vehicle.imei, [positionMessage(Date.now())], 1) ?? []));
  expect(await line.hear(4)).toBe('00000001');
  await bind('203.0.113.7');
  await line.closed();
});

it('keeps no more than the last five of a vehicle, cut, and nothing that only signs in', async () => {
  await call(test.url, 'PATCH', `/api/v1/device/${vehicle.id}`, {
    token: owner.token,
    body: { protocol: 'osmand', trackerAddresses: ['203.0.113.7'] },
  });
  const login = await Line.to(test.port('teltonika'));
  login.say(teltonikaEncode.encodeLogin(vehicle.imei));
  await login.closed();
  for (let i = 0; i < 8; i++) {
    const more = `note=${'x'.repeat(2000)}&n=${i}`;
    const query = `id=${vehicle.imei}&lat=41.9&lon=-87.68&timestamp=${Date.now()}&${more}`;
    expect((await fetch(`http://127.0.0.1:${test.port('osmand')}/?${query}`)).status).toBe(404);
  }
  await vi.waitFor(async () => {
    const refused = await read<(Refused & { protocol: string })[]>('refused_report');
    expect(refused.map(({ cause, protocol, times }) => [protocol, cause, times])).toContainEqual([
      'osmand',
      'address',
      9,
    ]);
    expect(refused.map(({ protocol }) => protocol)).toContain('teltonika');
  }, PATIENCE);
  const kept = test.database.databases.system.selectFrom('refused_frame').selectAll();
  const frames = await kept.orderBy('id').execute();
  expect(frames.map(({ frame, length, protocol }) => [protocol, frame.length, length > 2000])).toEqual(
    Array.from({ length: 5 }, () => ['osmand', 512, true]),
  );
});
