import type { Browser, Page, Worker } from 'playwright-core';
import { expect } from 'vitest';
import type { PushBrowser } from '../../apps/server/testing/push-browser.ts';
import { visitSignedIn } from './session.ts';

/**
 * The browser maker's push service needs the internet, so the test has its own: the browser subscribes there, and the
 * test hands what arrives to the real service worker as a push message. A headless browser shows no notifications and
 * reports them as denied, so the test records what the worker would show.
 */

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
export function workerOf(page: Page): Worker {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('There is no service worker.');
  return worker;
}
export const shown = (page: Page): Promise<unknown> => workerOf(page).evaluate('self.shown');

/** Opens the page that turns push notifications on; they go to `endpoint`. */
export async function openPushProfile(
  { browser, url }: { readonly browser: Browser; readonly url: string },
  endpoint: string,
  { auth, p256dh }: PushBrowser,
): Promise<Page> {
  const { page } = await visitSignedIn(browser, url, { serviceWorkers: 'allow' });
  await page.context().grantPermissions(['notifications'], { origin: url });
  await page.addInitScript(subscribeThere, { endpoint, keys: { p256dh, auth } });
  await page.goto('/profile/notifications');
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state ?? null), {
      timeout: 60_000,
    })
    .toBe('activated');
  await page.reload();
  return page;
}

/**
 * Delivers a message to the service worker, as the browser does, until it shows something: a browser may stop an idle
 * worker at any time, and the next one knows nothing of what is to be recorded.
 */
export async function push(page: Page, data: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const [found] = registrations;
    if (found) registered.resolve(found.registrationId);
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered.promise;
  const deliver = async (): Promise<number> => {
    await workerOf(page).evaluate(NOTE_WHAT_IS_SHOWN);
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin: new URL(page.url()).origin,
      registrationId,
      data,
    });
    const isShown = () => workerOf(page).evaluate<number>('self.shown?.length ?? 0');
    return expect
      .poll(isShown, { timeout: 5000 })
      .toBeGreaterThan(0)
      .then(isShown, () => 0);
  };
  await expect.poll(deliver).toBeGreaterThan(0);
}
