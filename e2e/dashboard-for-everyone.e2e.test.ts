import { createHttpClient } from '@milepost/client';
import { assignVehicle, createDriver, listVehicles, updateDriver } from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, inColors, launchBrowser, leaveStreetsOut } from './support/browser.ts';
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
import type { Milepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';
import { fix, LOOP, report } from './support/tracker.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** The whole map, whose credits are links, is in `every-page`. */
leaveStreetsOut();

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startWithVehicles()]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const openHere = samePage(() => ({ browser, milepost }));

/** The distance shown by the map's scale, in meters; shorter when the map is closer. */
async function metresInScale(page: Page): Promise<number> {
  const [, value = '', unit = ''] =
    /([\d.,]+)\s(ft|mi)/.exec(
      (await map(page)
        .getByText(/^[\d.,]+\s(ft|mi)$/)
        .textContent()) ?? '',
    ) ?? [];
  return Number(value.replace(',', '')) * (unit === 'mi' ? 1609 : 0.3048);
}

describe('the dashboard on all screens and for assistive technology', () => {
  beforeEach(() => driveThem(milepost));

  it('axe finds nothing on list, map and card, light and dark', async () => {
    const { page } = await openHere('/');
    await dashboardShown(page);
    await row(page, '4127').click();
    await row(page, '4118').press('Space');
    await card(page, '4127').getByText('259,901.3 mi').waitFor();
    // Both colors in turn for all tabs, because with the colors the map is drawn anew.
    for (const colors of ['light', 'dark'] as const) {
      await inColors(page, colors);
      for (const [tab, text] of [
        ['Now', '259,901.3 mi'],
        ['Today', 'Trip,'],
        ['Raw', 'newest first'],
      ] as const) {
        await card(page, '4127').getByRole('tab', { name: tab }).click();
        await card(page, '4127').getByText(text).waitFor();
        await expectAccessible(page);
      }
    }
  });

  it('axe finds nothing in what opens: legend, connections, reasons, the form with its messages', async () => {
    const { page } = await openHere(`/?vehicle=${TRUCK}`);
    await dashboardShown(page);
    for (const [name, opened] of [
      ['Why?', 'Why moving?'],
      ['Legend', 'What the symbols mean'],
      [/^Live/, 'Connections'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog', { name: opened }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: opened }).waitFor({ state: 'hidden' });
    }
    // Esc has closed the panel, but not the vehicle's card behind it.
    await card(page, '4127').waitFor();
    await page.getByRole('button', { name: 'Add vehicle' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a vehicle' });
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();
    await dialog.getByText('Check the IMEI. It has 15 digits').waitFor();
    await expectAccessible(page);
  });

  it('[R9.09] on a phone the map fills the page, with search, status chips and a sheet with three stops', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, PHONE);
    await openDashboard(page);
    const sheet = page.getByRole('region', { name: 'Vehicles and details' });
    const height = async () => (await sheet.boundingBox())?.height ?? 0;
    const half = await height();
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'Full height' }).click();
    await expect.poll(height).toBeGreaterThan(half * 1.5);
    await sheet.getByRole('button', { name: 'Collapse' }).click();
    await expect.poll(height).toBe(96);
    await row(page, '4127').click();
    await card(page, '4127').getByText('Kenworth').waitFor();
    await expect.poll(height).toBeCloseTo(half, -1);
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Search vehicles' }).fill('4118');
    await expect.poll(() => tree(page).getByRole('treeitem').count()).toBe(1);
    for (const button of await page.getByRole('region', { name: 'Map', exact: true }).getByRole('button').all()) {
      const box = await button.boundingBox();
      if (box && box.width > 30) expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(48);
    }
  });

  it('on a phone the map zooms in on a chosen vehicle, and driver, call button and status are visible without scrolling', async () => {
    const { page, token } = await visitSignedIn(browser, milepost.url, PHONE);
    const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
    const vehicle = (await http.call(listVehicles)).find(({ imei }) => imei === TRUCK);
    const { id } = await http.call(createDriver, { body: { name: 'Dana Whitlock' } });
    // Between the two others, so that it is in view before it is chosen.
    const southEast = { lat: LOOP.lat - 0.02, lon: LOOP.lon + 0.03 };
    await report(milepost, REEFER, fix(Date.now() - 2000, southEast));
    await openDashboard(page);
    const inFirstView = async (name: RegExp | string, role: 'link' | 'button' = 'button') => {
      const part = card(page, '4127').getByRole(role, { name });
      await part.waitFor();
      const bar = await page.getByRole('navigation', { name: 'Main' }).boundingBox();
      // The sheet may still be on its way.
      await expect
        .poll(async () => {
          const { y = Number.NaN, height = 0 } = (await part.boundingBox()) ?? {};
          return y + height;
        })
        .toBeLessThanOrEqual(bar?.y ?? 0);
    };
    const before = await metresInScale(page);
    await row(page, '4127').click();
    await expect.poll(() => metresInScale(page)).toBeLessThan(before);
    await card(page, '4127').getByText('No driver').waitFor();
    await inFirstView('Assign driver');

    await http.call(assignVehicle, { params: { id }, body: { deviceId: vehicle?.id ?? '' } });
    await card(page, '4127').getByText('Dana Whitlock').waitFor();
    await inFirstView('Add a phone number for Dana Whitlock', 'link');

    await http.call(updateDriver, { params: { id }, body: { phone: '+1 555 010 4477' } });
    await inFirstView(/^Call Dana Whitlock/, 'link');
    const call = card(page, '4127').getByRole('link', { name: /^Call/ });
    await expect.poll(() => call.getAttribute('href')).toBe('tel:+15550104477');
    await inFirstView(/^Follow/);
    await expectAccessible(page);
  });
});
