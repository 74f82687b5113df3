import { DEFAULT_NOTIFICATION_CHOICE } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { startDeliveries } from '../../../testing/deliveries.ts';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import { alertedDriver, looksOf } from '../../../testing/looks.ts';
import { addNamedVehicle, limit } from '../../../testing/organisation.ts';
import { type Person, person } from '../../../testing/people.ts';
import { type PushBrowser, pushBrowser } from '../../../testing/push-browser.ts';
import type { WebhookReceiver } from '../../../testing/webhook-receiver.ts';

/** From an alert to a user's browser, over a push service that speaks real HTTP. */

vi.setConfig({ testTimeout: 60_000 });

let service: WebhookReceiver;
let server: TestHttpServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ server, service, close } = await startDeliveries());
});
afterAll(() => close());

let owner: Person;
let truck: number;
let browser: PushBrowser;
beforeEach(async () => {
  service.posts.length = 0;
  service.answer(201);
  const { system } = server.context.db;
  await system.deleteFrom('push_subscription').execute();
  owner = await person(server);
  truck = Number((await addNamedVehicle(server, owner.accountId, '4127')).id);
  browser = pushBrowser();
});

let count = 0;
async function subscribe(by = owner, fields: object = {}, keys = browser): Promise<{ id: string; endpoint: string }> {
  const endpoint = `${service.url}/send/${++count}`;
  const { auth, p256dh } = keys;
  const body = { endpoint, p256dh, auth, severities: ['critical', 'warning'], ...fields };
  const answer = await by.call('POST', 'push_subscription', body);
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return { ...(answer.body as { id: string }), endpoint: body.endpoint };
}
const alert = (fields: Parameters<typeof addAlert>[3] = {}) => addAlert(server, owner.accountId, truck, fields);
/** The database's clock counts microseconds: what was written just now is due then. */
const deliver = (ms = 100) => server.push.look(new Date(Date.now() + ms));
const listed = async (by = owner) =>
  ((await by.call('GET', 'push')).body as { subscriptions: { id: string; lastSentAt: string | null }[] }).subscriptions;
const waiting = () => server.context.db.system.selectFrom('push_delivery').selectAll().execute();

