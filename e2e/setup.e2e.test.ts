import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser, violationsOf, visit } from './support/browser.ts';
import { type Milepost, signIn, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';
import { fix, LOOP, report } from './support/tracker.ts';

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([
    launchBrowser(),
    startMilepost({ gateways: new Map([['teltonika', 0]]) }, { firstStart: true }),
  ]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const step = (page: Page, title: string) => page.getByRole('heading', { name: title, level: 1 }).waitFor();

it('a new installation asks for company, owner, map, first vehicle and a test e-mail', async () => {
  const { page } = await visit(browser, milepost.url, { timezoneId: 'America/Edmonton', locale: 'en-CA' });
  await page.goto('/');
  await signIn(page);

  await step(page, 'Your company');
  // Suggested from the browser.
  await expect.poll(() => page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toBe('America/Edmonton');
  await expect.poll(() => page.getByRole('combobox', { name: 'Distance and speed' }).inputValue()).toBe('km');
  expect(await violationsOf(page)).toEqual([]);
  await page.getByLabel('Name of the organization').fill('Rockfish Freight Lines');
  await page.getByRole('combobox', { name: 'Time zone' }).fill('denver');
  await page.getByRole('option', { name: 'America/Denver' }).click();
  await page
    .getByLabel('Choose logo')
    .setInputFiles(join(import.meta.dirname, '../apps/web/public/icons/icon-512.png'));
  await page.getByRole('img', { name: 'Logo' }).waitFor();
  await page.getByRole('button', { name: 'Save and continue' }).click();

  await step(page, 'About you');
  const steps = page.getByRole('navigation', { name: 'Steps' });
  await steps.getByText('Rockfish Freight Lines').waitFor();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nora Kessler');
  await page.getByRole('button', { name: 'Save and continue' }).click();

  await step(page, 'Streets everywhere?');
  await steps.getByText('Nora Kessler, owner').waitFor();
  await page.getByRole('button', { name: 'Use the built-in map' }).click();

  await step(page, 'Your first vehicle');
  // Leave the setup and come back elsewhere, through the map: it continues at the same step.
  const { page: elsewhere } = await visitSignedIn(browser, milepost.url);
  await elsewhere.goto('/');
  const rest = elsewhere.getByRole('region', { name: 'Finish setting up' });
  await rest.getByText('2 steps left.').waitFor();
  await rest.getByRole('button', { name: 'Continue' }).click();
  await step(elsewhere, 'Your first vehicle');

  await page.getByLabel('IMEI of the tracker').fill('356307042441013');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('4221');
  await page.getByRole('button', { name: 'Add vehicle' }).click();
  await steps.getByText('waiting for first report').waitFor();

  // The map step shows the state of the vehicle, and what to check until it reports.
  await steps.getByRole('button', { name: 'Map' }).click();
  await page.getByText('is waiting for its first report').waitFor();
  await page.getByText(/^Listening on (port \d+|\d+ ports) for .* · nothing received yet$/).waitFor();
  await page.getByRole('button', { name: 'What to check' }).click();
  await page
    .getByRole('dialog', { name: 'What to check' })
    .getByText('The IMEI printed on it is 356307042441013.')
    .waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await report(milepost, '356307042441013', fix(Date.now(), LOOP));
  await page.getByText('is reporting').waitFor();
  await page.getByText(/^Last report \d+ s ago$/).waitFor();
  await steps.getByRole('button', { name: 'First vehicle' }).click();
  await page.getByRole('button', { name: 'Continue', exact: true }).click();

  await step(page, 'Does email work?');
  await page.getByRole('button', { name: 'Send a test email' }).click();
  await page.getByRole('main').getByText('You have no email address. Add one in your profile.').waitFor();
  await page.getByRole('button', { name: 'Skip for now' }).click();
  await page.getByRole('region', { name: 'Map' }).first().waitFor();
  await page.getByText('4221').first().waitFor();
  await expect.poll(() => page.getByRole('region', { name: 'Finish setting up' }).count()).toBe(0);
});
