import { createHmac } from 'node:crypto';
import { ALERT_KINDS, type Webhook, type WebhookDelivery } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { testContext } from '../../../testing/context.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { alertedDriver, looksOf } from '../../../testing/looks.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { auditOf, type Person, person } from '../../../testing/people.ts';
import { type ReceivedPost, startWebhookReceiver, type WebhookReceiver } from '../../../testing/webhook-receiver.ts';
import { forgetOldDeliveries, RETRY_DELAYS_MS } from './queue.ts';
import { openWebhooks } from './webhooks.ts';

/** From an alert to a program that receives it, over real HTTP. */

vi.setConfig({ testTimeout: 60_000 });

const ALLOWED = { http: true, networks: ['127.0.0.1'] };
let receiver: WebhookReceiver;
let server: TestHttpServer;
let strict: TestHttpServer;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  server = await startHttpServer({ config: { webhooks: ALLOWED } });
  strict = await startHttpServer();
});
afterAll(async () => {
  await server.close();
  await strict.close();
  await receiver.close();
});

let owner: Person;
let truck: number;
beforeEach(async () => {
  receiver.posts.length = 0;
  receiver.answer(200);
  await server.context.db.system.deleteFrom('webhook').execute();
  owner = await person(server);
  truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
});

const ALL = { name: 'Desk', severities: ['critical', 'warning', 'info'] };
async function addWebhook(fields: object = {}, by = owner): Promise<Webhook & { secret: string }> {
  const answer = await by.call('POST', 'webhook', { ...ALL, url: `${receiver.url}/hook`, ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return answer.body as Webhook & { secret: string };
}
const alert = (fields: Parameters<typeof addAlert>[3] = {}) => addAlert(server, owner.accountId, truck, fields);
const listed = async (id: string, query = '') =>
  (await owner.call('GET', `webhook/${id}/delivery${query}`)).body as WebhookDelivery[];
const later = (ms: number) => new Date(Date.now() + ms);
/** The database's clock counts microseconds: what was written just now is due then. */
const deliver = () => server.webhooks.look(later(100));

function isGenuine({ headers, body }: ReceivedPost, secret: string): boolean {
  const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['milepost-signature'])) ?? [];
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < 60;
  return isFresh && createHmac('sha256', secret).update(`${time}.${body}`).digest('hex') === signature;
}

