import { createGeofence } from '@milepost/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { expectAccessible, launchBrowser, leaveStreetsOut, takeWebGlAway } from './support/browser.ts';
import { card, driveThem, map, openDashboard, row, startWithVehicles, TRUCK, VAN } from './support/dashboard.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { middleOfColour } from './support/picture.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles, LOOP } from './support/tracker.ts';

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startWithVehicles()]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

/** To count the pixels of a color. */
const SHARP = { deviceScaleFactor: 0.5 };
/** The color `--s5`. */
const PLUM = [0xa3, 0x3a, 0x68] as const;

beforeEach(() => driveThem(milepost));

async function addPlumGeofence(name: string): Promise<void> {
  const { call } = await ownerApi(milepost);
  const shape = { kind: 'circle' as const, center: [LOOP.lon, LOOP.lat] as [number, number], radiusM: 250 };
  await call(createGeofence, { body: { name, color: 'plum', shape } });
}

describe('what is on the dashboard’s map', () => {
  leaveStreetsOut();

  it('[R4.17] has tools: nearest vehicles, measuring, vehicles side by side, wall display', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page, `?vehicle=${TRUCK}&selected=${VAN}`);
    await map(page).locator('canvas').waitFor();
    await card(page, '4127').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Nearest vehicles' }).click();
    const nearest = page.getByRole('region', { name: 'Nearest vehicles' });
    await nearest.getByRole('button', { name: /^4118, 1\.1\smi, west, Stopped/ }).waitFor();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Measure' }).click();
    const measure = page.getByRole('region', { name: 'Measure', exact: true });
    await measure.waitFor();
    await map(page).locator('canvas').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^Moved east\. \d vehicles? in view$/).waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await measure.getByText(/^(0\.[1-9]\smi|[1-9]\d*\sft)$/).waitFor();
    await measure.getByRole('button', { name: 'Undo' }).click();
    await measure.getByText(/^0\sft$/).waitFor();
    await map(page).locator('canvas').focus();
    await page.keyboard.press('Escape');
    await measure.waitFor({ state: 'detached' });
    await card(page, '4127').waitFor();

    await page.getByRole('button', { name: 'Compare' }).click();
    const split = page.getByRole('region', { name: 'Vehicles side by side' });
    await expect.poll(() => split.locator('canvas').count()).toBe(2);
    await expect.poll(() => new URL(page.url()).searchParams.get('show')).toBe('compare');
    await expectAccessible(page);
    await split.getByRole('button', { name: 'Open 4118' }).click();
    await card(page, '4118').waitFor();

    await page.getByRole('button', { name: 'Wall mode' }).click();
    const wall = page.getByRole('group', { name: 'Wall' });
    await wall.getByText('4118').waitFor();
    await page.keyboard.press('Space');
    await wall.getByText('Paused').waitFor();
    await page.keyboard.press('ArrowRight');
    await wall.getByText('4127').waitFor();
    await page.keyboard.press('Escape');
    await wall.waitFor({ state: 'detached' });
    await card(page, '4118').waitFor();
  });

  it('shows a town found by the search, from the map and from another page', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page);
    await map(page).locator('canvas').waitFor();
    const lookAt = async (town: string, option: RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill(town);
      await page.getByRole('option', { name: option }).click();
      await map(page).locator('canvas').focus();
    };
    await lookAt('springfield, il', /^Springfield\s*IL/);
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowRight');
        return page.getByText('Moved east. 0 vehicles in view').count();
      })
      .toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Fleet', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Fleet' }).waitFor();
    await lookAt('chicago', /^Chicago\s*IL/);
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowRight');
        return page.getByText(/Moved east\. [1-9]\d* vehicles? in view/).count();
      })
      .toBeGreaterThan(0);
  });
});

describe('the dashboard’s map', () => {
  it('shows the geofences, unless they are turned off in the layers menu', async () => {
    await addPlumGeofence('Loop');
    const { page } = await visitSignedIn(browser, milepost.url, SHARP);
    await openDashboard(page, `?vehicle=${TRUCK}`);
    const drawn = async () => (await middleOfColour(map(page), PLUM)).count;
    await expect.poll(drawn).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Layers' }).click();
    await page.getByRole('menuitemradio', { name: 'Geofences' }).click();
    await expect.poll(drawn).toBe(0);
  });

  it('without WebGL the list still works and the page says why there is no map', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.addInitScript(takeWebGlAway);
    await openDashboard(page);
    await page.getByText('This browser can’t show the map').waitFor();
    await row(page, '4127').click();
    await card(page, '4127').waitFor();
  });

  it('without map data the vehicles and geofences are on a grid', async () => {
    await addPlumGeofence('On the grid');
    const { page } = await visitSignedIn(browser, milepost.url, SHARP);
    await page.route('**/map/**', route => route.fulfill({ status: 404 }));
    await openDashboard(page, `?vehicle=${TRUCK}`);
    await page.getByText('No base map.').waitFor();
    await expect.poll(async () => (await middleOfColour(map(page), PLUM)).count).toBeGreaterThan(20);
  });

  it('falls back to the offline map if the configured one does not answer, and says so', async () => {
    const online = await startMilepost({ map: { styleUrl: 'http://127.0.0.1:9/style.json', tileUrl: null } });
    onTestFinished(() => online.close());
    await addVehicles(online, [{ imei: TRUCK, deviceName: '4127' }]);
    const { page } = await visitSignedIn(browser, online.url);
    await openDashboard(page);
    await page.getByText('The configured map does not respond. Showing the offline base map.').waitFor();
    await page.getByText('© OpenStreetMap contributors').waitFor();
  });
});
