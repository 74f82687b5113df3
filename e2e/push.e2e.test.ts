import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAlert } from '../apps/server/testing/alerts.ts';
import { type PushBrowser, pushBrowser } from '../apps/server/testing/push-browser.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../apps/server/testing/webhook-receiver.ts';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { openPushProfile, push, shown, workerOf } from './support/push.ts';
import { addVehicles } from './support/tracker.ts';

leaveMapsOut();

let browser: Browser;
let milepost: Milepost;
let service: WebhookReceiver;
const keys: PushBrowser = pushBrowser();
beforeAll(async () => {
  service = await startWebhookReceiver();
  [browser, milepost] = await Promise.all([
    launchBrowser(),
    startMilepost({ webhooks: { http: true, networks: ['127.0.0.1'] } }),
  ]);
  await addVehicles(milepost, [{ imei: '356307042441013', deviceName: '4127' }]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), milepost?.close()]);
  await service?.close();
});

const CLICK = `
  const click = new Event('notificationclick');
  const [{ data }] = self.shown;
  self.dispatchEvent(Object.assign(click, {
    notification: { data, close: () => void (self.shown = []) },
    waitUntil: promise => promise,
  }));
`;

const openProfile = (): Promise<Page> => openPushProfile({ browser, url: milepost.url }, `${service.url}/send/1`, keys);

it('an alert is pushed to a browser that asked for it, is shown by its service worker, and opens the alert', async () => {
  const page = await openProfile();
  await page.getByRole('button', { name: 'Turn on in this browser' }).click();
  const card = page.getByRole('region', { name: 'Push notifications' });
  await card.getByText('This browser', { exact: true }).waitFor();
  const info = card.getByRole('checkbox', { name: 'Info' });
  await info.click();
  await expect.poll(() => info.isChecked()).toBe(true);
  await card.getByText(/^Critical, Warning, Info · since/).waitFor();
  await expectAccessible(page);

  const { context } = milepost.app;
  const vehicle = await context.db.system.selectFrom('vehicle').select(['id', 'account_id']).executeTakeFirstOrThrow();
  const alert = await addAlert({ context }, vehicle.account_id, vehicle.id);
  await expect.poll(() => service.posts.length).toBe(1);
  const message = keys.read(service.posts[0]?.bytes ?? Buffer.alloc(0));

  await push(page, message);
  await expect
    .poll(() => shown(page))
    .toEqual([
      {
        title: 'Critical · SOS button pressed · 4127',
        body: expect.stringContaining('Chicago, IL'),
        tag: alert,
        icon: '/icons/icon-192.png',
        data: { path: '/alerts?q=4127&kind=sos' },
      },
    ]);

  await workerOf(page).evaluate(CLICK);
  await page.waitForURL(/\/alerts\?q=4127&kind=sos/);
  await expect.poll(() => shown(page)).toEqual([]);

  await page.goto('/profile/notifications');
  await card.getByText(/last sent/).waitFor();
  await card.getByRole('button', { name: /^Turn off/ }).click();
  await page.getByRole('button', { name: 'Turn on in this browser' }).waitFor();
  await addAlert({ context }, vehicle.account_id, vehicle.id, { kind: 'crash' });
  expect(await context.db.system.selectFrom('push_delivery').selectAll().execute()).toEqual([]);
});

it('signing out ends this browser’s push notifications, and the next user gets none of them', async () => {
  const page = await openProfile();
  await page.getByRole('button', { name: 'Turn on in this browser' }).click();
  await page.getByText('This browser', { exact: true }).waitFor();
  const subscriptions = () => milepost.app.context.db.system.selectFrom('push_subscription').select('id').execute();
  expect(await subscriptions()).toHaveLength(1);
  const token = await page.evaluate(() => localStorage.getItem('token'));
  await fetch(`${milepost.url}/api/v1/signout`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  await expect.poll(subscriptions).toEqual([]);
});
