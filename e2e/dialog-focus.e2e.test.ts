import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { card, driveThem, openDashboard, startWithVehicles, TRUCK } from './support/dashboard.ts';
import { isFocused } from './support/fields.ts';
import type { Milepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';

/** What is opened over the page and taken away again leaves the focus where it was. */

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startWithVehicles()]);
  await driveThem(milepost);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

async function leave(page: Page, name: string, opener: Locator): Promise<void> {
  const dialog = page.getByRole('dialog', { name, exact: true });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => isFocused(opener)).toBe(true);
}

it('a dialog gives it back to the button that opened it', async () => {
  const { page } = await visitSignedIn(browser, milepost.url);
  await openDashboard(page, `?vehicle=${TRUCK}`);
  const share = card(page, '4127').getByRole('button', { name: 'Share' });
  await share.press('Enter');
  await leave(page, 'Share', share);
});

it('… also one whose chunk comes only then, in a bar over the list', async () => {
  const { page } = await visitSignedIn(browser, milepost.url);
  await page.goto('/fleet');
  await page.getByRole('checkbox', { name: /4127/ }).first().check();
  const command = page.getByRole('toolbar').getByRole('button', { name: /command/i });
  await command.press('Enter');
  await leave(page, 'Send command', command);
});

it('… the search to its button, and what was opened from it as well', async () => {
  const { page } = await visitSignedIn(browser, milepost.url);
  await openDashboard(page);
  const search = page.getByRole('button', { name: /^Search/ }).first();
  await search.press('Enter');
  await leave(page, 'Search', search);
  await search.press('Enter');
  await page.keyboard.type('share 4127');
  await page.getByRole('option', { name: 'Share 4127' }).waitFor();
  await page.keyboard.press('Enter');
  await leave(page, 'Share', search);
});
