import { DEFAULT_NOTIFICATION_CHOICE, type MyDuty } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type UserWithData, userWithData } from '../../../testing/cross-account/account-data.ts';
import { keptLog, unidentifiedDrive } from '../../../testing/cross-account/kept-log.ts';
import { startDeliveries } from '../../../testing/deliveries.ts';
import type { TestHttpServer } from '../../../testing/http-server.ts';
import { type PushBrowser, pushBrowser } from '../../../testing/push-browser.ts';
import type { WebhookReceiver } from '../../../testing/webhook-receiver.ts';

/** From the desk to a driver's phone, over a push service that speaks real HTTP. */

vi.setConfig({ testTimeout: 60_000 });

let service: WebhookReceiver;
let server: TestHttpServer;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ server, service, close } = await startDeliveries());
});
afterAll(() => close());

let desk: UserWithData;
let driver: UserWithData;
let browser: PushBrowser;
/** A record of a day that the driver has certified. */
let record: string;
beforeEach(async () => {
  service.posts.length = 0;
  service.answer(201);
  await server.context.db.system.deleteFrom('push_subscription').execute();
  desk = await userWithData(server);
  driver = await userWithData(server, { role: 'driver', drives: true, accountId: desk.accountId });
  record = await keptLog(server, driver);
  browser = pushBrowser();
});

let count = 0;
async function subscribe(of: UserWithData): Promise<string> {
  const path = `/send/${++count}`;
  const { auth, p256dh } = browser;
  const body = { endpoint: service.url + path, p256dh, auth, severities: ['critical'] };
  expect((await server.call('POST', '/api/v1/push_subscription', { token: of.token, body })).status).toBe(201);
  return path;
}
const call = (method: string, path: string, body?: object) =>
  server.call(method, `/api/v1/eld/${path}`, { token: desk.token, ...(body && { body }) });
const requestCertification = () => call('POST', 'certification_request', { driverIds: [driver.driverId] });
const propose = (at = '2026-02-03T14:00:00Z') =>
  call('POST', 'edit', { driverId: driver.driverId, replaces: record, status: 'OFF', at, reason: 'Was off duty then' });
/** The database's clock counts microseconds: what was written just now is due then. */
const deliver = (at = Date.now() + 100) => server.push.look(new Date(at));
const received = () => service.posts.map(({ bytes, path }) => ({ to: path, ...JSON.parse(browser.read(bytes)) }));
const waiting = () => server.context.db.system.selectFrom('push_delivery').selectAll().execute();
const prefer = (of: UserWithData, preferences: object) =>
  server.context.db.system
    .updateTable('app_user')
    .set({ preferences: JSON.stringify(preferences) })
    .where('id', '=', of.userId)
    .execute();

describe('[R2.14] a request to certify', () => {
  it('comes to the driver’s browsers in their language, opens the days, and comes once a day', async () => {
    await prefer(driver, { language: 'es' });
    const to = await subscribe(driver);
    await subscribe(desk);
    await requestCertification();
    await deliver();
    expect(received()).toEqual([
      {
        to,
        title: 'Certifique 14 días de su registro',
        body: `${desk.marker} le pide que los revise y certifique.`,
        tag: 'log certification',
        path: '/eld?view=certify',
      },
    ]);
    expect(service.posts[0]?.headers).toMatchObject({ ttl: '86400', urgency: 'normal' });
    await requestCertification();
    await call('POST', `driver/${driver.driverId}/reminder`, { about: 'certification' });
    await deliver();
    expect([received().length, await waiting()]).toEqual([1, []]);
  });

  it('does not come if the days are certified meanwhile, or the user keeps no log anymore', async () => {
    await subscribe(driver);
    await requestCertification();
    const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: driver.token });
    const dates = (body as MyDuty).toCertify;
    await server.call('POST', '/api/v1/eld/certify', { token: driver.token, body: { dates } });
    await deliver();
    expect([received(), await waiting()]).toEqual([[], []]);
    await propose();
    const { system } = server.context.db;
    await system.updateTable('driver').set({ user_id: null }).where('id', '=', Number(driver.driverId)).execute();
    await deliver();
    expect([received(), await waiting()]).toEqual([[], []]);
  });

  it('waits for the end of the driver’s quiet hours, and for a push service that fails', async () => {
    await subscribe(driver);
    await prefer(driver, { timeZone: 'UTC' });
    const choice = { ...DEFAULT_NOTIFICATION_CHOICE, quiet: 'own', quietFrom: '22:00', quietTo: '06:00' };
    const chosen = { token: driver.token, body: { ...choice, criticalBreaks: true } };
    expect((await server.call('PUT', '/api/v1/my_notifications', chosen)).status).toBe(200);
    await requestCertification();
    const night = new Date(Date.now() + 24 * 3_600_000);
    night.setUTCHours(23, 0, 0, 0);
    // As if it had been asked for then.
    await server.context.db.system.updateTable('push_delivery').set({ noted_at: night, next_at: night }).execute();
    await deliver(night.getTime());
    const morning = night.getTime() + 7 * 3_600_000;
    expect([received(), await waiting()]).toMatchObject([[], [{ next_at: new Date(morning) }]]);
    service.answer(503);
    await deliver(morning);
    service.answer(201);
    await deliver(morning + 11_000);
    expect([service.posts.length, await waiting()]).toEqual([2, []]);
  });
});

describe('[R2.14] a proposed change', () => {
  it('is pushed to the driver once for all that wait, and not if it is withdrawn before', async () => {
    await subscribe(driver);
    expect((await propose()).status).toBe(200);
    expect((await propose('2026-02-03T15:00:00Z')).status).toBe(200);
    await deliver();
    expect(received()).toMatchObject([
      {
        title: '2 changes to your log need your answer',
        body: `${desk.marker} asks you to accept or reject them.`,
        path: '/eld?view=changes',
      },
    ]);
    for (const { id } of (await call('GET', 'proposal')).body as { id: string }[])
      await call('DELETE', `proposal/${id}`);
    const third = (await propose()).body as { proposal: string };
    await call('DELETE', `proposal/${third.proposal}`);
    await deliver();
    expect([received().length, await waiting()]).toEqual([1, []]);
  });

  it('opens the log beside the desk for someone who works there and drives', async () => {
    const { system } = server.context.db;
    const { id } = await system
      .insertInto('custom_role')
      .values({
        account_id: desk.accountId,
        name: 'Owner-operator',
        based_on: 'driver',
        permissions: ['profile.read', 'profile.write', 'logbook.read', 'logbook.own'],
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await system.updateTable('app_user').set({ custom_role_id: id }).where('id', '=', driver.userId).execute();
    await subscribe(driver);
    await propose();
    await deliver();
    expect(received()).toMatchObject([{ path: '/eld/own?view=changes' }]);
  });
});

it('[R2.14] a driver is asked about unidentified driving by push, also if it is weeks old', async () => {
  await subscribe(driver);
  const old = await unidentifiedDrive(server, desk, 20 * 24 * 3_600_000);
  await call('POST', `unidentified/${desk.vehicleId}/${old}`, { driverId: driver.driverId });
  await deliver();
  expect(received()).toMatchObject([
    {
      title: 'Unidentified driving: was it you?',
      body: `${desk.marker} asks you about a drive.`,
      path: '/eld?view=unclaimed',
    },
  ]);
  const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: driver.token });
  expect((body as MyDuty).unclaimed).toMatchObject([{ record: old, isAssigned: true }]);
});
