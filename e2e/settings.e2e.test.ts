import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { describedText, isFocused } from './support/fields.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

const TRUCK = '356307042441013';

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [{ imei: TRUCK, deviceName: '4127' }]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const openHere = samePage(() => ({ browser, milepost }));

async function open(section: string): Promise<Page> {
  const { page } = await openHere(`/settings/${section}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}
const save = (page: Page) => page.getByRole('button', { name: /^Save/ }).click();
const saved = (page: Page) => page.getByText('Saved.').waitFor();
const railColour = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--rail').trim());

describe('[R2.05] settings', () => {
  it('for units apply to every page at once', async () => {
    await report(
      milepost,
      TRUCK,
      fix(Date.now() - 20_000, { ...LOOP, lat: LOOP.lat - 0.002 }),
      fix(Date.now() - 2000, LOOP),
    );
    const page = await open('organisation');
    await page.getByLabel('Distance and speed').selectOption('km');
    await save(page);
    await saved(page);
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.getByRole('treeitem', { name: /^4127, .*moving, 43 kilometers per hour/ }).waitFor();
  });

  it('show the remaining days of each subscription, and the audit log', async () => {
    const page = await open('subscriptions');
    await page.getByRole('row', { name: /4127.*364 days/ }).waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /added the vehicle 4127/ }).waitFor();
    await page.getByLabel('Name, address or changed value').fill('4127');
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'changed the settings' }).count()).toBe(0);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    expect((await download).suggestedFilename()).toBe('audit.csv');
  });
});

describe('[R3.07] branding', () => {
  it('accepts three colors, refuses invalid ones, and colors every page, also the sign-in page by its host name', async () => {
    const page = await open('branding');
    const active = page.getByRole('textbox', { name: 'Active, for buttons and links', exact: true });
    await active.fill('yellow');
    await save(page);
    await expect.poll(() => active.evaluate(describedText)).toContain('six hex digits');
    await expect.poll(() => isFocused(active)).toBe(true);
    await active.fill('#ffd600');
    await page.getByText('Text uses #776300.').waitFor();
    await page.getByText('all meet 4.5 : 1').waitFor();
    await page.getByRole('textbox', { name: 'Primary, for the side bar', exact: true }).fill('#4a148c');
    await page.getByLabel('Web address').fill('fleet.localhost');
    await save(page);
    await saved(page);
    await expect.poll(() => railColour(page)).toBe('#4a148c');
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => railColour(page)).not.toBe('#4a148c');
    await expectAccessible(page);

    const guest = (await visit(browser, milepost.url.replace('127.0.0.1', 'fleet.localhost'))).page;
    await guest.goto('/login');
    await expect.poll(() => railColour(guest)).toBe('#4a148c');
    await page.getByRole('button', { name: 'Reset colors' }).click();
    const sent = page.waitForRequest(request => request.method() === 'PATCH');
    await save(page);
    await saved(page);
    expect(Object.keys((await sent).postDataJSON()).toSorted()).toEqual(['activeColour', 'primaryColour']);
  });

  it('accepts a logo, refuses a file that is no image, and shows it at the top', async () => {
    const page = await open('branding');
    const choose = page.getByLabel('Choose logo').first();
    await choose.setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: Buffer.from('<svg onload=alert(1)>'),
    });
    await page.getByText('Use a PNG, JPEG or WebP image').waitFor();
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await choose.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') });
    await expect
      .poll(() =>
        page
          .getByRole('banner')
          .locator('img')
          .evaluate(image => (image as HTMLImageElement).naturalWidth),
      )
      .toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Remove logo' }).click();
    await page.getByRole('banner').locator('img').waitFor({ state: 'detached' });
  });
});

describe('for every user', () => {
  it('[R9.09] in right-to-left languages the rail is on the right, and every text is translated', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.addInitScript(() => localStorage.setItem('language', 'en-x-rtl'));
    await page.goto('/settings/branding');
    await page.getByRole('heading', { name: /^Bráñdíñg/ }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.dir)).toBe('rtl');
    const rail = page.getByRole('navigation', { name: /^Máíñ/ });
    await expect.poll(async () => (await rail.boundingBox())?.x).toBeGreaterThan(1300);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});
