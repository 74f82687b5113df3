import { createShare, listVehicles } from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, leaveMapsOut } from './support/browser.ts';
import { isFocused } from './support/fields.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles } from './support/tracker.ts';

leaveMapsOut();

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
  await addVehicles(milepost, [{ imei: '356307042441013', deviceName: '4127' }]);
  const { call } = await ownerApi(milepost);
  const deviceIds = (await call(listVehicles)).map(({ id }) => id);
  const expiresAt = new Date(Date.now() + 8 * 3_600_000).toISOString();
  await call(createShare, { body: { deviceIds, expiresAt, showTrail: true, showSpeed: false, name: 'Gate' } });
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const row = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Share links', exact: true }).getByRole('row').filter({ hasText: name });

/** What the page shows and does with links is tested beside its code. */
it('all share links are reached from the dialog that creates them and by the search, and one that ends has ended after a reload', async () => {
  const { page } = await visitSignedIn(browser, milepost.url);
  await page.goto('/fleet');
  await page.getByRole('checkbox', { name: /4127/ }).first().check();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.getByRole('tab', { name: /^Links/ }).click();
  await dialog.getByRole('link', { name: 'All share links' }).click();
  await dialog.waitFor({ state: 'detached' });
  await row(page, 'Gate').waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  await expect.poll(() => isFocused(page.getByRole('combobox', { name: 'Search' }))).toBe(true);
  await page.keyboard.type('share links');
  await page.getByRole('option', { name: 'Share links' }).click();
  await row(page, 'Gate').getByRole('button', { name: /^Gate/ }).click();
  const drawer = page.getByRole('complementary', { name: 'Gate' });
  await drawer.getByRole('button', { name: 'End link Gate' }).click();
  await drawer.getByRole('button', { name: 'End link', exact: true }).click();
  await row(page, 'Gate').getByText('Ended', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Ended · 1' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('state')).toBe('revoked');
  await page.reload();
  await row(page, 'Gate').getByText('Ended', { exact: true }).waitFor();
});
