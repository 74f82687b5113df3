import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import type { Shared } from '@milepost/contract';
import { degrees, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, callerOf, limit } from '../../../testing/organisation.ts';
import { auditOf } from '../../../testing/people.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { createSharedLinks } from './shared.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let server: TestHttpServer;
let logged = '';
beforeAll(async () => {
  const stream = new Writable({
    write: (line, _encoding, done) => {
      logged += line;
      done();
    },
  });
  server = await startHttpServer({ log: pino({ level: 'trace' }, stream) });
});
afterAll(() => server.close());

interface Made {
  readonly id: string;
  readonly token: string;
}

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();

async function fleet(role: 'owner' | 'dispatcher' = 'owner') {
  const owner = await signedIn(server);
  const sharer = role === 'owner' ? owner : await signedIn(server, { accountId: owner.accountId, role });
  const vehicle = await addNamedVehicle(server, owner.accountId, 'Unit 4127');
  const other = await addNamedVehicle(server, owner.accountId, 'Unit 4128');
  return { owner, sharer, vehicle, other };
}

async function share(by: SignedIn, deviceIds: readonly string[], wishes: object = {}): Promise<Made> {
  const body = { deviceIds, expiresAt: inHours(4), showTrail: true, showSpeed: true, ...wishes };
  const answer = await callerOf(server, by)('POST', '/share', body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const { share, url } = answer.body as { share: { id: string }; url: string };
  return { id: share.id, token: new URL(url).hash.slice(1) };
}

/** Sets when a link begins, as if time had passed since it was made. */
async function begin(id: string, startsAt: number): Promise<void> {
  await server.context.db.system
    .updateTable('share_link')
    .set({ starts_at: new Date(startsAt) })
    .where('id', '=', Number(id))
    .execute();
}

const visitor = (token: string, headers: Readonly<Record<string, string>> = {}) => ({
  read: async () => {
    const { status, body } = await server.call('GET', '/api/v1/shared', { token, headers });
    return { status, shared: (body as { shared: Shared }).shared, code: (body as { code?: string }).code };
  },
  trail: async (key: string, since = '') => {
    const path = `/api/v1/shared/${key}/trail${since && `?since=${since}`}`;
    const { status, body } = await server.call('GET', path, { token });
    return { status, times: (body as { points?: { at: string }[] }).points?.map(({ at }) => Date.parse(at)) ?? [] };
  },
  visit: () => server.call('POST', '/api/v1/shared/visit', { token, headers }),
});

describe('what a link shows', () => {
  it('are its own vehicles, live, without anything that identifies them elsewhere', async () => {
    const { owner, vehicle, other } = await fleet();
    const { token } = await share(owner, [vehicle.id], { name: 'Load 88', note: 'Dock 4' });
    const at = Date.now() + 2000;
    const moving = { speed: metresPerSecond(20), course: degrees(45), ignition: true, rfid: 'SECRETCARD' };
    for (const id of [vehicle.id, other.id]) {
      await storePositions(server, owner.accountId, Number(id), [receivedPosition(at, moving)]);
    }
    const { status, shared } = await visitor(token).read();
    expect(status).toBe(200);
    expect(shared).toMatchObject({ name: 'Load 88', note: 'Dock 4', brand: { name: owner.userName } });
    expect(shared.vehicles).toMatchObject([
      { name: 'Unit 4127', course: 45, speed: 72, address: expect.any(String), live: { lat: 41.9, lon: -87.68 } },
    ]);
    const text = JSON.stringify(shared);
    for (const secret of [vehicle.imei, other.imei, 'Unit 4128', 'SECRETCARD', '"id"'])
      expect(text).not.toContain(secret);
  });

  it('is nothing from before or after its window, and no speed or trail unless it allows them', async () => {
    const { owner, vehicle } = await fleet();
    const id = Number(vehicle.id);
    await storePositions(server, owner.accountId, id, [receivedPosition(Date.now() - HOUR)]);
    const link = await share(owner, [vehicle.id], { showTrail: false, showSpeed: false });
    const before = await visitor(link.token).read();
    expect(before.shared.vehicles).toMatchObject([{ live: null, speed: null, address: null, course: null }]);
    await storePositions(server, owner.accountId, id, [
      receivedPosition(Date.now() + 2000, { speed: metresPerSecond(10) }),
    ]);
    const { shared } = await visitor(link.token).read();
    expect(shared.vehicles).toMatchObject([{ live: { lat: 41.9 }, speed: null }]);
    // Visitors don't learn how long the vehicle stood before the link began.
    expect(Date.parse(shared.vehicles[0]?.live?.motionSince ?? '')).toBeGreaterThanOrEqual(Date.parse(shared.startsAt));
    expect(await visitor(link.token).trail(shared.vehicles[0]?.key ?? '')).toMatchObject({ status: 404 });
  });

  it('names and outlines the geofences that its vehicles are inside only if it says so, with no time from before it', async () => {
    const { owner, vehicle } = await fleet();
    const id = Number(vehicle.id);
    const shape = { kind: 'circle', center: [-87.68, 41.9], radiusM: 300 };
    const { id: depot } = (await callerOf(server, owner)('POST', '/geofence', { name: 'Depot North', shape })).body as {
      id: string;
    };
    const since = Date.now() - HOUR;
    await server.context.db.system
      .insertInto('visit')
      .values({
        ...{ account_id: owner.accountId, vehicle_id: id, geofence_id: Number(depot), is_pass: false },
        ...{
          in_at: new Date(since),
          in_after: new Date(since),
          in_before: new Date(since),
          in_lat: 41.9,
          in_lon: -87.68,
        },
        ...{ in_known_at: new Date(since), in_confidence: 1, out_at: null, out_after: null, out_before: null },
        ...{ out_known_at: null, out_confidence: null, out_lat: null, out_lon: null },
      })
      .execute();
    await storePositions(server, owner.accountId, id, [receivedPosition(Date.now() + 2000)]);
    const plain = await visitor((await share(owner, [vehicle.id])).token).read();
    expect(plain.shared).toMatchObject({ showGeofences: false, vehicles: [{ inside: [] }], geofences: [] });
    const named = await share(owner, [vehicle.id], { showGeofences: true });
    const { shared } = await visitor(named.token).read();
    expect(shared.vehicles).toMatchObject([
      { inside: [{ name: 'Depot North', since: shared.startsAt, isAtLeast: true }] },
    ]);
    expect(shared.geofences).toEqual([{ name: 'Depot North', color: 'blue', isRestricted: false, shape }]);
    await begin(named.id, since - MINUTE);
    expect((await visitor(named.token).read()).shared.vehicles).toMatchObject([
      { inside: [{ since: new Date(since).toISOString(), isAtLeast: false }] },
    ]);
  });

  it('says when a vehicle is expected at its task, as an estimate, until the task is over', async () => {
    const { owner, vehicle, other } = await fleet();
    const call = callerOf(server, owner);
    const made = await call('POST', '/driver', { name: 'Dana' });
    const driverId = (made.body as { id: string }).id;
    await server.organisation.roster.settled();
    const stops = [{ name: 'Dock 9', lat: 42, lon: -87 }];
    const task = await call('POST', '/task', { title: 'SECRET load', driverId, vehicleId: vehicle.id, stops });
    const taskId = (task.body as { id: string }).id;
    const elsewhere = { deviceIds: [other.id], expiresAt: inHours(4), showTrail: true, showSpeed: true, taskId };
    expect((await call('POST', '/share', elsewhere)).status).toBe(404);
    const { token } = await share(owner, [vehicle.id, other.id], { taskId });
    const eta = { at: inHours(0), arriveAt: inHours(1), spareS: null, distanceM: 5, reason: null };
    const places = { placeOf: () => null };
    const links = createSharedLinks(server.context, {
      ...{ ...server.organisation, places, looks: server.looks },
      etaOf: () => eta,
    });
    const shown = async () => {
      const link = await links.find(token);
      if (!link) throw new Error('The link is gone.');
      return (await links.read(link)).vehicles.map(one => one.eta);
    };
    // Before its first position within the link's period, nothing says where it is.
    expect(await shown()).toEqual([null, null]);
    for (const id of [vehicle.id, other.id]) {
      await storePositions(server, owner.accountId, Number(id), [receivedPosition(Date.now() + 2000)]);
    }
    expect(await shown()).toEqual([{ stop: 'Dock 9', arriveAt: eta.arriveAt, at: eta.at, arrivedAt: null }, null]);
    expect(JSON.stringify((await visitor(token).read()).shared)).not.toContain('SECRET');
    const step = { account_id: owner.accountId, task_id: Number(taskId), report_id: randomUUID() };
    const at = new Date(Date.now() - 5 * HOUR);
    await server.context.db.system
      .insertInto('task_step')
      .values({ ...step, at, state: 'arrived', done_by: 'vehicle', user_id: null })
      .execute();
    const [arrived] = await shown();
    expect(arrived).toMatchObject({ arriveAt: null });
    expect(Date.parse(arrived?.arrivedAt ?? '')).toBeGreaterThan(at.getTime());
    await call('POST', `/task/${taskId}/cancel`, {});
    expect(await shown()).toEqual([null, null]);
  });

  it('never includes a moment outside the window, whatever was driven and whenever the link began', async () => {
    const { owner, vehicle } = await fleet();
    const { token, id } = await share(owner, [vehicle.id]);
    const start = Date.now() - 20 * HOUR;
    const drive = Array.from({ length: 400 }, (_, i) =>
      receivedPosition(start + i * 3 * MINUTE, { lon: degrees(-87.68 + i * 0.002), speed: metresPerSecond(15) }),
    );
    await storePositions(server, owner.accountId, Number(vehicle.id), drive);
    const [first, last] = [start, start + 399 * 3 * MINUTE];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -60, max: 1400 }), async minutes => {
        const startsAt = first + minutes * MINUTE;
        await begin(id, startsAt);
        const { shared } = await visitor(token).read();
        const [shown] = shared.vehicles;
        expect(shown?.live === null).toBe(last < startsAt);
        const { times } = await visitor(token).trail(shown?.key ?? '');
        expect(times.filter(time => time < startsAt)).toEqual([]);
        expect(times.length > 0).toBe(last >= startsAt);
        expect(times.at(-1) ?? last).toBe(last);
      }),
      { numRuns: 25 },
    );
  });

  it('adds only what is newer than the visitor has', async () => {
    const { owner, vehicle } = await fleet();
    const { token } = await share(owner, [vehicle.id]);
    const at = Date.now() + 1000;
    const drive = [0, 1, 2].map(i => receivedPosition(at + i * 10_000, { lon: degrees(-87.68 + i * 0.01) }));
    await storePositions(server, owner.accountId, Number(vehicle.id), drive);
    const key = (await visitor(token).read()).shared.vehicles[0]?.key ?? '';
    expect((await visitor(token).trail(key)).times).toHaveLength(3);
    expect((await visitor(token).trail(key, new Date(at).toISOString())).times).toEqual([at + 10_000, at + 20_000]);
  });

  it('is sent once, and again only if it has changed', async () => {
    const { owner, vehicle } = await fleet();
    const { token } = await share(owner, [vehicle.id]);
    const { headers } = await server.call('GET', '/api/v1/shared', { token });
    const again = { token, headers: { 'if-none-match': headers.get('etag') ?? '' } };
    expect((await server.call('GET', '/api/v1/shared', again)).status).toBe(304);
    await storePositions(server, owner.accountId, Number(vehicle.id), [receivedPosition(Date.now() + 1000)]);
    expect((await server.call('GET', '/api/v1/shared', again)).status).toBe(200);
  });

  it('opens when it begins', async () => {
    const { owner, vehicle } = await fleet();
    await storePositions(server, owner.accountId, Number(vehicle.id), [receivedPosition(Date.now() + 1000)]);
    const { token } = await share(owner, [vehicle.id], { startsAt: inHours(1) });
    expect((await visitor(token).read()).shared).toMatchObject({ vehicles: [{ name: 'Unit 4127', live: null }] });
  });
});

