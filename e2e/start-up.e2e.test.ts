import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startHttpServer } from '../apps/server/testing/http-server.ts';
import { expectAccessible, launchBrowser, visit } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const moving = { reducedMotion: 'no-preference' } as const;
/**
 * From here on, the page's timers run only when the test lets them. Returns the time on the page's clock at which it
 * stopped.
 */
async function stopClock(page: Page): Promise<number> {
  await page.clock.install({ time: 0 });
  for (let time = 1; ; time *= 2) {
    const isStopped = await page.clock.pauseAt(time).then(
      () => true,
      () => false,
    );
    if (isStopped) return time;
    if (time > 4000) throw new Error('The page’s clock could not be stopped');
  }
}

const splash = (page: Page) => page.locator('.splash');

/** Advances the page's clock by a few milliseconds at a time until the splash has faded. */
const faded = (page: Page) =>
  expect
    .poll(async () => {
      await page.clock.runFor(10);
      return splash(page).count();
    })
    .toBe(0);

describe('splash', () => {
  it('[R2.19] [R2.20] shows first with the default logo and goes once the page below is ready', async () => {
    const { page } = await visit(browser, milepost.url, moving);
    await page.goto('/login', { waitUntil: 'commit' });
    await splash(page).waitFor();
    await expect.poll(() => splash(page).innerText()).toContain('Milepost');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await splash(page).waitFor({ state: 'detached' });
  });

  it('[R9.02] [R2.20] is gone after 6 seconds even if the page is not ready yet', async () => {
    const { page } = await visit(browser, milepost.url, moving);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/assets/LoginPage-*.js', async route => {
      await held;
      await route.continue();
    });
    const stoppedAt = await stopClock(page);
    await page.goto('/login', { waitUntil: 'commit' });
    await expect.poll(() => page.title()).toBe('Milepost');
    await page.clock.runFor(5900 - stoppedAt);
    expect(await splash(page).getAttribute('data-leaving')).toBeNull();
    await page.clock.runFor(200);
    await faded(page);
    expect(await page.evaluate(() => performance.now())).toBeLessThan(7000);
    release();
  });

  it.each([
    ['a click', (page: Page) => page.mouse.click(700, 400)],
    ['a key', (page: Page) => page.keyboard.press('Escape')],
  ])('[R2.20] ends at once with %s, and the page below is ready', async (_, act) => {
    const { page } = await visit(browser, milepost.url, moving);
    await stopClock(page);
    await page.goto('/login', { waitUntil: 'commit' });
    const heading = page.getByRole('heading', { name: 'Sign in' });
    await expect
      .poll(async () => {
        // A slow machine looks many times, and after a second of the page's clock the splash goes.
        await page.clock.runFor(2);
        return heading.isVisible();
      })
      .toBe(true);
    expect(await splash(page).getAttribute('data-leaving')).toBeNull();
    await act(page);
    await faded(page);
    expect(await page.evaluate(() => performance.now())).toBeLessThan(5900);
  });

  it('[R2.20] is never shown to users who asked for less motion', async () => {
    const { page } = await visit(browser, milepost.url, { reducedMotion: 'reduce' });
    await page.goto('/login', { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await splash(page).count()).toBe(0);
  });
});

