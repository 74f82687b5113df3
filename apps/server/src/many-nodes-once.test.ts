import { setTimeout as sleep } from 'node:timers/promises';
import { type Backup, DEFAULT_NOTIFICATION_SETTINGS, deviceTopic, type TaskEta } from '@milepost/contract';
import { teltonikaEncode } from '@milepost/decoders';
import { degrees } from '@milepost/units';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Line } from '../testing/app.ts';
import { call, type SignedIn, signedIn } from '../testing/http-server.ts';
import { addVehicle, positionMessage } from '../testing/ingest.ts';
import { type Mailbox, startMailbox } from '../testing/mailbox.ts';
import { MqttClients, positionReport } from '../testing/mqtt.ts';
import { findNats, WHY_NO_NATS } from '../testing/nats.ts';
import { startNodes, type TestNode, type TestNodes } from '../testing/nodes.ts';
import { PASSWORD } from '../testing/people.ts';
import { makeScratchFolder, removeScratchFolder } from '../testing/scratch.ts';
import { receivedPosition } from '../testing/stored-positions.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { advance } from './fleet/vehicle-state.ts';
import { tellStored } from './ingest/other-nodes.ts';

/** Two servers: what there must be one of, and what only one of them knows. */

const WAIT = { timeout: 60_000 };
vi.setConfig({ testTimeout: 120_000 });