describe('a link has ended', () => {
  const OVER = { status: 404, code: 'share-over' };
  const all = ['is over', 'was revoked', 'was made by someone who was deactivated', 'never was'] as const;

  it.each(all)('that %s, in the same words', async how => {
    const { owner, sharer, vehicle } = await fleet('dispatcher');
    const link = await share(sharer, [vehicle.id]);
    const key = (await visitor(link.token).read()).shared.vehicles[0]?.key ?? '';
    const { system } = server.context.db;
    if (how === 'is over') {
      const past = { starts_at: new Date(Date.now() - HOUR), expires_at: new Date(Date.now() - 1) };
      await system.updateTable('share_link').set(past).where('id', '=', Number(link.id)).execute();
    } else if (how === 'was revoked') {
      expect((await callerOf(server, owner)('DELETE', `/share/${link.id}`)).status).toBe(200);
    } else if (how === 'was made by someone who was deactivated') {
      await system.updateTable('app_user').set({ active: false }).where('id', '=', sharer.userId).execute();
    }
    const token = how === 'never was' ? `${link.token.slice(0, -1)}_` : link.token;
    expect(await visitor(token).read()).toMatchObject(OVER);
    expect(await visitor(token).trail(key)).toMatchObject({ status: 404 });
    expect((await visitor(token).visit()).status).toBe(404);
  });

  it('for a vehicle that is deleted or that its creator no longer sees; the others stay', async () => {
    const { owner, sharer, vehicle, other } = await fleet('dispatcher');
    const { token } = await share(sharer, [vehicle.id, other.id]);
    const names = async () => (await visitor(token).read()).shared.vehicles.map(({ name }) => name);
    expect(await names()).toEqual(['Unit 4127', 'Unit 4128']);
    const folder = await callerOf(server, owner)('POST', '/folder', { name: 'North' });
    const { id } = folder.body as { id: string };
    await callerOf(server, owner)('PATCH', `/folder/assign/${id}`, { devices: [other.id] });
    await limit(server.context, sharer, { folders: [id] });
    expect(await names()).toEqual(['Unit 4128']);
    expect((await callerOf(server, owner)('DELETE', `/device/${other.id}`)).status).toBe(200);
    expect(await names()).toEqual([]);
  });

  it('if its creator’s role may no longer share', async () => {
    const { sharer, vehicle } = await fleet('dispatcher');
    const { token } = await share(sharer, [vehicle.id]);
    const { system } = server.context.db;
    await system.updateTable('app_user').set({ role: 'viewer' }).where('id', '=', sharer.userId).execute();
    expect(await visitor(token).read()).toMatchObject(OVER);
  });
});

