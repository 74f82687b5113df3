import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { streetMap } from '../apps/server/testing/street-map.ts';
import { launchBrowser } from './support/browser.ts';
import { openDashboard, TRUCK } from './support/dashboard.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles } from './support/tracker.ts';

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
  await addVehicles(milepost, [{ imei: TRUCK, deviceName: '4127' }]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

it('a new installation asks once where streets come from; an uploaded map file is shown at once', async () => {
  const { page } = await visitSignedIn(browser, milepost.url);
  await openDashboard(page);
  const ask = page.getByRole('region', { name: 'Streets everywhere?' });
  await ask.getByRole('button', { name: 'Choose a map' }).click();
  await page.getByRole('heading', { name: 'Maps', level: 1 }).waitFor();

  await page.locator('input[type=file]').setInputFiles({
    name: 'world of streets.pmtiles',
    mimeType: 'application/octet-stream',
    buffer: streetMap({ bounds: [-180, -85, 180, 85] }),
  });
  await page.getByRole('radio', { name: 'world-of-streets.pmtiles' }).waitFor();
  await page.getByRole('button', { name: 'Use this file' }).click();
  await page.getByText('Map saved').waitFor();

  const piece = page.waitForResponse(response => response.url().includes('/map/own/world-of-streets.pmtiles'));
  await openDashboard(page);
  expect((await piece).status()).toBe(206);
  await page.getByText('© Test Streets').waitFor();
  expect(await ask.count()).toBe(0);

  // A user who prefers the outline gets it on every device, and the streets again with one click.
  const kinds = page.getByRole('group', { name: 'Map', exact: true });
  const outline = kinds.getByRole('button', { name: 'Outline' });
  const kept = page.waitForResponse(response => response.request().method() === 'PATCH' && response.ok());
  await outline.click();
  await kept;
  await page.getByText('© Test Streets').waitFor({ state: 'detached' });
  await page.getByText('Roads of your fleet, last 90 days').waitFor();
  const { page: elsewhere } = await visitSignedIn(browser, milepost.url);
  await openDashboard(elsewhere);
  await elsewhere.getByRole('button', { name: 'Outline', pressed: true }).waitFor();
  expect(await elsewhere.getByText('© Test Streets').count()).toBe(0);
  await elsewhere.getByRole('button', { name: 'Streets', exact: true }).click();
  await elsewhere.getByText('© Test Streets').waitFor();
});
