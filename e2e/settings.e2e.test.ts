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
  it('are found by a setting’s name, and the result opens it', async () => {
    const page = await open('organisation');
    await page.getByLabel('Find a setting').fill('logo');
    await page.getByRole('link', { name: 'Branding Logo' }).click();
    await page.getByRole('heading', { name: 'Branding', level: 1 }).waitFor();
    await page.getByLabel('Find a setting').fill('nothing like it');
    await page.getByText('No settings match “nothing like it”.').waitFor();
  });

  it('[R5.03] keep what was typed, show errors beside the field, and ask before leaving', async () => {
    const page = await open('tracking');
    const field = page.getByLabel('Offline after, minutes');
    await field.fill('5');
    await save(page);
    await expect.poll(() => field.evaluate(describedText)).toContain('Choose between 15 minutes and 7 days.');
    expect(await isFocused(field)).toBe(true);
    await expect.poll(() => field.inputValue()).toBe('5');
    await page.getByRole('link', { name: 'Privacy' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await field.fill('90');
    await save(page);
    await saved(page);
    await expect.poll(() => field.evaluate(describedText)).toContain('Changed by nora.kessler');
    await page.getByRole('button', { name: 'Back to default' }).click();
    await expect.poll(() => field.inputValue()).toBe('1440');
  });

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

  it.each([
    [1440, 480],
    [390, 700],
  ])('keep Save and Discard in view while there are unsaved changes, at %i px', async (width, height) => {
    const page = await open('organisation');
    await page.setViewportSize({ width, height });
    const inView = async (name: string) => {
      const { y = Number.NaN, height: tall = 0 } = (await page.getByRole('button', { name }).boundingBox()) ?? {};
      return y >= 0 && y + tall <= height;
    };
    await page.getByLabel(/^Address/).fill('1 Wacker Dr');
    await page.getByText('1 unsaved change').waitFor();
    await page.getByRole('heading', { level: 1 }).scrollIntoViewIfNeeded();
    expect([await inView('Save'), await inView('Discard')]).toEqual([true, true]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => page.getByLabel(/^Address/).inputValue()).toBe('');
  });

  it('use the width: a card’s text is beside its fields if there is room, and above them otherwise', async () => {
    const page = await open('security');
    const [title, field] = [page.getByRole('heading', { name: 'Second factor' }), page.getByLabel('Required for')];
    const places = async () => {
      const [a, b] = await Promise.all([title.boundingBox(), field.boundingBox()]);
      return { beside: (b?.x ?? 0) > (a?.x ?? 0) + 200, reaches: (b?.x ?? 0) + (b?.width ?? 0) };
    };
    expect(await places()).toMatchObject({ beside: true });
    await page.setViewportSize({ width: 1920, height: 1080 });
    await expect.poll(async () => (await places()).reaches).toBeGreaterThan(1200);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(async () => (await places()).beside).toBe(false);
  });

  it('for privacy say what will be deleted for good', async () => {
    const page = await open('privacy');
    await page.getByRole('switch', { name: /Delete old positions/ }).check();
    await page.getByText('positions older than 365 days are permanently deleted').waitFor();
    await page.getByLabel('Keep positions, days').fill('3');
    await save(page);
    await expect
      .poll(() => page.getByLabel('Keep positions, days').evaluate(describedText))
      .toContain('Enter 7 to 3,650 days.');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByRole('switch', { name: /Delete old positions/ }).isChecked()).toBe(false);
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
    expect(await isFocused(active)).toBe(true);
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
    expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl');
    const rail = await page.getByRole('navigation', { name: /^Máíñ/ }).boundingBox();
    expect(rail?.x).toBeGreaterThan(1300);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });
});
