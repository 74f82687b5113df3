import { createHttpClient } from '@milepost/client';
import { changePassword, createDriver, registerUser, signIn as signInRoute } from '@milepost/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectAccessibleInBoth, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { isFocused } from './support/fields.ts';
import { type Milepost, OWNER, signIn, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';

leaveMapsOut();

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const openHere = samePage(() => ({ browser, milepost }));
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe('pages and navigation', () => {
  it('[R2.17] an unknown address shows the not-found page, inside the app for signed-in users', async () => {
    const guest = await visit(browser, milepost.url);
    await guest.page.goto('/no/such/page');
    await guest.page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await guest.page.getByText('/no/such/page').waitFor();
    await expect.poll(() => guest.page.title()).toBe('Page not found · Milepost');
    await guest.page.getByRole('link', { name: 'Go to sign-in' }).click();
    await guest.page.getByRole('heading', { name: 'Sign in' }).waitFor();

    const { page } = await openHere('/no/such/page');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'Go to Dashboard' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  });

  it('a page that cannot be loaded says so and offers a reload, which brings it back', async () => {
    const { page } = await visit(browser, milepost.url);
    await page.route('**/assets/NotFoundPage-*.js', route => route.abort());
    await page.goto('/no/such/page');
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await page.unroute('**/assets/NotFoundPage-*.js');
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });

  it('a page is in the rail only if it exists; the keys g d lead to it', async () => {
    const { page } = await openHere('/no/such/page');
    const rail = page.getByRole('navigation', { name: 'Main' });
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    const links = await rail.getByRole('link').all();
    const addresses = new Set(await Promise.all(links.map(link => link.getAttribute('href'))));
    expect(addresses).toContain('/');
    for (const address of addresses) {
      await rail.locator(`a[href="${address}"]`).last().click();
      // The next click would skip a page that is still loading.
      await rail.locator(`a[href="${address}"][aria-current="page"]`).first().waitFor();
      await page.getByRole('heading', { name: 'Page not found' }).waitFor({ state: 'detached' });
      await expect.poll(() => page.title()).not.toMatch(/^Page not found/);
    }
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    const item = rail.getByRole('link', { name: 'Dashboard', exact: true });
    await expect.poll(() => item.getAttribute('aria-current')).toBe('page');
  });

  it('[R9.09] the rail has labels from 1024 px, icons from 600 px, and is a bottom bar below that', async () => {
    const { page } = await openHere('/no/such/page');
    const item = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard', exact: true });
    const widthOfRail = () => page.getByRole('navigation', { name: 'Main' }).evaluate(rail => rail.clientWidth);
    await item.waitFor();
    for (const [width, rail] of [
      [1920, 208],
      [1440, 76],
      [1024, 76],
      [1023, 56],
      [600, 56],
      [599, 599],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(widthOfRail).toBe(rail);
      await expect.poll(async () => (await item.boundingBox())?.height).toBeGreaterThanOrEqual(width < 600 ? 48 : 24);
    }
    await expect.poll(async () => (await item.boundingBox())?.y).toBeGreaterThan(700);
  });

  it('the first Tab reaches a skip link that leads to the content; ? lists the shortcuts, Esc closes the list, and shortcuts can be turned off', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/no/such/page');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: 'Skip to content' });
    await expect.poll(() => isFocused(link)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');

    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Go to Dashboard').waitFor();
    await expectAccessible(page);
    await list.getByLabel('Single-key shortcuts').click();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await page.keyboard.press('?');
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    expect(new URL(page.url()).pathname).toBe('/no/such/page');
    expect(await list.isVisible()).toBe(false);
  });

  it('axe finds nothing in the app’s menus and sheets, light and dark', async () => {
    const { page } = await openHere('/no/such/page');
    await page.getByRole('button', { name: /^Appearance/ }).click();
    await page.getByRole('menuitemradio', { name: 'Automatic' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.keyboard.press('Escape');
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.keyboard.press('Escape');
    await page.setViewportSize(PHONE.viewport);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('dialog', { name: 'Account' }).waitFor();
    await expectAccessibleInBoth(page);
  });
});

describe('the session', () => {
  it('[R4.05] [R9.08] says once per browser session that sign-in worked, at the bottom, for a while', async () => {
    const { page } = await visit(browser, milepost.url);
    await page.goto('/login');
    await signIn(page);
    const toast = page.getByText('You logged in successfully!');
    await toast.waitFor();
    // One look: it closes by itself.
    const box = await toast.boundingBox();
    expect(box?.y).toBeGreaterThan(800);
    expect(Math.abs((box?.x ?? 0) + (box?.width ?? 0) / 2 - 720)).toBeLessThan(60);
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('loginNotified'))).not.toBeNull();
    await toast.waitFor({ state: 'detached' });

    const readMe = page.waitForResponse('**/api/v1/read_me');
    await page.reload();
    await readMe;
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    await page.waitForTimeout(300);
    expect(await toast.count()).toBe(0);
  });

  it('[R4.02] [R3.09] [R4.04] [R4.07] a stored token is restored at start-up, the user is stored under ncfMe, tenant and subscriptions are loaded; [R4.03] signing out clears all stored data and ends the session on the server', async () => {
    const { page, token } = await visitSignedIn(browser, milepost.url);
    const readMe = page.waitForRequest('**/api/v1/read_me');
    const asked = ['/api/v1/tenant', '/api/v1/subscription'].map(path =>
      page.waitForResponse(response => new URL(response.url()).pathname === path),
    );
    await page.goto('/');
    expect((await (await readMe).allHeaders()).authorization).toBe(`Bearer ${token}`);
    for (const response of await Promise.all(asked)) expect(response.status()).toBe(200);
    await expect
      .poll(() => page.evaluate(() => JSON.parse(localStorage.getItem('tenant') ?? 'null')?.name))
      .toBe('My fleet');
    await page.getByRole('banner').getByText('My fleet').waitFor();
    const account = page.getByRole('button', { name: `Account: ${OWNER.name}` }).first();
    await account.waitFor();
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('ncfMe') ?? '{}') as object);
    expect(kept).toMatchObject({ userName: OWNER.name });
    expect(kept).not.toHaveProperty('messaging');

    await account.click();
    const signedOut = page.waitForResponse('**/api/v1/signout');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const left = () => page.evaluate(() => Object.keys(localStorage).filter(key => ['token', 'ncfMe'].includes(key)));
    await expect.poll(left).toEqual([]);
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem('loginNotified'))).toBeNull();
    expect((await signedOut).status()).toBe(200);
    const answer = await fetch(`${milepost.url}/api/v1/read_me`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(401);
    // The next user starts at the home page.
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('signing out in one tab signs the others out', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/');
    const other = await page.context().newPage();
    await other.goto('/');
    await other.getByRole('navigation', { name: 'Main' }).waitFor();
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('when another user signs in in another tab, this tab shows nothing of the previous user', async () => {
    const { page, token } = await visitSignedIn(browser, milepost.url);
    const { call } = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
    await call(createDriver, { body: { name: 'Dana Whitlock' } });
    const them = { userName: 'g.kline', password: 'interstate 81 northbound' };
    await call(registerUser, { body: { ...them, displayName: 'Gus Kline', role: 'driver' } });
    const first = await call(signInRoute, { body: them });
    const asThem = createHttpClient({ baseUrl: milepost.url, getToken: () => first.token });
    const changed = { oldPassword: them.password, newPassword: 'a thermos of coffee', endOtherSessions: false };
    const { token: theirs } = await asThem.call(changePassword, { body: changed });
    await page.goto('/personal');
    await page.getByText('Dana Whitlock').first().waitFor();
    const other = await page.context().newPage();
    await other.goto('/login');
    await other.evaluate(stored => {
      localStorage.clear();
      localStorage.setItem('token', stored);
    }, theirs);
    await page.getByRole('button', { name: 'Account: Gus Kline' }).first().waitFor();
    await expect.poll(() => page.getByText('Dana Whitlock').count()).toBe(0);
  });
});

describe('appearance', () => {
  const background = () => getComputedStyle(document.body).backgroundColor;
  const LIGHT = 'rgb(237, 241, 245)';
  const DARK = 'rgb(11, 18, 25)';

  it('[R4.18] follows the system until the user chooses, and the choice is stored and wins', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, { colorScheme: 'dark' });
    await page.goto('/no/such/page');
    const menu = page.getByRole('button', { name: 'Appearance: Automatic' });
    await menu.waitFor();
    await expect.poll(() => page.evaluate(background)).toBe(DARK);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(() => page.evaluate(background)).toBe(LIGHT);

    await menu.click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await expect.poll(() => page.evaluate(background)).toBe(DARK);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('mode-status'))).toBe('1');
    await page.reload();
    await page.getByRole('button', { name: 'Appearance: Dark' }).waitFor();
    await expect.poll(() => page.evaluate(background)).toBe(DARK);

    await page.getByRole('button', { name: 'Appearance: Dark' }).click();
    await page.getByRole('menuitemradio', { name: 'Automatic' }).click();
    await expect.poll(() => page.evaluate(background)).toBe(LIGHT);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('mode-status'))).toBeNull();
  });

  it.each([
    ['1', DARK],
    ['0', LIGHT],
    ['anything', LIGHT],
  ])('[R4.18] a stored %j applies from the first paint: %s', async (stored, expected) => {
    const { page } = await visit(browser, milepost.url, { colorScheme: expected === DARK ? 'light' : 'dark' });
    await page.addInitScript(value => localStorage.setItem('mode-status', value), stored);
    await page.goto('/no/such/page', { waitUntil: 'domcontentloaded' });
    expect(await page.evaluate(background)).toBe(expected);
  });

  it('at 200 % zoom and in forced colors nothing is lost', async () => {
    const { page } = await openHere('/no/such/page');
    await page.setViewportSize({ width: 640, height: 400 });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByRole('link', { name: 'Go to Dashboard' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  });
});