describe('an alert', () => {
  it('comes encrypted to the browser, in the reader’s words, with the key that it subscribed with', async () => {
    await server.context.db.system
      .updateTable('app_user')
      .set({ preferences: JSON.stringify({ language: 'fr', distanceUnit: 'km' }) })
      .where('id', '=', owner.userId)
      .execute();
    await subscribe();
    const id = await alert({ kind: 'crash', event: null });
    await deliver();
    const [post] = service.posts;
    expect(post?.headers).toMatchObject({
      ...{ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' },
      authorization: expect.stringContaining(`k=${server.push.key.publicKey.toString('base64url')}`),
    });
    expect(JSON.parse(browser.read(post?.bytes ?? Buffer.alloc(0)))).toEqual({
      title: 'Critique · Collision · 4127',
      body: expect.stringContaining('Chicago, IL'),
      tag: id,
      path: '/alerts?q=4127&kind=crash',
    });
    expect(await waiting()).toEqual([]);
    expect(await listed()).toMatchObject([{ lastSentAt: expect.any(String) }]);
  });

  it('[N8] is in the ledger of the driver whose place it tells', async () => {
    await subscribe();
    const driverId = await alertedDriver(server, owner.accountId);
    await alert({ driver_id: driverId, lat: 41.9, lon: -87.7 });
    await alert({ kind: 'crash', event: null, driver_id: driverId, lat: null, lon: null });
    await deliver();
    expect(service.posts).toHaveLength(2);
    expect(await looksOf(server, driverId)).toMatchObject([{ kind: 'alert', via: 'push', user_id: owner.userId }]);
  });

  it('comes to the severities that were chosen, and to each browser', async () => {
    await subscribe();
    await subscribe(owner, { severities: ['info'] });
    await alert({ severity: 'info', kind: 'harshDriving' });
    await alert();
    await deliver();
    expect(service.posts).toHaveLength(2);
  });

  it('comes to nobody who may not know of it', async () => {
    const { system } = server.context.db;
    const folder = await system
      .insertInto('folder')
      .values({ account_id: owner.accountId, name: 'North' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const elsewhere = await person(server, { accountId: owner.accountId, role: 'dispatcher' });
    await limit(server.context, elsewhere, { folders: [String(folder.id)] });
    await subscribe(elsewhere);
    // Not allowed to read alerts.
    await subscribe(await person(server, { accountId: owner.accountId, role: 'driver' }));
    // Another account.
    await subscribe(await person(server));
    const left = await person(server, { accountId: owner.accountId, role: 'dispatcher' });
    await subscribe(left);
    await system.updateTable('app_user').set({ active: false }).where('id', '=', left.userId).execute();
    // No email address is needed.
    await subscribe(await person(server, { accountId: owner.accountId, role: 'dispatcher', email: null }));
    await alert();
    await deliver();
    expect(service.posts.map(({ path }) => path)).toEqual([`/send/${count}`]);
    expect(await waiting()).toEqual([]);
  });

  it('does not come once acknowledged, in quiet hours, late, or an hour after it opened', async () => {
    await subscribe();
    const acknowledged = await alert();
    await owner.call('POST', 'alert/acknowledge', { ids: [acknowledged] });
    await alert({ late: true, closed_at: new Date() });
    await deliver();
    expect(service.posts).toEqual([]);
    await alert({ kind: 'crash' });
    await deliver(61 * 60_000);
    expect([service.posts, await waiting()]).toEqual([[], []]);
    const hours = { quiet: 'own', quietFrom: '00:00', quietTo: '23:59', criticalBreaks: true };
    await owner.call('PUT', 'my_notifications', { ...DEFAULT_NOTIFICATION_CHOICE, ...hours });
    await alert({ kind: 'doorOpen', severity: 'warning' });
    await alert({ kind: 'tow' });
    await deliver();
    expect(service.posts.map(({ bytes }) => JSON.parse(browser.read(bytes)).title)).toEqual([
      'Critical · Moved without its key · 4127',
    ]);
  });

  it('is tried again while the push service fails, and then dropped', async () => {
    await subscribe();
    service.answer(503);
    await alert();
    await deliver();
    await deliver(5000);
    expect(service.posts).toHaveLength(1);
    await deliver(11_000);
    expect(service.posts).toHaveLength(2);
    expect(await waiting()).toMatchObject([{ tries: 2 }]);
    service.answer(201);
    await deliver(80_000);
    expect([service.posts.length, await waiting()]).toEqual([3, []]);
  });
});

describe('a subscription', () => {
  it('ends when the push service says that it has expired', async () => {
    await subscribe();
    service.answer(410);
    await alert();
    await deliver();
    expect(await listed()).toEqual([]);
  });

  it('ends with the session that was signed out, not with one that expired', async () => {
    const { system } = server.context.db;
    await subscribe();
    await system
      .updateTable('session')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', owner.sessionId)
      .execute();
    await system.deleteFrom('session').where('id', '=', owner.sessionId).execute();
    const { token } = await server.sessions.open({ accountId: owner.accountId, userId: owner.userId });
    const again = {
      ...owner,
      call: (method: string, path: string, body?: unknown) =>
        server.call(method, `/api/v1/${path}`, { token, ...(body !== undefined && { body }) }),
    };
    const [kept] = await listed(again);
    expect(kept).toBeDefined();
    // The page ties it to the new session when it opens.
    const row = await system.selectFrom('push_subscription').select('endpoint').executeTakeFirstOrThrow();
    expect((await again.call('POST', 'push_subscription/renew', row)).body).toEqual({ id: kept?.id });
    await again.call('POST', 'signout');
    expect(await system.selectFrom('push_subscription').selectAll().execute()).toEqual([]);
  });

  it('of one browser is of who is signed in there: another user’s ends', async () => {
    const { endpoint } = await subscribe();
    const next = await person(server);
    expect((await next.call('POST', 'push_subscription/renew', { endpoint })).body).toEqual({ id: null });
    expect(await listed()).toEqual([]);
    await subscribe(owner, { endpoint });
    await subscribe(next, { endpoint });
    expect([await listed(), (await listed(next)).length]).toEqual([[], 1]);
  });

  it('is changed by subscribing again, and removed from another browser', async () => {
    const { id, endpoint } = await subscribe();
    expect((await subscribe(owner, { endpoint, severities: ['info'] })).id).toBe(id);
    expect(await listed()).toMatchObject([{ id, severities: ['info'] }]);
    expect((await owner.call('DELETE', `push_subscription/${id}`)).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  it('needs an address and a key that something can be sent to', async () => {
    const { auth, p256dh } = browser;
    const body = { endpoint: `${service.url}/x`, p256dh, auth, severities: ['critical'] };
    const wrong = async (fields: object) =>
      ((await owner.call('POST', 'push_subscription', { ...body, ...fields })).body as { errors: { field: string }[] })
        .errors[0]?.field;
    expect(await wrong({ endpoint: 'https://10.0.0.1/send' })).toBe('endpoint');
    expect(await wrong({ p256dh: Buffer.alloc(65, 4).toString('base64url') })).toBe('p256dh');
    expect(await wrong({ auth: 'AAAA' })).toBe('auth');
    for (let i = 0; i < 20; i++) await subscribe();
    expect((await owner.call('POST', 'push_subscription', body)).body).toMatchObject({
      type: '/problems/too-many-push-subscriptions',
    });
  });
});
