import type { Look, RouteAnswer, readMyPrivacy, readPrivacyOverview } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { shareLink } from '../../../testing/share-link.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { dropOldLooks } from '../tenancy/retention.ts';
import { whoDrove } from './who-drove.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let server: TestHttpServer;
let owner: SignedIn;
let dana: SignedIn;
let danaId: number;
let benId: number;
let truckId: number;
let serial = 0;

beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

/** Dana is the truck's usual driver, Ben has a card. Two hours ago Ben drove the truck for an hour. */
beforeEach(async () => {
  const { system } = server.context.db;
  owner = await signedIn(server);
  const { accountId } = owner;
  dana = await signedIn(server, { accountId, role: 'driver' });
  const card = `CARD${++serial}`;
  const [first, second] = await system
    .insertInto('driver')
    .values([
      { account_id: accountId, name: 'Dana', card: null, user_id: dana.userId },
      { account_id: accountId, name: 'Ben', card, user_id: null },
    ])
    .returning('id')
    .execute();
  [danaId, benId] = [first?.id ?? 0, second?.id ?? 0];
  const truck = await system
    .insertInto('vehicle')
    .values({
      account_id: accountId,
      imei: testImei(7000 + serial),
      name: 'T-1',
      usual_driver_id: danaId,
      device_key_hash: Buffer.alloc(32),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  truckId = truck.id;
  await server.context.feed.settled();
  await server.organisation.roster.settled();
  const nowMs = Date.now();
  const positions = Array.from({ length: 36 }, (_, i) => {
    const at = nowMs - 3 * HOUR + i * 5 * MINUTE;
    const isBens = at >= nowMs - 2 * HOUR && at < nowMs - HOUR;
    return receivedPosition(at, {
      rfid: isBens ? card : null,
      lat: (41.9 + i * 0.02) as never,
      speed: 20 as never,
      ignition: true,
    });
  });
  await storePositions(server, accountId, truckId, positions);
  await server.figures.manager.catchUp(accountId, [truckId], 10_000);
});

const between = (fromMs: number, toMs: number) =>
  `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
const get = async <T>(path: string, token: string): Promise<T> => {
  const answer = await server.call('GET', `/api/v1${path}`, { token });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.body as T;
};
const YEAR = () => between(Date.now() - 300 * DAY, Date.now() + MINUTE);
const myLooks = async () => (await get<{ looks: Look[] }>(`/my_privacy/look?${YEAR()}`, dana.token)).looks;
const looksOf = async (id: number) => {
  await server.looks.ledger.settled();
  return server.context.db.system.selectFrom('look').selectAll().where('driver_id', '=', id).execute();
};
const track = (fromMs: number, toMs: number, token = owner.token) =>
  server.call('GET', `/api/v1/device/${truckId}/track?columns=&${between(fromMs, toMs)}`, { token });

describe('[N8] a look at the past', () => {
  it('is in the ledger of those who drove then, and of nobody else', async () => {
    const nowMs = Date.now();
    expect((await track(nowMs - 110 * MINUTE, nowMs - 80 * MINUTE)).status).toBe(200);
    expect(await looksOf(danaId)).toEqual([]);
    expect(await looksOf(benId)).toMatchObject([{ kind: 'replay', via: 'session', user_id: owner.userId }]);
    await track(nowMs - 45 * MINUTE, nowMs - 30 * MINUTE);
    expect(await looksOf(danaId)).toMatchObject([{ kind: 'replay', user_name: owner.userName }]);
    expect(await looksOf(benId)).toHaveLength(1);
  });

  it('says for which time, and is one entry while the times meet', async () => {
    const nowMs = Date.now();
    await track(nowMs - 50 * MINUTE, nowMs - 30 * MINUTE);
    await track(nowMs - 40 * MINUTE, nowMs - 20 * MINUTE);
    const [look, ...others] = await myLooks();
    expect(others).toEqual([]);
    expect(look?.period).toEqual({
      from: new Date(nowMs - 50 * MINUTE).toISOString(),
      to: new Date(nowMs - 20 * MINUTE).toISOString(),
    });
  });

  it('of oneself is none, nor is one that was refused', async () => {
    const nowMs = Date.now();
    expect((await track(nowMs - 50 * MINUTE, nowMs, dana.token)).status).toBe(200);
    const stranger = await signedIn(server);
    expect((await track(nowMs - 50 * MINUTE, nowMs, stranger.token)).status).toBe(404);
    expect((await track(nowMs - 90 * DAY, nowMs)).status).toBe(400);
    expect(await myLooks()).toEqual([]);
  });

  it('of more than two months is told by the trips, and notes the usual driver as well', async () => {
    const vehicle = server.directory.findById(truckId);
    if (!vehicle) throw new Error('There is no truck.');
    const parts = { ...server.organisation, figures: server.figures };
    const drove = async (fromMs: number, toMs: number) => {
      const found = await whoDrove(server.context, parts, owner.accountId, [{ vehicle, period: { fromMs, toMs } }]);
      return [...found.keys()].map(({ name }) => name).toSorted();
    };
    const nowMs = Date.now();
    expect(await drove(nowMs - 70 * DAY, nowMs - 30 * MINUTE)).toEqual(['Ben', 'Dana']);
    expect(await drove(nowMs - 110 * MINUTE, nowMs - 80 * MINUTE)).toEqual(['Ben']);
    expect(await drove(nowMs - 200 * DAY, nowMs - 100 * DAY)).toEqual([]);
  });

  it('with an API token says so', async () => {
    const { sessionId, token } = await server.sessions.open({ ...owner, readOnly: false });
    const { system } = server.context.db;
    await system.updateTable('session').set({ kind: 'api-token' }).where('id', '=', sessionId).execute();
    await track(Date.now() - 50 * MINUTE, Date.now() - 30 * MINUTE, token);
    expect(await myLooks()).toMatchObject([{ kind: 'replay', via: 'api-token', user: { id: owner.userId } }]);
  });

  it('fails if it can’t be written, so that nothing leaves unnoted', async () => {
    const { pool } = server.context.db;
    await pool.query('alter table look rename to look_away');
    try {
      expect((await track(Date.now() - 50 * MINUTE, Date.now() - 30 * MINUTE)).status).toBe(500);
    } finally {
      await pool.query('alter table look_away rename to look');
    }
    await server.looks.ledger.settled();
  });
});

describe('[N8] a look at the fleet', () => {
  it('is one entry, however often the list is read, in the ledger within five seconds', async () => {
    for (let i = 0; i < 5; i++) await get('/device', owner.token);
    const { system } = server.context.db;
    await expect
      .poll(() => system.selectFrom('look').select('kind').where('driver_id', '=', danaId).execute())
      .toEqual([{ kind: 'map' }]);
    // The truck has Dana's usual place: Ben is nowhere.
    expect(await looksOf(benId)).toEqual([]);
  });

  it('lasts as long as someone listens to live positions', async () => {
    const vehicle = server.directory.findById(truckId);
    const session = await server.sessions.findByToken(owner.token);
    if (!vehicle || !session) throw new Error('The truck or the session is missing.');
    let isListening = true;
    server.looks.follow(() => (isListening ? [{ session, imeis: [vehicle.imei, 'nobody'] }] : []), 10);
    const lasted = async () => {
      const [row] = await looksOf(danaId);
      return row ? row.until_at.getTime() - row.began_at.getTime() : 0;
    };
    await expect.poll(lasted).toBeGreaterThan(50);
    isListening = false;
    expect(await myLooks()).toMatchObject([{ kind: 'map', period: null, user: { id: owner.userId } }]);
  });
});

describe('[N8] visitors of a share link', () => {
  it('are in the ledger by the link and who created it', async () => {
    const link = await shareLink(server, owner, truckId, 'For the yard');
    await storePositions(server, owner.accountId, truckId, [receivedPosition(Date.now())]);
    const read = await server.call('GET', '/api/v1/shared', { token: link.token });
    expect(read.status).toBe(200);
    expect((read.body as { shared: { vehicles: { live: unknown }[] } }).shared.vehicles[0]?.live).not.toBeNull();
    expect(await myLooks()).toMatchObject([
      { kind: 'share', via: 'share', user: { id: owner.userId }, link: { id: link.id, name: 'For the yard' } },
    ]);
  });
});

describe('[N8] my privacy', () => {
  it('names everyone who can see the driver now, and through what', async () => {
    const { system } = server.context.db;
    const { accountId } = owner;
    const folder = await system
      .insertInto('folder')
      .values({ account_id: accountId, name: 'North' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await system.updateTable('vehicle').set({ folder_id: folder.id }).where('id', '=', truckId).execute();
    const inFolder = await signedIn(server, { accountId, role: 'dispatcher' });
    const elsewhere = await signedIn(server, { accountId, role: 'dispatcher' });
    const limit = (userId: string, folders: number[]) =>
      system
        .updateTable('app_user')
        .set({ scope_folders: folders, scope_departments: [] })
        .where('id', '=', userId)
        .execute();
    await limit(inFolder.userId, [folder.id]);
    await limit(elsewhere.userId, []);
    await server.context.feed.settled();
    const mine = await get<RouteAnswer<typeof readMyPrivacy>>('/my_privacy', dana.token);
    expect(mine).toMatchObject({
      driver: { name: 'Dana', hasCard: false },
      vehicle: { deviceName: 'T-1' },
      keepLooksDays: 365,
    });
    expect(mine.viewers.map(({ id, through }) => [id, through]).toSorted()).toEqual(
      [
        [owner.userId, 'account'],
        [inFolder.userId, 'folder'],
      ].toSorted(),
    );
  });

  it('is empty for someone who is no driver', async () => {
    expect(await get('/my_privacy', owner.token)).toMatchObject({ driver: null, viewers: [], links: [] });
    expect(await get(`/my_privacy/look?${YEAR()}`, owner.token)).toEqual({ looks: [], next: null });
  });

  it('comes in pages, each entry once', async () => {
    const beganMs = Date.now() - 10 * DAY;
    const { accountId, userId } = owner;
    for (let i = 0; i < 450; i++) {
      server.looks.ledger.note(
        { accountId, userId, via: 'session' },
        [{ driverId: danaId, kind: 'replay', period: { fromMs: i * DAY, toMs: i * DAY + 1 } }],
        beganMs + Math.floor(i / 2),
      );
    }
    const ids: string[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const before = next === '' ? '' : `&before=${encodeURIComponent(next)}`;
      const page: { looks: Look[]; next: string | null } = await get(`/my_privacy/look?${YEAR()}${before}`, dana.token);
      ids.push(...page.looks.map(({ id }) => id));
      next = page.next;
    }
    expect([ids.length, new Set(ids).size]).toEqual([450, 450]);
  });
});

describe('[N8] the ledger of another', () => {
  it('is read by who may read the audit log, which says so, and the driver sees it', async () => {
    const path = `/driver/${danaId}/look?${YEAR()}`;
    await get(path, owner.token);
    await get(path, owner.token);
    const { system } = server.context.db;
    const entries = await system
      .selectFrom('audit_entry')
      .select(['user_id', 'target_name'])
      .where('account_id', '=', owner.accountId)
      .where('action', '=', 'privacy.ledger-read')
      .execute();
    expect(entries).toEqual([{ user_id: owner.userId, target_name: 'Dana' }]);
    expect(await myLooks()).toMatchObject([{ kind: 'ledger', user: { id: owner.userId } }]);
    const dispatcher = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
    expect((await server.call('GET', `/api/v1${path}`, { token: dispatcher.token })).status).toBe(403);
  });

  it('is counted for the whole account, without names', async () => {
    await track(Date.now() - 3 * HOUR, Date.now() - 30 * MINUTE);
    const overview = await get<RouteAnswer<typeof readPrivacyOverview>>('/privacy_overview', owner.token);
    expect(overview).toMatchObject({ drivers: 2, driversWithAccess: 1, keepLooksDays: 365 });
    expect(overview.kinds).toEqual([{ kind: 'replay', looks: 2, people: 1, drivers: 2 }]);
    expect(JSON.stringify(overview)).not.toContain(owner.userName);
  });
});

describe('[N8] the retention of the ledger', () => {
  it('follows the setting of each account', async () => {
    const { accountId, userId } = owner;
    const at = (days: number) =>
      server.looks.ledger.note(
        { accountId, userId, via: 'session' },
        [{ driverId: danaId, kind: 'map', period: null }],
        Date.now() - days * DAY,
      );
    for (const days of [400, 100, 10]) at(days);
    await server.looks.ledger.settled();
    await dropOldLooks(server.context.db);
    expect(await looksOf(danaId)).toHaveLength(2);
    const changed = await server.call('PATCH', '/api/v1/settings', { token: owner.token, body: { keepLooksDays: 60 } });
    expect(changed.status).toBe(200);
    const refused = await server.call('PATCH', '/api/v1/settings', { token: owner.token, body: { keepLooksDays: 7 } });
    expect(refused.status).toBe(400);
    await dropOldLooks(server.context.db);
    expect(await looksOf(danaId)).toHaveLength(1);
  });
});
