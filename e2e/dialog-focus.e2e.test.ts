import { createDriver } from '@milepost/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { card, dashboardShown, driveThem, startWithVehicles, TRUCK } from './support/dashboard.ts';
import { isFocused } from './support/fields.ts';
import type { Milepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';

leaveMapsOut();

/** Closing a dialog or drawer returns the focus to where it was. */

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startWithVehicles()]);
  await driveThem(milepost);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const openHere = samePage(() => ({ browser, milepost }));

async function leave(page: Page, name: string, opener: Locator): Promise<void> {
  const dialog = page.getByRole('dialog', { name, exact: true });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => isFocused(opener)).toBe(true);
}

it('a dialog returns it to the button that opened it', async () => {
  const { page } = await openHere(`/?vehicle=${TRUCK}`);
  await dashboardShown(page);
  const share = card(page, '4127').getByRole('button', { name: 'Share' });
  await share.press('Enter');
  await leave(page, 'Share', share);
});

it('… also a dialog in a bar over the list whose code loads only then', async () => {
  const { page } = await openHere('/fleet');
  await page.getByRole('checkbox', { name: /4127/ }).first().check();
  const command = page.getByRole('toolbar').getByRole('button', { name: /command/i });
  await command.press('Enter');
  await leave(page, 'Send command', command);
});

it('… the search returns it to its button, and so does anything opened from the search', async () => {
  const { page } = await openHere('/');
  await dashboardShown(page);
  const search = page.getByRole('button', { name: /^Search/ }).first();
  await search.press('Enter');
  await leave(page, 'Search', search);
  await search.press('Enter');
  await expect.poll(() => isFocused(page.getByRole('combobox', { name: 'Search' }))).toBe(true);
  await page.keyboard.type('share 4127');
  await page.getByRole('option', { name: 'Share 4127' }).waitFor();
  await page.keyboard.press('Enter');
  await leave(page, 'Share', search);
});

it('one of many drivers is found by typing in a dialog, and Escape closes the list before the dialog', async () => {
  const http = await ownerApi(milepost);
  for (let i = 0; i < 30; i++)
    await http.call(createDriver, { body: { name: `Driver ${String(i).padStart(2, '0')}` } });
  const { page, complaints } = await visitSignedIn(browser, milepost.url, { viewport: { width: 390, height: 844 } });
  await page.goto('/fleet');
  await page.getByRole('checkbox', { name: /4127/ }).first().check();
  await page.getByRole('button', { name: /^Assign driver/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Driver of 4127' });
  const field = dialog.getByRole('combobox', { name: 'Usual driver' });
  await expect.poll(() => field.evaluate(element => element.tagName)).toBe('INPUT');
  await field.click();
  await dialog.getByRole('option', { name: 'Driver 00' }).waitFor();
  await expectAccessible(page);
  await field.press('Escape');
  await dialog.getByRole('option', { name: 'Driver 00' }).waitFor({ state: 'detached' });
  await field.fill('iver 17');
  await expect.poll(() => dialog.getByRole('option').allTextContents()).toEqual(['Driver 17']);
  await field.press('Enter');
  await expect.poll(() => field.inputValue()).toBe('Driver 17');
  await dialog.getByRole('button', { name: 'Assign', exact: true }).click();
  await page.getByText('Driver 17 is the usual driver of 4127').waitFor();
  expect(complaints).toEqual([]);
});