describe('a link’s token', () => {
  it('opens nothing else, and a session’s token opens no link', async () => {
    const { owner, vehicle } = await fleet();
    const { token } = await share(owner, [vehicle.id]);
    for (const path of ['/device', '/read_me', '/share', '/position/latest']) {
      expect((await server.call('GET', `/api/v1${path}`, { token })).status).toBe(401);
    }
    expect(await visitor(owner.token).read()).toMatchObject({ status: 404, code: 'share-over' });
  });

  it('shows no vehicle of another link', async () => {
    const [mine, theirs] = [await fleet(), await fleet()];
    const [my, their] = [await share(mine.owner, [mine.vehicle.id]), await share(theirs.owner, [theirs.vehicle.id])];
    const key = (await visitor(their.token).read()).shared.vehicles[0]?.key ?? '';
    expect(await visitor(my.token).trail(key)).toMatchObject({ status: 404 });
  });

  it('is stored as a hash, and never logged', async () => {
    const { owner, vehicle } = await fleet();
    const { token } = await share(owner, [vehicle.id]);
    await visitor(token).read();
    await fetch(`${server.url}/s/${token}`);
    await fetch(`${server.url}/api/v1/shared?token=${token}`);
    expect(logged).toContain('/api/v1/shared');
    expect(logged).not.toContain(token);
    const rows = await server.context.db.system.selectFrom('share_link').selectAll().execute();
    expect(
      JSON.stringify(rows.map(row => ({ ...row, token_hash: row.token_hash.toString('base64url') }))),
    ).not.toContain(token);
  });
});

