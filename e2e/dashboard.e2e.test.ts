import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, leaveMapsOut, leaveStreetsOut, visit } from './support/browser.ts';
import {
  card,
  dashboardShown,
  driveThem,
  map,
  openDashboard,
  REEFER,
  row,
  startWithVehicles,
  TRUCK,
  tree,
} from './support/dashboard.ts';
import { isFocused } from './support/fields.ts';
import { type Milepost, signIn } from './support/milepost.ts';
import { middleOfColour } from './support/picture.ts';
import { samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';
import { fix, LOOP, report } from './support/tracker.ts';

/** Light theme: `--brand2`, the ring and plate of the current vehicle. */
const TEAL = [0x0b, 0x73, 0x6a] as const;

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startWithVehicles()]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

describe('the live dashboard', () => {
  beforeEach(() => driveThem(milepost));

  it('[R2.01] a frame over TCP updates row and marker, without a reload', async () => {
    const { page, complaints } = await visit(browser, milepost.url, { deviceScaleFactor: 1 });
    await page.goto('/');
    await signIn(page);
    await row(page, '4127, moving, 27 miles per hour').click();
    await card(page, '4127').getByText('Moving').first().waitFor();
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));

    const before = await expect
      .poll(() => middleOfColour(map(page).locator('canvas'), TEAL))
      .toMatchObject({ count: expect.toSatisfy((count: number) => count > 300) })
      .then(() => middleOfColour(map(page).locator('canvas'), TEAL));

    await report(milepost, TRUCK, fix(Date.now(), { lat: LOOP.lat + 0.0015, lon: LOOP.lon }, { speed: 20 as never }));
    await row(page, '4127, moving, 45 miles per hour').waitFor();
    await card(page, '4127').getByText('45', { exact: true }).waitFor();
    await expect
      .poll(async () => before.y - (await middleOfColour(map(page).locator('canvas'), TEAL)).y)
      .toBeGreaterThan(10);
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
    expect(complaints).toEqual([]);
  });

  describe('in its list and card', () => {
    leaveMapsOut();
    const openHere = samePage(() => ({ browser, milepost }));

    it('[R7.33] a report is on screen soon after the tracker’s acknowledgement', async () => {
      const { page } = await openHere('/');
      await dashboardShown(page);
      await row(page, '4127, moving').waitFor();
      await report(milepost, TRUCK, fix(Date.now(), LOOP, { speed: 30 as never }));
      await row(page, '4127, moving, 67 miles per hour').waitFor();
    });

    it('searches, filters by status with counts, sorts, and keeps it all in the address', async () => {
      const { page } = await openHere('/');
      await dashboardShown(page);
      const names = () => tree(page).getByRole('treeitem').allInnerTexts();
      const shown = async () => (await names()).map(text => text.split(',')[0]);
      await expect.poll(shown).toEqual(['4118', '4127', 'R-206']);

      await page.keyboard.press('f');
      await expect.poll(() => isFocused(page.getByLabel('Search vehicles'))).toBe(true);
      await page.keyboard.type('va48');
      await expect.poll(shown).toEqual(['4127']);
      await expect.poll(() => new URL(page.url()).search).toBe('?q=va48');
      await page.keyboard.press('Escape');

      await page.getByRole('button', { name: 'Stopped: 1' }).click();
      await expect.poll(shown).toEqual(['4118']);
      await expect.poll(() => new URL(page.url()).search).toBe('?status=stopped');
      await page.reload();
      await expect.poll(shown).toEqual(['4118']);
      await page.getByRole('button', { name: 'Stopped: 1' }).click();

      await page.getByRole('button', { name: 'Sort: Name' }).click();
      await page.getByRole('menuitemradio', { name: 'Speed, fastest first' }).click();
      await expect.poll(shown).toEqual(['4127', '4118', 'R-206']);

      await page.getByLabel('Search vehicles').fill('nothing like it');
      await page.getByText('No vehicles match').waitFor();
      await page.getByText('No name, plate, model, VIN, place or IMEI ending matches “nothing like it”.').waitFor();
      await page.getByRole('button', { name: 'Clear the search' }).click();
      await expect.poll(shown).toHaveLength(3);
    });

    it('shows the current vehicle: every field of its report, why it has its status, its day and its messages', async () => {
      const { page } = await visitSignedIn(browser, milepost.url);
      await openDashboard(page, `?vehicle=${TRUCK}`);
      const details = card(page, '4127');
      for (const text of [
        '2022 Kenworth T680',
        'VA 48-217 PX',
        '62%',
        '259,901.3 mi',
        'GSM good',
        'GPS 11 satellites',
      ]) {
        await details.getByText(text).first().waitFor();
      }
      await details.getByText('Not reported by this tracker: temperature and driver card.').waitFor();

      await details.getByRole('button', { name: 'Why?' }).click();
      await page
        .getByRole('dialog', { name: 'Why moving?' })
        .getByText('At 3 mph or faster in two reports in a row')
        .waitFor();
      await page.keyboard.press('Escape');

      await details.getByRole('tab', { name: 'Today' }).click();
      await details.getByText('Top speed', { exact: true }).waitFor();
      await details.getByRole('list', { name: 'Trips and stops today' }).getByText('Trip,').waitFor();
      await expect.poll(() => new URL(page.url()).searchParams.get('tab')).toBe('today');
      await page.keyboard.press('End');
      await details.getByRole('columnheader', { name: 'Attributes' }).waitFor();
      await details.getByText('newest first').waitFor();

      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await details.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Copy coordinates' }).click();
      await page.getByText('41.87810, -87.62980 copied').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('41.87810, -87.62980');

      await details.getByRole('button', { name: 'Close', exact: true }).press('Enter');
      await details.waitFor({ state: 'detached' });
      await expect.poll(() => page.locator(':focus').getAttribute('data-row')).toBe(TRUCK);
    });

    it('everything works by keyboard', async () => {
      const { page } = await openHere('/');
      await dashboardShown(page);
      const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
      await page.keyboard.press('j');
      await expect.poll(focused).toMatch(/^4118, stopped/);
      await page.keyboard.press('j');
      await expect.poll(focused).toMatch(/^4127, moving/);
      await page.keyboard.press('x');
      await expect.poll(() => row(page, '4127').getAttribute('aria-checked')).toBe('true');
      await page.keyboard.press('k');
      await expect.poll(focused).toMatch(/^4118, stopped/);
      await page.keyboard.press('Enter');
      await card(page, '4118').waitFor();
      await page.keyboard.press('m');
      await page.keyboard.press('n');
      await expect.poll(() => page.getByRole('complementary').getAttribute('aria-label')).toMatch(/^Vehicle 41(18|27)/);
      await page.keyboard.press('Escape');
      await page.getByRole('complementary').waitFor({ state: 'detached' });
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Search vehicles').waitFor();
    });

    it('draws the last hour of the current vehicle from its track, which is unpacked off the main thread', async () => {
      const now = Date.now();
      const drive = [5, 4, 3, 2, 1].map(minutes => {
        const place = { lat: LOOP.lat - minutes * 0.005, lon: LOOP.lon };
        return fix(now - minutes * 60_000, place, { speed: (minutes + 5) as never });
      });
      await report(milepost, REEFER, ...drive);
      const { page, complaints } = await visitSignedIn(browser, milepost.url);
      const answered = page.waitForResponse('**/track?*');
      await openDashboard(page, `?vehicle=${REEFER}`);
      expect((await answered).status()).toBe(200);
      // 10 m/s was the highest speed.
      await card(page, 'R-206')
        .getByRole('img', { name: /22.mph/ })
        .waitFor();
      expect(complaints).toEqual([]);
    });
  });

  describe('on its map', () => {
    leaveStreetsOut();

    it('[R4.17] selects vehicles, makes one current, shows only one on the map, and clears the selection', async () => {
      const { page } = await visitSignedIn(browser, milepost.url);
      await openDashboard(page);
      await row(page, '4118').press('Space');
      await row(page, '4127').click();
      const tray = page.getByRole('region', { name: 'Selected vehicles' });
      await tray.getByText('2 selected').waitFor();
      await expect.poll(() => row(page, '4127').getAttribute('aria-checked')).toBe('true');
      await tray.getByRole('button', { name: 'Make 4118 current' }).click();
      await card(page, '4118').waitFor();
      await tray.getByText('2 selected').waitFor();
      await card(page, '4118').getByRole('button', { name: 'Only this' }).click();
      await page.getByText('Only 4118 is on the map').waitFor();
      await tray.getByRole('button', { name: 'Remove 4118' }).click();
      await card(page, '4118').waitFor({ state: 'detached' });
      await tray.getByRole('button', { name: 'Clear' }).click();
      await tray.waitFor({ state: 'detached' });
    });
  });
});
