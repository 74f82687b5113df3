import type { Permission } from '@milepost/contract';
import { degrees } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../testing/cross-account/account-data.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import {
  AVAILABILITY,
  DRIVER,
  faultsOf,
  HEALTH,
  INFOS_FEED,
  LOCATION,
  LOCATIONS,
  LOG_EVENT,
  LOG_EVENTS_FEED,
  type OtapiObject,
  VEHICLE,
} from '../../../testing/open-telematics.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

let server: TestHttpServer;
let me: UserWithData;
/** Basic credentials of an API token with these scopes. */
let reader: string;

const basic = (userName: string, token: string) => `Basic ${Buffer.from(`${userName}:${token}`).toString('base64')}`;

async function tokenOf(user: UserWithData, scopes: readonly Permission[]): Promise<string> {
  const apiToken = { name: 'Carrier', scopes, expiresAt: new Date(Date.now() + 86_400_000) };
  const { accountId, userId } = user;
  return (await server.sessions.open({ accountId, userId, apiToken })).token;
}

beforeAll(async () => {
  server = await startHttpServer();
  me = await userWithData(server);
  reader = basic(me.userName, await tokenOf(me, ['vehicles.read', 'logbook.read', 'drivers.read']));
});
afterAll(() => server.close());

const get = (path: string, authorization = reader) =>
  server.call('GET', `/api/otapi/v1.0${path}`, { headers: { authorization } });
const day = () => {
  const query = {
    startTime: new Date(Date.now() - 86_400_000).toISOString(),
    stopTime: new Date(Date.now() + 60_000).toISOString(),
  };
  return String(new URLSearchParams(query));
};

interface Page {
  readonly data: readonly { readonly id: string; readonly vehicleId: string; readonly location: string }[];
}
const store = (vehicleId: string, positions: Parameters<typeof storePositions>[3], of = me) =>
  storePositions(server, of.accountId, Number(vehicleId), positions);

