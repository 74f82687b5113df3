import { setTimeout as sleep } from 'node:timers/promises';
import { deviceTopic } from '@milepost/contract';
import type { MqttClient } from 'mqtt';
import type { Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { call, type SignedIn, signedIn } from '../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../testing/ingest.ts';
import { closed, granted, MqttClients, messagesTo, positionReport } from '../testing/mqtt.ts';
import { findNats, WHY_NO_NATS } from '../testing/nats.ts';
import { startNodes, type TestNode, type TestNodes } from '../testing/nodes.ts';
import { endOf, heardBy, joined } from '../testing/sockets.ts';

/** Two servers on one database and one bus: trackers report to A, and who looks is connected to B. */

const WAIT = { timeout: 35_000 };

describe.skipIf(!findNats())(`two nodes${findNats() ? '' : ` (${WHY_NO_NATS})`}`, () => {
  let both: TestNodes;
  let a: TestNode;
  let b: TestNode;
  let trackers: MqttClients;
  let browsers: MqttClients;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    both = await startNodes();
    [a, b] = both.nodes;
    trackers = new MqttClients(a);
    browsers = new MqttClients(b);
    await connected();
  });
  afterEach(() => {
    trackers.endAll();
    browsers.endAll();
    for (const socket of sockets.splice(0)) socket.disconnect();
  });
  afterAll(() => both?.close());

  const checksOf = async (node: TestNode): Promise<{ status: string; bus?: string }> => {
    const { status, checks } = await node.context.health.report();
    return { status, ...checks };
  };
  /** Each knows the bus, and each hears the other. */
  const connected = async (): Promise<void> => {
    await vi.waitFor(async () => {
      for (const node of [a, b]) expect((await checksOf(node)).bus).toBe('ok');
    }, WAIT);
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const) {
      let isHeard = false;
      const end = to.context.bus.listen('test', () => {
        isHeard = true;
      });
      while (!isHeard) {
        from.context.bus.publish('test', '');
        await sleep(20);
      }
      end();
    }
  };

  const vehicleOf = async ({ accountId }: Pick<SignedIn, 'accountId'>): Promise<TestVehicle> => {
    const vehicle = await addVehicle(a.context, accountId);
    await b.context.feed.settled();
    return vehicle;
  };
  let tabs = 0;
  /** A browser of node B that watches a vehicle. */
  const watching = async (who: SignedIn, vehicle: TestVehicle): Promise<MqttClient> => {
    const client = await browsers.browser(who, `.${++tabs}`);
    expect(await granted(client, deviceTopic(vehicle.imei))).toBe(true);
    return client;
  };
  const report = (tracker: MqttClient, { imei }: TestVehicle, fields: object = {}) =>
    tracker.publishAsync(deviceTopic(imei), JSON.stringify(positionReport(fields)), { qos: 1 });
  const latestAt = async (node: TestNode, { token }: SignedIn): Promise<{ imei: string; lat: number }[]> => {
    const { body } = await call(node.url, 'GET', '/api/v1/position/latest', { token });
    return body as { imei: string; lat: number }[];
  };

  it('what a tracker reports to one node reaches the browsers of the other live, in order, and no other account', async () => {
    const [ann, eve] = [await signedIn(a), await signedIn(a)];
    const [vehicle, other] = [await vehicleOf(ann), await vehicleOf(eve)];
    const seen = messagesTo(await watching(ann, vehicle));
    const seenByEve = messagesTo(await watching(eve, other));
    const tracker = await trackers.device(vehicle);
    const lats = Array.from({ length: 40 }, (_, n) => 41 + n / 1000);
    for (const lat of lats) {
      await report(tracker, vehicle, { lat });
      await sleep(25);
    }
    await expect.poll(() => JSON.stringify(seen.at(-1)), WAIT).toContain(String(lats.at(-1)));
    const shown = seen.flatMap(message => (message.action === 'positionReport' ? [message.lat] : []));
    expect(shown).toEqual(shown.toSorted((one, next) => one - next));
    expect(shown.length).toBeGreaterThan(1);
    expect(seenByEve).toEqual([]);
    expect((await latestAt(b, ann)).map(({ lat }) => lat)).toEqual([lats.at(-1)]);
    expect(await latestAt(b, eve)).toEqual([]);
  });

  it('a tracker that connects to the other node goes on there: one owner at a time, and a history as on one node', async () => {
    const ann = await signedIn(a);
    const vehicle = await vehicleOf(ann);
    const [ofA, ofB] = [await trackers.device(vehicle), await new MqttClients(b).device(vehicle)];
    const { system } = both.database.databases;
    for (const [n, [tracker, node]] of (
      [
        [ofA, a],
        [ofB, b],
        [ofA, a],
        [ofB, b],
      ] as const
    ).entries()) {
      await report(tracker, vehicle, { lat: 41.5 + n / 10_000 });
      const owner = await system
        .selectFrom('vehicle_owner')
        .select('node')
        .where('vehicle_id', '=', vehicle.id)
        .executeTakeFirst();
      expect(owner?.node).toBe(node.context.bus.nodeId);
    }
    ofB.end(true);
    const stored = await system
      .selectFrom('position')
      .select(['lat', 'late', 'doubts'])
      .where('vehicle_id', '=', vehicle.id)
      .orderBy('fix_at')
      .execute();
    expect(stored).toEqual([0, 1, 2, 3].map(n => ({ lat: 41.5 + n / 10_000, late: false, doubts: 0 })));
  });

  it('[R4.03] a session that ends, and a role that changes, close connections of the other node', async () => {
    const owner = await signedIn(a);
    const [bob, joe] = [
      await signedIn(a, { accountId: owner.accountId, role: 'viewer' }),
      await signedIn(a, { accountId: owner.accountId, role: 'viewer' }),
    ];
    const [bobs, joes] = [await browsers.browser(bob), await browsers.browser(joe)];
    const socket = await joined(b.url, '/eld', bob.token);
    sockets.push(socket);
    const ends = [closed(bobs), endOf(socket), closed(joes)];
    await call(a.url, 'POST', '/api/v1/signout', { token: bob.token });
    await call(a.url, 'PATCH', `/api/v1/update_my_user/${joe.userId}`, {
      token: owner.token,
      body: { role: 'dispatcher' },
    });
    await Promise.all(ends);
    expect((await call(b.url, 'GET', '/api/v1/read_me', { token: bob.token })).status).toBe(401);
  });

  it('a change made on one node, and an alert, are told on the other', async () => {
    const owner = await signedIn(a);
    const vehicle = await vehicleOf(owner);
    const socket = await joined(b.url, '/eld', owner.token);
    sockets.push(socket);
    const { events } = heardBy(socket);
    await socket.emitWithAck('follow_changes', { since: null });
    const tracker = await trackers.device(vehicle);
    await report(tracker, vehicle, { eventType: 'sos' });
    await expect.poll(() => events.map(([name]) => name), WAIT).toContain('alert_changed');
    const body = { deviceName: 'Renamed on A' };
    expect((await call(a.url, 'PATCH', `/api/v1/device/${vehicle.id}`, { token: owner.token, body })).status).toBe(200);
    await expect.poll(() => JSON.stringify(events), WAIT).toContain('"kind":"vehicle"');
    const read = await call(b.url, 'GET', `/api/v1/device/${vehicle.id}`, { token: owner.token });
    expect(read.body).toMatchObject(body);
  });

  it('[R4.03] an API token that is deleted ends its connections and event streams on the other node', async () => {
    const ann = await signedIn(a);
    const { token, sessionId } = await a.sessions.open({
      ...{ accountId: ann.accountId, userId: ann.userId },
      apiToken: { name: 'Program', scopes: ['vehicles.read'], expiresAt: new Date(Date.now() + 600_000) },
    });
    const stream = await fetch(`${b.url}/api/v1/events`, { headers: { authorization: `Bearer ${token}` } });
    expect(stream.status).toBe(200);
    const isOver = (async () => {
      for await (const _ of stream.body ?? []) if (!stream.body) return;
    })();
    const ends = [closed(await browsers.program(ann, token)), isOver];
    expect((await call(a.url, 'DELETE', `/api/v1/api_token/${sessionId}`, { token: ann.token })).status).toBe(200);
    await Promise.all(ends);
    expect((await call(b.url, 'GET', '/api/v1/read_me', { token })).status).toBe(401);
  });

  it('[R4.03] a deleted user’s browsers, and the tracker of a deleted vehicle, lose their connections to the other node', async () => {
    const owner = await signedIn(a);
    const bob = await signedIn(a, { accountId: owner.accountId, role: 'viewer' });
    const vehicle = await vehicleOf(owner);
    const socket = await joined(b.url, '/eld', bob.token);
    sockets.push(socket);
    const ends = [closed(await browsers.browser(bob)), endOf(socket)];
    const ofB = new MqttClients(b);
    const tracker = await ofB.device(vehicle);
    await report(tracker, vehicle);
    const trackerEnds = closed(tracker);
    const { token } = owner;
    expect((await call(a.url, 'DELETE', `/api/v1/delete_my_user/${bob.userId}`, { token })).status).toBe(200);
    expect((await call(a.url, 'DELETE', `/api/v1/device/${vehicle.id}`, { token })).status).toBe(200);
    await Promise.all([...ends, trackerEnds]);
    await expect.poll(() => latestAt(b, owner), WAIT).toEqual([]);
    ofB.endAll();
  });

  it('a vehicle that leaves a user’s sight is no longer told to them by the other node', async () => {
    const owner = await signedIn(a);
    const [vehicle, other] = [await vehicleOf(owner), await vehicleOf(owner)];
    const bob = await signedIn(a, { accountId: owner.accountId, role: 'viewer' });
    const made = await call(a.url, 'POST', '/api/v1/folder', {
      token: owner.token,
      body: { name: 'North', parentId: null },
    });
    const folderId = (made.body as { id: string }).id;
    const { token } = owner;
    const moved = await call(a.url, 'PATCH', `/api/v1/device/${vehicle.id}`, { token, body: { folderId } });
    expect([made.status, moved.status]).toEqual([201, 200]);
    const scope = { folderIds: [folderId], departmentIds: [] };
    const limited = await call(a.url, 'PATCH', `/api/v1/update_my_user/${bob.userId}`, { token, body: { scope } });
    expect([limited.status, limited.body]).toEqual([200, expect.anything()]);
    await b.context.feed.settled();
    const client = await watching(bob, vehicle);
    const seen = messagesTo(client);
    expect(await granted(client, deviceTopic(other.imei))).toBe(false);
    const tracker = await trackers.device(vehicle);
    await report(tracker, vehicle, { lat: 41.1 });
    await expect.poll(() => JSON.stringify(seen), WAIT).toContain('41.1');
    await call(a.url, 'PATCH', `/api/v1/device/${vehicle.id}`, { token, body: { folderId: null } });
    await b.context.feed.settled();
    await report(tracker, vehicle, { lat: 41.1002 });
    await expect.poll(async () => (await latestAt(b, owner)).map(({ lat }) => lat), WAIT).toEqual([41.1002]);
    expect(JSON.stringify(seen)).not.toContain('41.1002');
  });

  it('wrong passwords count on both nodes together', async () => {
    const ann = await signedIn(a);
    const tries = [a, b, a, b, a, b, a];
    const codes: unknown[] = [];
    for (const node of tries) {
      const body = { userName: ann.userName, password: 'this is not it' };
      const { body: answer } = await call(node.url, 'POST', '/api/v1/signin', { body });
      codes.push((answer as { code: string }).code);
    }
    expect(codes.slice(5)).toEqual(['too-many-tries', 'too-many-tries']);
    expect(new Set(codes.slice(0, 5)).size).toBe(1);
    expect(codes[0]).not.toBe('too-many-tries');
  });

  it('[I1] while the bus is away each node stores, acknowledges and shows its own; nothing is missing when it is back', async () => {
    const ann = await signedIn(a);
    const [vehicle, own] = [await vehicleOf(ann), await vehicleOf(ann)];
    const seen = messagesTo(await watching(ann, vehicle));
    const seenOfOwn = messagesTo(await watching(ann, own));
    const tracker = await trackers.device(vehicle);
    await report(tracker, vehicle, { lat: 41.1 });
    await expect.poll(() => JSON.stringify(seen), WAIT).toContain('41.1');

    both.nats.kill();
    await expect.poll(async () => (await checksOf(b)).bus, WAIT).toContain('live bus');
    await expect.poll(async () => (await checksOf(a)).bus, WAIT).toContain('live bus');
    expect((await checksOf(b)).status).toBe('ok');
    // Acknowledged after the commit.
    await report(tracker, vehicle, { lat: 41.1002 });
    const ofB = new MqttClients(b);
    await report(await ofB.device(own), own, { lat: 41.3 });
    await expect.poll(() => JSON.stringify(seenOfOwn), WAIT).toContain('41.3');
    expect(JSON.stringify(seen)).not.toContain('41.1002');

    await both.nats.restart();
    await connected();
    await expect.poll(() => JSON.stringify(seen), WAIT).toContain('41.1002');
    await expect.poll(async () => (await latestAt(a, ann)).map(({ lat }) => lat).sort(), WAIT).toEqual([41.1002, 41.3]);
    await report(tracker, vehicle, { lat: 41.1004 });
    await expect.poll(() => JSON.stringify(seen), WAIT).toContain('41.1004');
    ofB.endAll();
  });

  // The last: this machine's address is taken for a guesser's from then on.
  it('an address that guesses IMEIs at one node learns nothing at the other', async () => {
    const ann = await signedIn(a);
    const [known, other] = [await vehicleOf(ann), await vehicleOf(ann)];
    const isTaken = async (node: TestNode, imei: string): Promise<boolean> => {
      const query = `id=${imei}&lat=41.9&lon=-87.6&timestamp=${Math.floor(Date.now() / 1000)}`;
      return (await fetch(`http://127.0.0.1:${node.port('osmand')}/?${query}`)).ok;
    };
    expect(await isTaken(b, known.imei)).toBe(true);
    for (let guess = 0; guess < 60; guess++) expect(await isTaken(a, `86000000000${1000 + guess}`)).toBe(false);
    // What is said later arrives later.
    await connected();
    expect(await isTaken(b, other.imei)).toBe(false);
    // Its tracker came from there before.
    expect(await isTaken(b, known.imei)).toBe(true);
  });
});
