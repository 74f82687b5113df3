import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { inColors, REFUSED, USUAL } from './support/browser.ts';
import { borrowPage, closeContexts, launchBrowser } from './support/contexts.ts';
import { launchAlone } from './support/launch.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';

let browser: Browser;
let milepost: Milepost;
beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
});
afterAll(async () => {
  await browser?.close();
  await milepost?.close();
});

async function borrow() {
  const browser = await launchBrowser();
  const borrowed = await borrowPage(browser, { baseURL: milepost.url, serviceWorkers: 'block' });
  const response = await borrowed.page.goto('/login');
  return { ...borrowed, browser, status: response?.status() };
}

describe('a borrowed page', () => {
  it('is in the context of the page before, with everything stored by that one gone', async () => {
    const first = await borrow();
    await first.page.evaluate(async () => {
      localStorage.setItem('left', 'behind');
      sessionStorage.setItem('left', 'behind');
      await cookieStore.set('left', 'behind');
      await caches.open('left behind');
      await new Promise(done => {
        indexedDB.open('left behind').onsuccess = ({ target }) => {
          (target as IDBOpenDBRequest).result.close();
          done(null);
        };
      });
    });
    await first.page.reload();
    await first.giveBack();
    const contexts = first.browser.contexts().length;
    const second = await borrow();
    expect(second.status).toBe(200);
    expect(second.browser.contexts()).toHaveLength(contexts);
    expect(
      await second.page.evaluate(async () => ({
        local: localStorage.getItem('left'),
        session: sessionStorage.getItem('left'),
        cookie: document.cookie,
        databases: (await indexedDB.databases()).map(({ name }) => name).filter(name => name === 'left behind'),
        caches: await caches.keys(),
      })),
    ).toEqual({ local: null, session: null, cookie: '', databases: [], caches: [] });
    await second.giveBack();
  });

  it('stays for the next file of its worker if it is one of the three that tests use most', async () => {
    const alone = await launchAlone();
    onTestFinished(() => alone.close());
    const used = async (locale: string): Promise<BrowserContext> => {
      const { page, giveBack } = await borrowPage(alone, { baseURL: milepost.url, serviceWorkers: 'block', locale });
      await giveBack();
      return page.context();
    };
    for (const locale of ['de', 'es', 'fr']) await used(locale);
    await used('en-US');
    const most = await used('en-US');
    await closeContexts(alone);
    expect(alone.contexts()).toHaveLength(3);
    expect(await used('en-US')).toBe(most);
  });

  it.each([
    ['the clock', page => page.clock.install()],
    ['the network', page => page.context().setOffline(true)],
    ['its scripts', page => page.context().addInitScript(() => {})],
  ] as const satisfies readonly (readonly [string, (page: Awaited<ReturnType<typeof borrow>>['page']) => unknown])[])(
    'takes its context with it once a test has changed %s',
    async (_, change) => {
      const changed = await borrow();
      const before = changed.browser.contexts();
      await change(changed.page);
      await changed.giveBack();
      const after = changed.browser.contexts();
      expect(after).toHaveLength(before.length - 1);
    },
  );
});

describe('the same page', () => {
  const openHere = samePage(() => ({ browser, milepost }));

  it('stays loaded from test to test, and nothing that a test changed is left', async () => {
    const { page } = await openHere('/settings/organisation');
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    await page.setViewportSize({ width: 390, height: 844 });
    await inColors(page, 'dark');
    await page.route('**/api/v1/read_my_users', route => route.fulfill(REFUSED));
    await page.getByLabel('Distance and speed').selectOption('km');
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByText('Saved.').waitFor();

    const next = await openHere('/users');
    await next.page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    expect(next.page).toBe(page);
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
    expect(await page.getByText('Saved.').count()).toBe(0);
    // Without the token.
    expect(await page.evaluate(async () => (await fetch('/api/v1/read_my_users')).status)).toBe(401);
    expect(page.viewportSize()).toEqual(USUAL.viewport);
    expect(await page.evaluate(() => document.documentElement.dataset.colorScheme)).toBe(USUAL.colorScheme);
  });

  it('is loaded anew if unsaved changes keep it where it is, or a dialog is open', async () => {
    const { page } = await openHere('/settings/organisation');
    await page.getByLabel(/^Address/).fill('1 Wacker Dr');
    await page.getByText('1 unsaved change').waitFor();
    const next = await openHere('/settings/organisation');
    expect(next.page).not.toBe(page);
    await expect.poll(() => next.page.getByLabel(/^Address/).inputValue()).toBe('');

    await next.page.keyboard.press('Control+k');
    await next.page.getByRole('dialog').waitFor();
    expect((await openHere('/users')).page).not.toBe(next.page);
  });
});