describe('no connection', () => {
  const STATUS = '**/api/v1/check_internet_status';
  const overlay = (page: Page) => page.getByRole('alertdialog', { name: 'NO INTERNET CONNECTION' });
  /** Advances the page's clock by 5 seconds, after which the page checks again; resolves with the answer. */
  const nextCheck = async (page: Page): Promise<void> => {
    const over = Promise.race([page.waitForResponse(STATUS), page.waitForEvent('requestfailed')]);
    await page.clock.fastForward(5000);
    await over;
  };

  it('[R2.28] [R2.29] [R2.30] [R8.01] [R4.14] appears on a failed check with exactly its words, and goes at the next 200', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.clock.install();
    await page.goto('/no/such/page');
    await page.getByRole('link', { name: 'Go to Dashboard' }).focus();
    await page.route(STATUS, route => route.abort());
    await nextCheck(page);
    await overlay(page).waitFor();
    await overlay(page).getByText('No internet connection detected:').waitFor();
    await overlay(page).getByText('Please check your connection settings and try again.').waitFor();
    await page.getByText(/trying again in [1-5] s/).waitFor();
    await expectAccessible(page);
    await expect.poll(() => overlay(page).evaluate(dialog => dialog.contains(document.activeElement))).toBe(true);

    await page.unroute(STATUS);
    await nextCheck(page);
    await overlay(page).waitFor({ state: 'hidden' });
    await page.getByText('The connection is back.').waitFor({ state: 'attached' });
    await expect.poll(() => page.getByText('trying again').count()).toBe(0);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Go to Dashboard');
  });

  it('says that the map shows stored positions, and since when', async () => {
    const { page, token } = await visitSignedIn(browser, milepost.url);
    await fetch(`${milepost.url}/api/v1/device`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ imei: '490154203237518', deviceName: '4127' }),
    });
    await page.goto('/');
    await page.getByText('4127').first().waitFor();
    await page.route(STATUS, route => route.abort());
    await overlay(page).waitFor();
    await overlay(page).getByText('Last positions').waitFor();
    await overlay(page)
      .getByText(/^saved, \d\d:\d\d:\d\d$/)
      .waitFor();
    await page.getByText(/^Data as of \d\d:\d\d:\d\d · trying again/).waitFor();
  });

  it('[R2.30] is closed by its button; the strip stays and counts down; [R9.01] [R2.28] any answer but 200 shows it again', async () => {
    const { page } = await visit(browser, milepost.url);
    await page.clock.install();
    await page.goto('/login');
    await page.getByText('All services are running').waitFor();
    await page.route(STATUS, route => route.abort());
    await nextCheck(page);
    await overlay(page).getByRole('button', { name: 'Close' }).click();
    await overlay(page).waitFor({ state: 'hidden' });
    await page.getByText(/Last connected \d\d:\d\d:\d\d · trying again/).waitFor();
    // After it was closed, another failed check does not show it again.
    await nextCheck(page);
    await page.getByText(/trying again in [3-5] s/).waitFor();
    expect(await overlay(page).isVisible()).toBe(false);

    await page.unroute(STATUS);
    await nextCheck(page);
    await page.getByText('trying again').waitFor({ state: 'hidden' });
    // An error of the server, and an answer that is not 200.
    for (const status of [503, 404]) {
      await page.route(STATUS, route => route.fulfill({ status, json: {} }));
      await nextCheck(page);
      await overlay(page).waitFor();
      await page.unroute(STATUS);
      await overlay(page).getByRole('button', { name: 'Try now' }).click();
      await overlay(page).waitFor({ state: 'hidden' });
    }
  });
});

describe('installation', () => {
  it('[R2.22] without an offer, an alert explains the browser’s menu; [R2.21] when the browser offers installation, a button with the app’s name accepts it; [R2.23] no tip about iOS is shown', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/no/such/page');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Install Milepost' }).waitFor();
    // By now the tip would be there.
    expect(await page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Install Milepost' }).click();
    const dialog = page.getByRole('dialog', { name: 'Install Milepost' });
    await dialog.getByRole('alert').waitFor();
    await dialog.getByText('Install App').waitFor();
    await dialog.getByText('Add to Home Screen').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    const button = page.getByRole('button', { name: 'Install Milepost' });
    expect(await button.count()).toBe(0);
    await page.evaluate(() => {
      const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt: async () => {
          document.body.dataset.prompted = 'yes';
          return { outcome: 'accepted' };
        },
      });
      window.dispatchEvent(offer);
    });
    await button.click();
    await expect.poll(() => page.evaluate(() => document.body.dataset.prompted)).toBe('yes');
    await button.waitFor({ state: 'detached' });
  });

  it('[R2.23] on iOS, if not installed, a tip says to tap Share and choose Add to Home Screen', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, {
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await page.goto('/no/such/page');
    const tip = page.getByRole('dialog', { name: 'Install Milepost' });
    await tip.getByText('Share', { exact: true }).waitFor();
    await tip.getByText('Add to Home Screen').waitFor();
    await expectAccessible(page);
    await tip.getByRole('button', { name: 'Remind me in 30 days' }).click();
    await tip.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.waitForTimeout(300);
    expect(await tip.count()).toBe(0);
  });

  it('the manifest has the app’s name, its start page and existing icons of 192 and 512 px', async () => {
    const manifest = (await (await fetch(`${milepost.url}/manifest.webmanifest`)).json()) as {
      name: string;
      start_url: string;
      display: string;
      icons: { src: string; sizes: string; type: string }[];
    };
    expect(manifest).toMatchObject({ name: 'Milepost', start_url: '/', display: 'standalone' });
    expect(manifest.icons.map(icon => icon.sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
    for (const { src, type } of manifest.icons) {
      const answer = await fetch(milepost.url + src);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
    }
  });
});