describe('an alert', () => {
  it('is delivered to each webhook that wants it, signed with its secret', async () => {
    const desk = await addWebhook();
    const other = await addWebhook({ name: 'Other', url: `${receiver.url}/other`, kinds: ['sos', 'crash'] });
    await addWebhook({ name: 'Speed', url: `${receiver.url}/speed`, kinds: ['overspeed'] });
    await addWebhook({ name: 'Small', url: `${receiver.url}/small`, severities: ['info'] });
    await addWebhook({ name: 'Off', url: `${receiver.url}/off`, enabled: false });
    const id = await alert();
    await deliver();
    expect(receiver.posts.map(({ path }) => path).toSorted()).toEqual(['/hook', '/other']);
    for (const post of receiver.posts) {
      expect(isGenuine(post, post.path === '/hook' ? desk.secret : other.secret)).toBe(true);
      expect(post.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'milepost-event': 'alert.opened',
        'user-agent': 'Milepost/0.0.0-test',
      });
      const content = JSON.parse(post.body);
      expect(content).toMatchObject({
        id: post.headers['milepost-delivery'],
        type: 'alert.opened',
        organization: expect.stringMatching(/^Fleet/),
        alert: { id, kind: 'sos', severity: 'critical', deviceName: '4127', lat: 41.9 },
        link: 'http://localhost:8080/alerts?q=4127&kind=sos',
      });
    }
    expect(await listed(desk.id)).toMatchObject([
      { state: 'delivered', tries: 1, status: 200, failure: null, nextAt: null, alert: { id, deviceName: '4127' } },
    ]);
    const all = (await owner.call('GET', 'webhook')).body as Webhook[];
    expect(all.find(({ id }) => id === desk.id)).toMatchObject({
      ...{ waiting: 0, lastDeliveredAt: expect.any(String), failing: null },
    });
  });

  it('of any kind is delivered, those included that this version does not know', async () => {
    await addWebhook();
    await alert({ kind: 'of-the-next-version', severity: 'warning' });
    await deliver();
    expect(receiver.posts.map(({ body }) => JSON.parse(body).alert.kind)).toEqual(['of-the-next-version']);
  });

  it('[R6.04] of every kind reaches the webhooks of its own account, and nobody else’s', async () => {
    const stranger = await person(server);
    await addWebhook();
    const { id } = await addWebhook({ url: `${receiver.url}/stranger` }, stranger);
    for (const kind of ALERT_KINDS) await alert({ kind });
    await deliver();
    await vi.waitFor(async () => {
      await deliver();
      expect(new Set(receiver.posts.map(({ body }) => JSON.parse(body).alert.kind))).toEqual(new Set(ALERT_KINDS));
    });
    expect(new Set(receiver.posts.map(({ path }) => path))).toEqual(new Set(['/hook']));
    expect((await stranger.call('GET', `webhook/${id}/delivery`)).body).toEqual([]);
  });

  it('of one of the account’s own rules names the rule', async () => {
    const { id } = await addWebhook();
    await alert({
      kind: 'rule',
      severity: 'warning',
      event: null,
      rule: { name: 'Late at the yard', action: null, geofence: null },
    });
    await deliver();
    expect(JSON.parse(receiver.posts[0]?.body ?? '').alert).toMatchObject({
      kind: 'rule',
      rule: { id: null, name: 'Late at the yard' },
    });
    expect(await listed(id)).toMatchObject([{ alert: { kind: 'rule', rule: 'Late at the yard' } }]);
  });

  it('that was not written is not delivered, nor one that was over for long when it came', async () => {
    const { id } = await addWebhook();
    const { system } = server.context.db;
    const rolledBack = system.transaction().execute(async trx => {
      await addAlert({ context: { db: { ...server.context.db, system: trx } } }, owner.accountId, truck);
      throw new Error('The server ends here');
    });
    await expect(rolledBack).rejects.toThrow('ends here');
    await alert({ acknowledged_at: new Date() });
    await deliver();
    expect([receiver.posts, await listed(id)]).toEqual([[], []]);
  });

  it('is tried again after growing delays with the same content and a fresh signature, then fails for good', async () => {
    const { id, secret } = await addWebhook();
    await alert();
    receiver.answer(response => response.writeHead(503).end('<b>Busy</b>\n'.repeat(100)));
    let at = Date.now() + 100;
    for (const [i, delay] of [...RETRY_DELAYS_MS, null].entries()) {
      await server.webhooks.look(new Date(at));
      const [delivery] = await listed(id);
      expect(delivery).toMatchObject({
        ...{ state: delay === null ? 'failed' : 'waiting', tries: i + 1, status: 503, failure: 'refused' },
        nextAt: delay === null ? null : new Date(at + delay).toISOString(),
      });
      expect(delivery?.answer).toHaveLength(300);
      // Not before its time.
      if (delay !== null) await server.webhooks.look(new Date(at + delay - 1));
      expect(receiver.posts).toHaveLength(i + 1);
      at += delay ?? 0;
    }
    expect(new Set(receiver.posts.map(({ body }) => body)).size).toBe(1);
    expect(receiver.posts.every(post => isGenuine(post, secret))).toBe(true);
    expect((await owner.call('GET', 'webhook')).body).toMatchObject([
      { failed: 1, waiting: 0, failing: { failure: 'refused', status: 503, at: expect.any(String) } },
    ]);

    // By hand, when the receiver works again.
    receiver.answer(204);
    const [failed] = await listed(id, '?state=failed');
    const again = await owner.call('POST', `webhook_delivery/${failed?.id}/send`);
    expect(again.body).toMatchObject({ state: 'waiting', tries: 0 });
    await deliver();
    expect(await listed(id)).toMatchObject([{ id: failed?.id, state: 'delivered', status: 204, tries: 1 }]);
    expect(receiver.posts.at(-1)?.body).toBe(receiver.posts[0]?.body);
    expect((await owner.call('GET', 'webhook')).body).toMatchObject([{ failed: 0, failing: null }]);
  });

  it('[N8] is in the ledger of the driver whose place it tells, once it was delivered', async () => {
    await addWebhook();
    const driverId = await alertedDriver(server, owner.accountId);
    receiver.answer(503);
    await alert({ driver_id: driverId, lat: 41.9, lon: -87.7 });
    await deliver();
    expect(await looksOf(server, driverId)).toEqual([]);
    receiver.answer(204);
    await server.webhooks.look(new Date(Date.now() + 86_400_000));
    const told = { kind: 'alert', via: 'webhook', user_id: null, link_name: expect.any(String) };
    expect(await looksOf(server, driverId)).toMatchObject([told]);
  });

  it('is not sent again to a receiver that says it wants no more', async () => {
    const { id } = await addWebhook();
    receiver.answer(410);
    await alert();
    await deliver();
    expect(await listed(id)).toMatchObject([{ state: 'failed', failure: 'gone', tries: 1, nextAt: null }]);
  });

  it('waits while the webhook is off, and goes when it is on again', async () => {
    const { id } = await addWebhook();
    await alert();
    await owner.call('PATCH', `webhook/${id}`, { enabled: false });
    await deliver();
    const [waiting] = await listed(id);
    expect(await owner.call('POST', `webhook_delivery/${waiting?.id}/send`)).toMatchObject({
      status: 409,
      body: { type: '/problems/webhook-off' },
    });
    expect(receiver.posts).toEqual([]);
    await owner.call('PATCH', `webhook/${id}`, { enabled: true });
    await deliver();
    expect(receiver.posts).toHaveLength(1);
  });

  it('survives a server that ends in the middle: another sends it, under the same ID', async () => {
    const { id } = await addWebhook();
    await alert();
    const ending = openWebhooks(testContext(server.context.db, { webhooks: ALLOWED }), parts());
    const arrived = Promise.withResolvers<void>();
    receiver.answer(() => arrived.resolve());
    void ending.look(later(100));
    await arrived.promise;
    await ending.stop();
    receiver.answer(200);
    // The lease of the one that ended.
    await server.webhooks.look(later(30_000));
    expect(receiver.posts).toHaveLength(1);
    await server.webhooks.look(later(61_000));
    const [first, second] = receiver.posts;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['milepost-delivery']).toBe(first?.headers['milepost-delivery']);
    expect(await listed(id)).toMatchObject([{ state: 'delivered', tries: 2 }]);
  });

  it('is delivered once, however many servers look', async () => {
    await addWebhook();
    for (let i = 0; i < 20; i++) await alert({ closed_at: new Date() });
    const others = [0, 1, 2].map(() => openWebhooks(testContext(server.context.db, { webhooks: ALLOWED }), parts()));
    await Promise.all([server.webhooks, ...others].map(each => each.look(later(100))));
    expect(receiver.posts).toHaveLength(20);
    await Promise.all(others.map(each => each.stop()));
  });

  it('reaches one receiver while another does not answer, which has two at a time', async () => {
    const { id } = await addWebhook({ url: `${receiver.url}/silent` });
    await addWebhook({ name: 'Quick', url: `${receiver.url}/quick` });
    let open = 0;
    let most = 0;
    receiver.answer((response, { path }) => {
      if (path === '/quick') return response.end();
      most = Math.max(most, ++open);
      response.on('close', () => open--);
      setTimeout(() => response.end(), 300);
    });
    for (let i = 0; i < 10; i++) await alert({ closed_at: new Date() });
    await deliver();
    const order = receiver.posts.map(({ path }) => path);
    expect(order.filter(path => path === '/quick')).toHaveLength(10);
    expect(order.lastIndexOf('/quick')).toBeLessThan(order.lastIndexOf('/silent'));
    expect(most).toBe(2);
    expect(await listed(id, '?state=delivered')).toHaveLength(10);
  });

  it('is sent within a moment by a server that runs', async () => {
    await addWebhook();
    const running = openWebhooks(testContext(server.context.db, { webhooks: ALLOWED }), parts());
    running.start();
    await alert();
    running.wake();
    await vi.waitFor(() => expect(receiver.posts).toHaveLength(1), { timeout: 3000 });
    await running.stop();
  });
});