describe('[N14] the Open Telematics API', () => {
  it.each<[string, () => string | Promise<string>, OtapiObject]>([
    ['latest locations', () => '/fleet/locations/latest', LOCATIONS],
    ['locations of the fleet', () => `/fleet/locations/?${day()}`, LOCATIONS],
    ['locations of a vehicle', () => `/vehicles/${me.vehicleId}/locations/?${day()}`, LOCATIONS],
    ['the same without the last slash', () => `/vehicles/${me.vehicleId}/locations?${day()}`, LOCATIONS],
    ['a vehicle', () => `/vehicles/${me.vehicleId}`, VEHICLE],
    ['a driver', () => `/drivers/${me.driverId}`, DRIVER],
    ['the feed of vehicles', () => '/fleet/infos/feed', INFOS_FEED],
    ['the feed of records', () => '/event_logs/feed', LOG_EVENTS_FEED],
    [
      'what a driver’s availability follows from',
      () => `/drivers/${me.driverId}/availability_factors/?${day()}`,
      AVAILABILITY,
    ],
    ['the server’s health', () => '/health/current', HEALTH],
    ['a location', async () => `/fleet/locations/${(await latest()).data[0]?.id}`, LOCATION],
    ['a record', async () => `/event_logs/${await recordId()}`, LOG_EVENT],
  ])('answers %s as its specification says', async (_, path, object) => {
    const answer = await get(await path());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(faultsOf(answer.body, object)).toEqual([]);
  });

  const latest = async () => (await get('/fleet/locations/latest')).body as Page;
  const recordId = async () => {
    const rows = await server.context.db.system
      .selectFrom('duty_entry')
      .select('id')
      .where('account_id', '=', me.accountId)
      .execute();
    return rows[0]?.id;
  };

  it('gives a record with its units, its place and its check value', async () => {
    expect((await get(`/event_logs/${await recordId()}`)).body).toMatchObject({
      vehicleId: me.vehicleId,
      userId: { userType: 'USERTYPE_DRIVER', userId: me.driverId },
      eventType: 'EVENTTYPE_DUTY_ON',
      eventRecordStatus: 'STATE_ACTIVE',
      origin: 'ORIGIN_AUTOMATIC',
      eventDateTime: '2026-02-03T14:00:00.000Z',
      distanceSinceLastValidCoordinates: 0,
      distanceUnits: 'DISTANCEUNITS_MILES',
      location: { latitude: 41.88, longitude: -87.63, identifiedPlace: me.marker },
      eventDataChecksum: '00',
    });
  });

  it('asks for Basic authentication, and refuses tokens under another name and browsers’ sessions', async () => {
    const token = await tokenOf(me, ['vehicles.read']);
    const anonymous = await server.call('GET', '/api/otapi/v1.0/fleet/locations/latest');
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="protected", charset="UTF-8", Bearer',
    ]);
    const statuses = await Promise.all(
      [
        basic(me.userName, token),
        basic('someone', token),
        basic(me.userName, me.token),
        basic(me.userName, 'no'),
        'Basic %',
      ].map(async authorization => (await get('/fleet/locations/latest', authorization)).status),
    );
    expect(statuses).toEqual([200, 401, 401, 401, 401]);
    // Only where a standard needs it.
    const elsewhere = await server.call('GET', '/api/v1/device', {
      headers: { authorization: basic(me.userName, token) },
    });
    expect(elsewhere.status).toBe(401);
  });

  it('gives what the token’s scopes allow, and nothing after it is revoked', async () => {
    const { accountId, userId } = me;
    const apiToken = { name: 'x', scopes: ['vehicles.read'] as const, expiresAt: new Date(Date.now() + 60_000) };
    const { sessionId, token } = await server.sessions.open({ accountId, userId, apiToken });
    const authorization = basic(me.userName, token);
    expect((await get('/event_logs/feed', authorization)).status).toBe(403);
    expect((await get(`/drivers/${me.driverId}`, authorization)).status).toBe(403);
    expect((await get('/fleet/infos/feed', authorization)).status).toBe(200);
    await server.sessions.end([sessionId]);
    expect((await get('/fleet/infos/feed', authorization)).status).toBe(401);
  });

  it('refuses bad times, pages and tokens with 400, and too long a time with 413', async () => {
    const week = 'startTime=2026-01-01T00:00:00Z&stopTime=2026-02-01T00:00:00Z';
    const statuses = await Promise.all(
      [
        '/fleet/locations/',
        '/fleet/locations/?startTime=yesterday&stopTime=now',
        '/fleet/locations/?startTime=2026-01-02T00:00:00Z&stopTime=2026-01-01T00:00:00Z',
        `/fleet/locations/?${day()}&page=0`,
        `/fleet/locations/?${day()}&count=many`,
        '/fleet/infos/feed?token=nonsense',
        `/fleet/infos/feed?token=${Buffer.from('["5:4:",0]').toString('base64url')}`,
        `/event_logs/feed?token=${Buffer.from(JSON.stringify(['1:1:', Date.now() - 49 * 3_600_000])).toString('base64url')}`,
        `/fleet/locations/?${week}`,
        '/vehicles/2000000000',
        '/fleet/locations/nothing',
      ].map(async path => (await get(path)).status),
    );
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 400, 413, 404, 404]);
  });

  it('pages with the number of all in X-Total-Count, from the first moment up to and without the last', async () => {
    const other = await userWithData(server);
    const from = Date.parse('2026-11-01T10:00:00Z');
    const times = Array.from({ length: 7 }, (_, i) => from + i * 1000);
    await store(
      other.vehicleId,
      times.map(at => receivedPosition(at)),
      other,
    );
    const authorization = basic(other.userName, await tokenOf(other, ['vehicles.read']));
    const query = `startTime=2026-11-01T10:00:00.000Z&stopTime=2026-11-01T10:00:06.000Z`;
    const pages = await Promise.all(
      [1, 2, 3].map(page => get(`/fleet/locations/?${query}&count=4&page=${page}`, authorization)),
    );
    expect(pages.map(({ headers }) => headers.get('x-total-count'))).toEqual(['6', '6', '6']);
    expect(pages.map(({ body }) => (body as Page).data.length)).toEqual([4, 2, 0]);
    const ids = pages.flatMap(({ body }) => (body as Page).data.map(({ id }) => id));
    expect(ids).toEqual(times.slice(0, 6).map(at => `${other.vehicleId}-${at}`));
  });

  it('follows what comes in without loss or doubles, whatever commits late and however late a fix is', async () => {
    const now = Date.now();
    const begun = (await get('/fleet/infos/feed')).body as Feed;
    expect(begun.feed.coarseVehicleLocationTimeHistories.data).toEqual([]);
    const given: string[] = [];
    const follow = async (token: string): Promise<string> => {
      const { body } = await get(`/fleet/infos/feed?token=${token}`);
      const { feed, token: next } = body as Feed;
      given.push(...feed.coarseVehicleLocationTimeHistories.data.map(({ dateTime }) => dateTime));
      return next;
    };
    const row = (at: number, receivedAt = now) => ({
      ...{ account_id: me.accountId, vehicle_id: Number(me.vehicleId), fix_at: new Date(at), lat: 41.9, lon: -87.6 },
      ...{ received_at: new Date(receivedAt), valid: true, late: false, doubts: 0, protocol: 'teltonika' },
    });
    const { system } = server.context.db;
    const { promise: committed, resolve: commit } = Promise.withResolvers<void>();
    const { promise: written, resolve: told } = Promise.withResolvers<void>();
    // Received first, committed last.
    const slow = system.transaction().execute(async trx => {
      await trx
        .insertInto('position')
        .values(row(now - 9000, now - 2000))
        .execute();
      told();
      await committed;
    });
    await written;
    await system
      .insertInto('position')
      .values([row(now - 1000), row(now - 30 * 3_600_000)])
      .execute();
    const token = await follow(begun.token);
    expect(given).toHaveLength(2);
    commit();
    await slow;
    const after = await follow(token);
    expect(given).toHaveLength(3);
    await follow(after);
    expect(given).toHaveLength(3);
    expect(new Set(given).size).toBe(3);
    // The same place again gives the same.
    const again = (await get(`/fleet/infos/feed?token=${token}`)).body as Feed;
    expect(again.feed.coarseVehicleLocationTimeHistories.data.map(({ dateTime }) => dateTime)).toEqual([given[2]]);
  });

  interface Feed {
    readonly token: string;
    readonly feed: {
      readonly coarseVehicleLocationTimeHistories: { readonly data: readonly { readonly dateTime: string }[] };
    };
  }

  it('shows no doubted fix, no hidden one, and nothing of another account', async () => {
    const mine = await userWithData(server);
    const authorization = basic(mine.userName, await tokenOf(mine, ['vehicles.read']));
    const begun = (await get('/fleet/infos/feed', authorization)).body as Feed;
    const now = Date.now();
    await store(me.vehicleId, [receivedPosition(now)]);
    await store(
      mine.vehicleId,
      [receivedPosition(now, { valid: false }), receivedPosition(now + 1000, { lat: degrees(0), lon: degrees(0) })],
      mine,
    );
    await server.context.db.system
      .insertInto('private_position')
      .values({
        ...{
          account_id: mine.accountId,
          vehicle_id: Number(mine.vehicleId),
          fix_at: new Date(now + 2000),
          lat: 41,
          lon: -87,
        },
        ...{ received_at: new Date(now), valid: true, late: false, doubts: 0, protocol: 'teltonika' },
      })
      .execute();
    const { feed } = (await get(`/fleet/infos/feed?token=${begun.token}`, authorization)).body as Feed;
    expect(feed.coarseVehicleLocationTimeHistories.data).toEqual([]);
    // Another reader’s token opens nothing.
    const { feed: theirs } = (await get(`/fleet/infos/feed?token=${begun.token}`)).body as Feed;
    expect(theirs.coarseVehicleLocationTimeHistories.data).toHaveLength(1);
  });
});