describe('service worker', () => {
  const WITH_SERVICE_WORKER = { serviceWorkers: 'allow' } as const;

  const registered = (page: Page) =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.scriptURL ?? null);

  const controlled = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null);

  it.each([
    ['missing', { status: 404, body: 'nothing' }, '404'],
    ['not served as JavaScript', { status: 200, contentType: 'text/html', body: '<html></html>' }, 'text/html'],
  ])('[R2.26] is skipped with an error if the script is %s', async (_, answer, words) => {
    const { page, complaints } = await visit(browser, milepost.url, WITH_SERVICE_WORKER);
    await page.context().route('**/sw.js', route => route.fulfill(answer));
    await page.goto('/login');
    await page.getByText('All services are running').waitFor();
    await expect.poll(() => complaints.join('\n')).toMatch(new RegExp(`No service worker: /sw\\.js .*${words}`));
    expect(await registered(page)).toBeNull();
  });

  it('[R2.26] is registered from the root-level script, and the app then starts without a network; it offers a new build, of which only new files are loaded, and reloads into it on request', async () => {
    const web = mkdtempSync(join(tmpdir(), 'milepost-web-'));
    cpSync(new URL('../apps/web/dist', import.meta.url), web, { recursive: true });
    const server = await startHttpServer({ folders: { webApp: web, map: web } });
    onTestFinished(async () => {
      await server.close();
      rmSync(web, { recursive: true });
    });
    const { page, complaints } = await visit(browser, server.url, WITH_SERVICE_WORKER);
    await page.goto('/login');
    await expect.poll(() => registered(page)).toBe(`${server.url}/sw.js`);
    await expect.poll(() => controlled(page)).toBe(true);
    expect(complaints).toEqual([]);
    await page.context().setOffline(true);
    await page.goto('/no/such/page');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('alertdialog', { name: 'NO INTERNET CONNECTION' }).waitFor();
    await page.context().setOffline(false);
    await page.goto('/login');
    const [before] = await page.evaluate(() => caches.keys());

    const script = readFileSync(join(web, 'sw.js'), 'utf8');
    for (const packed of ['sw.js.br', 'sw.js.gz']) rmSync(join(web, packed));
    // What the browser has already is not requested again: the server has these no more.
    const kept = readdirSync(join(web, 'assets')).filter(name => name.startsWith('SettingsPage-'));
    expect(kept).not.toEqual([]);
    for (const name of kept) rmSync(join(web, 'assets', name));
    writeFileSync(join(web, 'sw.js'), script.replace(/(version:\W)[0-9a-f]{12}/, '$1aaaaaaaaaaaa'));
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    await page.getByText('A new version is available.').waitFor();
    await page.evaluate(() => document.body.setAttribute('data-of-before', ''));
    await page.getByRole('button', { name: 'Reload' }).click();
    // The new build takes over, and with it comes a new page.
    await expect.poll(() => page.evaluate(() => caches.keys())).toEqual(['milepost-shell-aaaaaaaaaaaa']);
    await page.locator('body:not([data-of-before])').waitFor();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(before).toMatch(/^milepost-shell-[0-9a-f]{12}$/);
  });
});