const parts = () => ({ directory: server.directory, reportContext: server.reportContext, looks: server.looks });

describe('a webhook', () => {
  it('shows its secret when it is made, and never again', async () => {
    const { id, secret } = await addWebhook();
    expect(secret).toMatch(/^whsec_/);
    await alert();
    await deliver();
    const answers = await Promise.all([
      owner.call('GET', 'webhook'),
      owner.call('PATCH', `webhook/${id}`, { name: 'Desk 2' }),
      owner.call('GET', `webhook/${id}/delivery`),
      owner.call('POST', `webhook/${id}/test`),
      owner.call('GET', 'audit'),
    ]);
    for (const { status, text } of answers) {
      expect(status).toBeLessThan(300);
      expect(text).not.toContain(secret);
    }
    // Not even the database gives it to a request.
    const reading = server.context.db.asAccount(owner.accountId, trx =>
      trx.selectFrom('webhook_secret').select('secret').execute(),
    );
    await expect(reading).rejects.toThrow('permission denied');
  });

  it('signs with the new secret once it was replaced', async () => {
    const { id, secret } = await addWebhook();
    const renewed = (await owner.call('POST', `webhook/${id}/secret`)).body as { secret: string };
    await alert();
    await deliver();
    const [post] = receiver.posts;
    expect([secret, renewed.secret].map(each => post && isGenuine(post, each))).toEqual([false, true]);
  });

  it('is tested by a request that says how it went, even while it is off', async () => {
    const { id, secret } = await addWebhook({ enabled: false });
    receiver.answer(response => response.writeHead(401).end('no such key'));
    const refused = await owner.call('POST', `webhook/${id}/test`);
    expect(refused.body).toMatchObject({ state: 'failed', status: 401, answer: 'no such key', alert: null });
    receiver.answer(200);
    const test = await owner.call('POST', `webhook/${id}/test`);
    expect(test.body).toMatchObject({ state: 'delivered', status: 200, tries: 1 });
    expect(receiver.posts.every(post => isGenuine(post, secret))).toBe(true);
    expect(JSON.parse(receiver.posts[1]?.body ?? '')).toMatchObject({ type: 'test', alert: null });
    expect(await listed(id)).toHaveLength(2);
  });

  it('is refused where its address leads nowhere public', async () => {
    const boss = await person(strict);
    const codeOf = async (url: string) => {
      const { body, status } = await boss.call('POST', 'webhook', { ...ALL, name: url.slice(0, 40), url });
      return status === 201 ? null : (body as { errors: { code: string }[] }).errors[0]?.code;
    };
    expect(await codeOf('http://hooks.example.com/')).toBe('webhook-not-https');
    expect(await codeOf('ftp://hooks.example.com/')).toBe('webhook-address');
    expect(await codeOf('https://ann:secret@hooks.example.com/')).toBe('webhook-address');
    for (const host of ['10.0.0.1', '0x7f.1', '[::1]', '169.254.169.254', 'localhost', 'db.localhost', '[fe80::1]']) {
      expect([host, await codeOf(`https://${host}/`)]).toEqual([host, 'webhook-private']);
    }
    expect(await codeOf('https://hooks.example.com/')).toBe(null);
  });

  it('whose name leads into a private network is refused when it connects', async () => {
    const boss = await person(strict);
    const { id } = await addWebhook({ url: 'https://hooks.example.com/' }, boss);
    const device = Number((await addNamedVehicle(strict, boss.accountId, '9')).id);
    await addAlert(strict, boss.accountId, device);
    const { directory, looks, reportContext } = strict;
    const inside = openWebhooks(testContext(strict.context.db), {
      ...{ directory, looks, reportContext },
      resolve: (_name, _options, done) => done(null, [{ address: '10.0.0.1', family: 4 }]),
    });
    await inside.look(later(100));
    await inside.stop();
    expect((await boss.call('GET', `webhook/${id}/delivery`)).body).toMatchObject([
      { state: 'failed', failure: 'address-refused', status: null },
    ]);
  });

  it('is noted in the audit log, of its address only the host', async () => {
    const { id } = await addWebhook({ url: `${receiver.url}/key-123` });
    await owner.call('PATCH', `webhook/${id}`, { url: `${receiver.url}/key-456`, severities: ['critical'] });
    await owner.call('POST', `webhook/${id}/secret`);
    await owner.call('DELETE', `webhook/${id}`);
    const entries = await auditOf(server, owner.accountId);
    expect(entries.map(({ action }) => action)).toEqual([
      ...['webhook.deleted', 'webhook.secret-renewed', 'webhook.changed', 'webhook.created'],
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/key-123|key-456|whsec_/);
    expect(JSON.stringify(entries)).toContain(`127.0.0.1:${receiver.port}`);
  });

  it('is for those who may change the settings', async () => {
    const { id } = await addWebhook();
    const admin = await person(server, { accountId: owner.accountId, role: 'admin' });
    const dispatcher = await person(server, { accountId: owner.accountId, role: 'dispatcher' });
    expect((await admin.call('GET', 'webhook')).body).toMatchObject([{ id }]);
    expect((await dispatcher.call('GET', 'webhook')).status).toBe(403);
  });

  it('has a name of its own, and there are 20 at most', async () => {
    await addWebhook();
    const twin = await owner.call('POST', 'webhook', { ...ALL, name: 'DESK', url: receiver.url });
    expect(twin.body).toMatchObject({ type: '/problems/webhook-name-taken', errors: [{ field: 'name' }] });
    for (let i = 1; i < 20; i++) await addWebhook({ name: `Desk ${i}` });
    const last = await owner.call('POST', 'webhook', { ...ALL, name: 'One more', url: receiver.url });
    expect(last.body).toMatchObject({ type: '/problems/too-many-webhooks' });
  });

  it('keeps its deliveries for a week, page by page', async () => {
    const { id } = await addWebhook();
    for (let i = 0; i < 5; i++) await alert({ closed_at: new Date() });
    const all = await listed(id);
    expect(all).toHaveLength(5);
    const first = await listed(id, '?limit=2');
    const rest = await listed(id, `?limit=10&before=${first[1]?.id}`);
    expect([...first, ...rest]).toEqual(all);
    await forgetOldDeliveries(server.context.db.system, later(7 * 86_400_000 - 60_000));
    expect(await listed(id)).toHaveLength(5);
    await forgetOldDeliveries(server.context.db.system, later(7 * 86_400_000 + 60_000));
    expect(await listed(id)).toEqual([]);
  });
});
