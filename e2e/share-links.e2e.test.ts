import { createHttpClient } from '@milepost/client';
import {
  acceptInvitation,
  createRole,
  createShare,
  listVehicles,
  registerUser,
  signIn as signInRoute,
} from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectAccessibleInBoth, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { isFocused } from './support/fields.ts';
import { type Milepost, OWNER, signIn, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles } from './support/tracker.ts';

leaveMapsOut();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PASSWORD = 'interstate 81 northbound';
const HOUR_MS = 3_600_000;

let browser: Browser;
let milepost: Milepost;

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

async function clientOf(userName: string, password: string) {
  let token: string | null = null;
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  ({ token } = await http.call(signInRoute, { body: { userName, password } }));
  return http;
}

/** Creates a share link as this user, for vehicles given by name. */
async function share(userName: string, password: string, names: readonly string[], wish: object = {}) {
  const http = await clientOf(userName, password);
  const owner = await clientOf(OWNER.name, OWNER.password);
  const deviceIds = (await owner.call(listVehicles)).flatMap(({ id, deviceName }) =>
    names.includes(deviceName) ? [id] : [],
  );
  const shown = { deviceIds, expiresAt: inHours(8), showTrail: true, showSpeed: false };
  return (await http.call(createShare, { body: { ...shown, ...wish } })).share;
}

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
  await addVehicles(milepost, [
    { imei: '356307042441013', deviceName: '4127' },
    { imei: '356307042441021', deviceName: '4118' },
  ]);
  const owner = await clientOf(OWNER.name, OWNER.password);
  const { id: customRoleId } = await owner.call(createRole, {
    body: { name: 'Yard', basedOn: 'dispatcher', permissions: ['vehicles.read', 'shares.write'] },
  });
  for (const [displayName, userName, role] of [
    ['Omar Haddad', 'o.haddad', { role: 'dispatcher' }],
    ['Yara Voss', 'y.voss', { role: 'dispatcher', customRoleId }],
    ['Gus Kline', 'g.kline', { role: 'viewer' }],
  ] as const) {
    const { invitation } = await owner.call(registerUser, { body: { displayName, userName, ...role } });
    const token = new URLSearchParams(new URL(invitation?.url ?? '').hash.slice(1)).get('invitation') ?? '';
    await owner.call(acceptInvitation, { body: { token, password: PASSWORD } });
  }
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const table = (page: Page) => page.getByRole('region', { name: 'Share links', exact: true });
const row = (page: Page, name: string) => table(page).getByRole('row').filter({ hasText: name });
const names = (page: Page) => table(page).locator('tbody b').allInnerTexts();
const query = (page: Page) => new URL(page.url()).searchParams;

const openHere = samePage(() => ({ browser, milepost }));

async function openLinks(search = ''): Promise<Page> {
  const { page } = await openHere(`/share-links${search}`);
  await page.getByRole('heading', { name: 'Share links', exact: true }).waitFor();
  return page;
}

async function openAs(userName: string): Promise<Page> {
  const { page } = await visit(browser, milepost.url);
  await page.goto('/share-links');
  await signIn(page, { name: userName, password: PASSWORD });
  await page.getByRole('heading', { name: 'Share links', exact: true }).waitFor();
  return page;
}