describe('who shares', () => {
  it('sees who looked and when; programs, prefetching and reload loops do not count', async () => {
    const { owner, vehicle } = await fleet();
    const { token, id } = await share(owner, [vehicle.id]);
    await visitor(token).visit();
    await visitor(token, { 'user-agent': 'Slackbot-LinkExpanding 1.0' }).visit();
    await visitor(token, { 'sec-purpose': 'prefetch' }).visit();
    const one = await callerOf(server, owner)('GET', `/share?deviceId=${vehicle.id}`);
    expect(one.body).toMatchObject({ shares: [{ id, views: 1, lastViewedAt: expect.any(String), state: 'open' }] });
    for (let i = 0; i < 30; i++) expect((await visitor(token).visit()).status).toBe(200);
    const many = await callerOf(server, owner)('GET', '/share');
    expect(many.body).toMatchObject({ shares: [{ views: 20 }] });
  });

  it('a dispatcher may share for a week, an owner for longer, and nobody what they can’t see', async () => {
    const { owner, sharer, vehicle, other } = await fleet('dispatcher');
    const month = { deviceIds: [vehicle.id], expiresAt: inHours(30 * 24), showTrail: true, showSpeed: true };
    expect(await callerOf(server, sharer)('POST', '/share', month)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'expiresAt', message: 'You can share for up to 7 days.' }] },
    });
    expect((await callerOf(server, owner)('POST', '/share', month)).status).toBe(201);
    const both = await share(owner, [vehicle.id, other.id]);
    await limit(server.context, sharer, { folders: [] });
    const week = { ...month, expiresAt: inHours(1) };
    expect((await callerOf(server, sharer)('POST', '/share', week)).status).toBe(404);
    expect((await callerOf(server, sharer)('PATCH', `/share/${both.id}`, { name: 'Mine' })).status).toBe(404);
    expect((await callerOf(server, sharer)('GET', '/share')).body).toEqual({ shares: [] });
  });

  it('can change the end or end a link for good, both in the audit log', async () => {
    const { owner, vehicle } = await fleet();
    const { id, token } = await share(owner, [vehicle.id]);
    const call = callerOf(server, owner);
    const expiresAt = inHours(2);
    expect(await call('PATCH', `/share/${id}`, { expiresAt, name: 'Load 9' })).toMatchObject({
      body: { share: { expiresAt, name: 'Load 9' } },
    });
    expect((await visitor(token).read()).shared).toMatchObject({ expiresAt, name: 'Load 9' });
    expect((await call('DELETE', `/share/${id}`)).body).toMatchObject({ share: { state: 'revoked' } });
    expect(await call('PATCH', `/share/${id}`, { expiresAt })).toMatchObject({ body: { code: 'share-ended' } });
    const deeds = (await auditOf(server, owner.accountId)).map(({ action }) => action);
    expect(deeds).toEqual(expect.arrayContaining(['share.created', 'share.changed', 'share.revoked']));
  });
});

it.each(['expiresAt', 'name'])('can’t change an ended link’s %s', async field => {
  const { owner, vehicle } = await fleet();
  const { id, token } = await share(owner, [vehicle.id]);
  const past = { starts_at: new Date(Date.now() - 2 * HOUR), expires_at: new Date(Date.now() - HOUR) };
  await server.context.db.system.updateTable('share_link').set(past).where('id', '=', Number(id)).execute();
  await storePositions(server, owner.accountId, Number(vehicle.id), [receivedPosition(Date.now() - 30 * MINUTE)]);
  const answer = await callerOf(server, owner)('PATCH', `/share/${id}`, { [field]: inHours(2) });
  expect(answer).toMatchObject({ status: 409, body: { code: 'share-ended' } });
  expect(await visitor(token).read()).toMatchObject({ status: 404, code: 'share-over' });
});

// The last test, because the address is blocked afterwards.
it('limits guesses of tokens', async () => {
  const tries = [];
  for (let i = 0; i < 40; i++) tries.push((await visitor(`guess-${i}`).read()).status);
  expect(tries).toContain(404);
  expect(tries.at(-1)).toBe(429);
});