describe.skipIf(!findNats())(`of two nodes${findNats() ? '' : ` (${WHY_NO_NATS})`}`, () => {
  let backups: string;
  let both: TestNodes;
  let a: TestNode;
  let b: TestNode;
  let mailbox: Mailbox;
  let hooks: WebhookReceiver;
  let owner: SignedIn;
  let links: (string | null)[];
  let trackers: MqttClients[];

  beforeAll(async () => {
    backups = makeScratchFolder();
    [mailbox, hooks] = await Promise.all([startMailbox(), startWebhookReceiver()]);
    both = await startNodes({ smtpUrl: mailbox.url, webhooks: { http: true, networks: ['127.0.0.1'] } });
    [a, b] = both.nodes;
    trackers = [new MqttClients(a), new MqttClients(b)];
    links = [a.app.ownerLink, b.app.ownerLink];
    await vi.waitFor(() => {
      for (const { context } of [a, b]) expect(context.bus.awaySince()).toBeNull();
    }, WAIT);
  });
  afterEach(() => {
    for (const each of trackers) each.endAll();
  });
  afterAll(async () => {
    await both?.close();
    await Promise.all([mailbox?.close(), hooks?.close()]);
    removeScratchFolder(backups);
  });

  const at = (node: TestNode, method: string, path: string, body?: object) =>
    call(node.url, method, `/api/v1/${path}`, { token: owner.token, ...(body && { body }) });
  const leading = async (): Promise<TestNode[]> => {
    const found: TestNode[] = [];
    for (const node of [a, b]) if (await node.context.leader.leads()) found.push(node);
    return found;
  };
  const theOther = (node: TestNode): TestNode => (node === a ? b : a);

  it('[R2.02] the link of the node that started first creates the owner at the other, once', async () => {
    const tokens = links.map(link => new URLSearchParams(new URL(link ?? '').hash.slice(1)).get('owner'));
    const create = (node: TestNode, token: string | null | undefined, userName: string) =>
      call(node.url, 'POST', '/api/v1/first_owner', { body: { token, userName, password: PASSWORD } });
    const answers = await Promise.all([create(b, tokens[0], 'ann'), create(a, tokens[1], 'bob')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const accounts = await both.database.databases.system.selectFrom('account').select('id').execute();
    expect(accounts).toHaveLength(1);
    for (const node of [a, b]) {
      expect((await call(node.url, 'GET', '/api/v1/client_settings')).body).toMatchObject({ needsOwner: false });
    }
    owner = await signedIn(a, { accountId: accounts[0]?.id ?? 0 });
  });

  it('one leads, and does the recurring work', async () => {
    const leads = await leading();
    expect(leads).toHaveLength(1);
    const jobs = await (leads[0] as TestNode).context.jobs.list();
    const name = 'lost-jobs';
    const lastOf = async () => (await a.context.jobs.list()).find(job => job.name === name)?.last?.endedAt ?? '';
    const before = await lastOf();
    expect(jobs.map(job => job.name)).toContain(name);
    // Asked of the one that doesn't lead.
    expect(await theOther(leads[0] as TestNode).context.jobs.runNow(name)).toBe(true);
    await expect.poll(async () => (await lastOf()) > before, WAIT).toBe(true);
  });

  it('one keeps the backup, whichever is asked, and both show how it is', async () => {
    const [leads] = await leading();
    const asked = theOther(leads as TestNode);
    const place = { endpoint: '', region: '', bucket: '', prefix: '', accessKey: '', secretKey: '' };
    const answer = await at(asked, 'PUT', 'backup', {
      ...{ kind: 'folder', folder: backups, ...place, everyHours: 24, keepDays: 14, verifyDays: 7, withMaps: false },
    });
    expect(answer.status).toBe(200);
    const read = async (node: TestNode) => (await at(node, 'GET', 'backup')).body as Backup;
    await expect.poll(async () => (await read(asked)).last, WAIT).not.toBeNull();
    expect(await read(leads as TestNode)).toMatchObject({ last: (await read(asked)).last, failures: { copy: null } });
    await expect.poll(async () => (await read(asked)).running, WAIT).toBeNull();
  });

  it('a page shows what a tracker sent to the other, newest first', async () => {
    const vehicle = await addVehicle(a.context, owner.accountId);
    await b.context.feed.settled();
    for (const [n, node] of [a, b].entries()) {
      const line = await Line.to(node.port('teltonika'));
      line.say(teltonikaEncode.encodeLogin(vehicle.imei));
      expect(await line.hear(1)).toBe('01');
      line.say(teltonikaEncode.encodePacket([positionMessage(Date.now() - 60_000 + n * 1000)]));
      expect(await line.hear(4)).toBe('00000001');
      line.hangUp();
    }
    const framesAt = async (node: TestNode) =>
      ((await at(node, 'GET', `device/${vehicle.id}/frame`)).body as { receivedAt: string; bytes: string }[]).map(
        ({ receivedAt, bytes }) => `${receivedAt} ${bytes}`,
      );
    const shown = await framesAt(a);
    expect(shown.length).toBeGreaterThanOrEqual(2);
    expect(shown).toEqual(shown.toSorted().toReversed());
    expect(await framesAt(b)).toEqual(shown);
    const eve = await signedIn(a);
    const others = await call(b.url, 'GET', `/api/v1/device/${vehicle.id}/frame`, { token: eve.token });
    expect(others.status).toBe(404);
  });

  it('where an import at one has left a vehicle is shown by the other', async () => {
    const vehicle = await addVehicle(a.context, owner.accountId);
    const position = receivedPosition(Date.now() - 3_600_000, { lat: degrees(42.7), lon: degrees(-87.1) });
    const state = advance(null, { receivedAt: position.receivedAt, positions: [position] }, () => {});
    await both.database.databases.system
      .insertInto('vehicle_state')
      .values({
        ...{ account_id: owner.accountId, vehicle_id: vehicle.id, heard_at: new Date(state.heardAt) },
        ...{ live: JSON.stringify(state.motion), newest: JSON.stringify(state.newest) },
      })
      .execute();
    tellStored(a.context.bus);
    await expect.poll(async () => JSON.stringify((await at(b, 'GET', 'position/latest')).body), WAIT).toContain('42.7');
  });

  it('when a driver will be at a task is known where nobody computes it', async () => {
    const [leads] = await leading();
    const made = await at(leads as TestNode, 'POST', 'task', {
      ...{ title: 'Deliver', ref: 'PO-1', stops: [{ name: 'Dock', lat: 41.9, lon: -87.68, actions: [] }] },
    });
    expect(made.status).toBe(201);
    const { id } = made.body as { id: string };
    const period = new URLSearchParams({ from: new Date(0).toISOString(), to: new Date().toISOString() });
    const eta: TaskEta = { at: new Date().toISOString(), arriveAt: null, spareS: 600, distanceM: 4000, reason: null };
    leads?.context.bus.publish('task-etas', JSON.stringify([[Number(id), eta]]));
    const read = async () => (await at(theOther(leads as TestNode), 'GET', `task?${period}`)).body;
    await expect.poll(async () => JSON.stringify(await read()), WAIT).toContain('"spareS":600');
  });

  it('[N4] emails and webhooks of alerts that open while the bus is away leave once, and none is missing', {
    timeout: 240_000,
  }, async () => {
    const { system } = both.database.databases;
    const recipient = { email: 'ann@example.com', password_hash: 'x' };
    await system.updateTable('app_user').set(recipient).where('id', '=', owner.userId).execute();
    expect((await at(a, 'PUT', 'notification_settings', { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true })).status).toBe(
      200,
    );
    const hook = { name: 'Guard', url: `${hooks.url}/hook`, severities: ['critical', 'warning', 'info'] };
    expect((await at(b, 'POST', 'webhook', hook)).status).toBe(201);
    const vehicles = await Promise.all(Array.from({ length: 6 }, () => addVehicle(a.context, owner.accountId)));
    for (const { context } of [a, b]) await context.feed.settled();
    both.nats.kill();
    await expect.poll(() => [a, b].every(({ context }) => context.bus.awaySince() !== null), WAIT).toBe(true);
    for (const [n, vehicle] of vehicles.entries()) {
      const tracker = await (trackers[n % 2] as MqttClients).device(vehicle);
      const report = JSON.stringify(positionReport({ eventType: 'sos' }));
      await tracker.publishAsync(deviceTopic(vehicle.imei), report, { qos: 1 });
    }
    const sos = () => system.selectFrom('alert').select('id').where('kind', '=', 'sos').execute();
    expect(await sos()).toHaveLength(vehicles.length);
    const deliveries = () => system.selectFrom('webhook_delivery').select('state').execute();
    await expect
      .poll(async () => (await deliveries()).filter(({ state }) => state === 'delivered').length, WAIT)
      .toBe(6);
    const mails = () => system.selectFrom('alert_mail').select(['alert_id', 'user_id', 'sent_at', 'mail_id']).execute();
    await expect
      .poll(
        async () => {
          const all = await mails();
          return all.length > 0 && all.every(({ sent_at }) => sent_at !== null);
          // Another mail to the same recipient waits for a minute.
        },
        { timeout: 150_000 },
      )
      .toBe(true);
    // Both have looked again since.
    await sleep(6000);
    const all = await mails();
    expect(new Set(all.map(({ alert_id }) => alert_id))).toEqual(new Set((await sos()).map(({ id }) => id)));
    expect(mailbox.mails).toHaveLength(new Set(all.map(({ mail_id }) => mail_id)).size);
    expect(hooks.posts).toHaveLength(vehicles.length);
    await both.nats.restart();
    await expect.poll(() => [a, b].every(({ context }) => context.bus.awaySince() === null), WAIT).toBe(true);
  });

  // The last: one of them stops.
  it('the other leads once the one that leads has stopped', async () => {
    const [leads] = await leading();
    await leads?.app.stop();
    const other = theOther(leads as TestNode);
    await expect.poll(() => other.context.leader.leads(), WAIT).toBe(true);
  });
});