it('with no links, the page says so and leads to the vehicles', async () => {
  const page = await openLinks();
  await page.getByRole('heading', { name: 'No share links yet' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Choose vehicles' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/fleet');
});

describe('all share links', () => {
  beforeAll(async () => {
    await share(OWNER.name, OWNER.password, ['4127', '4118'], { name: 'Load 88', note: 'Dock 4' });
    await share('o.haddad', PASSWORD, ['4118'], { name: 'Yard tour', startsAt: inHours(2) });
    await share('o.haddad', PASSWORD, ['4127']);
    await share('y.voss', PASSWORD, ['4127'], { name: 'Gate' });
  });

  it('are in one table, found by name, vehicle, creator and state, all of it in the address', async () => {
    const page = await openLinks();
    await page.getByText('4 links', { exact: true }).waitFor();
    // Open links come first, then planned ones.
    await expect.poll(async () => (await names(page)).at(-1)).toBe('Yard tour');
    for (const text of ['4127, 4118', 'Active', 'nora.kessler', 'never']) {
      await row(page, 'Load 88').getByText(text, { exact: true }).waitFor();
    }
    await expectAccessible(page);
    await page.keyboard.press('f');
    await page.keyboard.type('4118 omar');
    await expect.poll(() => names(page)).toEqual(['Yard tour']);
    await expect.poll(() => query(page).get('q')).toBe('4118 omar');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByRole('button', { name: 'Not started · 1' }).click();
    await expect.poll(() => names(page)).toEqual(['Yard tour']);
    await page.reload();
    await expect.poll(() => names(page)).toEqual(['Yard tour']);
    await page.getByRole('button', { name: 'Expired · 0' }).click();
    await page.getByText('Nothing matches').waitFor();
  });

  it('are opened, read in detail and ended by keyboard', async () => {
    const page = await openLinks();
    await row(page, 'Load 88').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await row(page, 'Load 88')
      .getByRole('button', { name: /^Load 88/ })
      .press('Enter');
    const drawer = page.getByRole('complementary', { name: 'Load 88' });
    for (const text of ['Dock 4', 'position, trail', '4118']) await drawer.getByText(text, { exact: true }).waitFor();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'End link Load 88' }).press('Enter');
    await drawer.getByRole('button', { name: 'End link', exact: true }).press('Enter');
    await drawer.getByText('Ended', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await row(page, 'Load 88').getByText('Ended', { exact: true }).waitFor();
    await expect.poll(async () => (await names(page)).at(-1)).toBe('Load 88');
  });

  it('of one user are ended together', async () => {
    const page = await openLinks();
    const menu = row(page, 'Yard tour').getByRole('button', { name: 'Actions for Yard tour' });
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'Only links by Omar Haddad' }).click();
    await expect.poll(async () => (await names(page)).length).toBe(2);
    await page.getByRole('button', { name: 'Remove filter Created by: Omar Haddad' }).waitFor();
    await menu.press('Enter');
    await page.getByRole('menuitem', { name: 'End all 2 links by Omar Haddad' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'End all 2 links by Omar Haddad' });
    await dialog.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => isFocused(menu)).toBe(true);
    await page.getByRole('button', { name: 'End all 2 links by Omar Haddad' }).click();
    await dialog.getByRole('button', { name: 'End links' }).click();
    await page.getByText('2 links ended.').first().waitFor();
    await page.getByRole('button', { name: /^Ended · \d/ }).click();
    await expect.poll(async () => (await names(page)).sort()).toEqual(['4127', 'Yard tour']);
    expect(await page.getByRole('button', { name: /^End all/ }).count()).toBe(0);
  });

  it('are only their own for users who may only create links, and none for users who may do neither', async () => {
    const page = await openAs('y.voss');
    await page.getByText('You see the links you created.').waitFor();
    await expect.poll(() => names(page)).toEqual(['Gate']);
    const viewer = await openAs('g.kline');
    await viewer.getByRole('alert').getByText('Your role does not allow this.').waitFor();
  });

  it('are found by the search on every page, and opened from the dialog that creates them', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/fleet');
    await page.getByRole('checkbox', { name: /4127/ }).first().check();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share' });
    await dialog.getByRole('tab', { name: /^Links/ }).click();
    await dialog.getByRole('link', { name: 'All share links' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row(page, 'Gate').waitFor();
    await page.goto('/users');
    await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await page.keyboard.type('share links');
    await page.getByRole('option', { name: 'Share links' }).click();
    await row(page, 'Gate').waitFor();
  });

  it('that could not be loaded say so, and loaded ones stay when the connection is lost', async () => {
    const page = await openLinks();
    await row(page, 'Gate').waitFor();
    await page.route('**/api/v1/share', route =>
      route.request().method() === 'GET' ? route.fulfill({ status: 400 }) : route.continue(),
    );
    await row(page, 'Gate').getByRole('button', { name: /^Gate/ }).click();
    const drawer = page.getByRole('complementary', { name: 'Gate' });
    await drawer.getByRole('button', { name: 'End link Gate' }).click();
    await drawer.getByRole('button', { name: 'End link', exact: true }).click();
    await page.getByText(/The list is as of \d/).waitFor();
    await expect.poll(() => row(page, 'Gate').count()).toBe(1);
    await page.reload();
    await page.getByText('Couldn’t load the list').waitFor();
    await page.unroute('**/api/v1/share');
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, 'Gate').getByText('Ended', { exact: true }).waitFor();
  });

  it('are cards on a phone, light and dark', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, PHONE);
    await page.goto('/share-links');
    await row(page, 'Load 88')
      .getByText(/ · nora\.kessler$/)
      .waitFor();
    await expectAccessibleInBoth(page);
  });
});
