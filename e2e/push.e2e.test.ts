import type { Browser, Page, Worker } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAlert } from '../apps/server/testing/alerts.ts';
import { type PushBrowser, pushBrowser } from '../apps/server/testing/push-browser.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../apps/server/testing/webhook-receiver.ts';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles } from './support/tracker.ts';

leaveMapsOut();

/**
 * The browser maker's push service needs the internet, so the test has its own: the browser subscribes there, and the
 * test hands what arrives to the real service worker as a push message. A headless browser shows no notifications and
 * reports them as denied, so the test records what the worker would show.
 */

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

interface Subscribed {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** Runs in the page. */
function subscribeThere(subscribed: Subscribed): void {
  const kept = 'subscribed there';
  const subscription = {
    ...{ endpoint: subscribed.endpoint, options: { applicationServerKey: null } },
    toJSON: () => subscribed,
    unsubscribe: async () => {
      localStorage.removeItem(kept);
      return true;
    },
  } as unknown as PushSubscription;
  Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
  PushManager.prototype.getSubscription = async () => (localStorage.getItem(kept) ? subscription : null);
  PushManager.prototype.subscribe = async () => {
    localStorage.setItem(kept, 'yes');
    return subscription;
  };
}

/** Runs in the service worker. */
const NOTE_WHAT_IS_SHOWN = `
  self.shown = [];
  self.registration.showNotification = async (title, options) => void self.shown.push({ title, ...options });
`;
const CLICK = `
  const click = new Event('notificationclick');
  const [{ data }] = self.shown;
  self.dispatchEvent(Object.assign(click, {
    notification: { data, close: () => void (self.shown = []) },
    waitUntil: promise => promise,
  }));
`;

function workerOf(page: Page): Worker {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('There is no service worker.');
  return worker;
}
const shown = (page: Page): Promise<unknown> => workerOf(page).evaluate('self.shown');

async function openProfile(): Promise<Page> {
  const { page } = await visitSignedIn(browser, milepost.url, { serviceWorkers: 'allow' });
  await page.context().grantPermissions(['notifications'], { origin: milepost.url });
  const { auth, p256dh } = keys;
  await page.addInitScript(subscribeThere, { endpoint: `${service.url}/send/1`, keys: { p256dh, auth } });
  await page.goto('/profile/notifications');
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state ?? null))
    .toBe('activated');
  await page.reload();
  return page;
}

/** Delivers a message to the service worker, as the browser does. */
async function push(page: Page, data: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [found] = registrations;
    if (found) registered.resolve(found.registrationId);
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered.promise;
  await devtools.send('ServiceWorker.deliverPushMessage', { origin: milepost.url, registrationId, data });
}

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
  await expect.poll(() => service.posts.length, { timeout: 15_000 }).toBe(1);
  const message = keys.read(service.posts[0]?.bytes ?? Buffer.alloc(0));

  await workerOf(page).evaluate(NOTE_WHAT_IS_SHOWN);
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
  expect(await shown(page)).toEqual([]);

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
