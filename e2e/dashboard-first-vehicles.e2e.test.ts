import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { REEFER, row, TRUCK, VAN } from './support/dashboard.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

let browser: Browser;
let milepost: Milepost;

leaveMapsOut();
beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

describe('the dashboard of an account without vehicles', () => {
  it('says that there are none, adds the first vehicle by its form, and shows its first report', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/');
    await page.getByRole('heading', { name: 'No vehicles yet' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add your first vehicle' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a vehicle' });
    await dialog.getByLabel('IMEI of the tracker').fill('356307042441014');
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();
    // [R5.03] Each error is beside its field and says what to do; the first wrong field has the focus.
    await dialog.getByText('Check the IMEI. It has 15 digits, and the last one is a check digit.').waitFor();
    await dialog.getByText('Enter a name of up to 60 characters.').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('imei');
    await dialog.getByLabel('IMEI of the tracker').fill(TRUCK);
    await dialog.getByLabel('Name').fill('4127');
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();
    const added = page.getByRole('dialog', { name: '4127 added' });
    await added.getByText('It is shown only once').waitFor();
    await added.getByText('Waiting for the first report').waitFor();
    await expectAccessible(page);
    await report(milepost, TRUCK, fix(Date.now(), LOOP));
    await added.getByText('First report received.').waitFor();
    await added.getByRole('button', { name: 'Done' }).click();
    await row(page, '4127').waitFor();
  });

  it('shows unknown trackers to operators, and adds them', async () => {
    await report(milepost, REEFER, fix(Date.now(), LOOP)).catch(() => {});
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/');
    await page.getByRole('button', { name: '1 unknown tracker is reporting here' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: `Add this vehicle, IMEI ${REEFER}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a vehicle' });
    await expect.poll(() => dialog.getByLabel('IMEI of the tracker').inputValue()).toBe(REEFER);
    await dialog.getByLabel('Name').fill('R-206');
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();
    await page.getByRole('dialog', { name: 'R-206 added' }).waitFor();
  });

  it('[R3.04] [R3.09] shows folders with counts; checkboxes select, and open and checked folders are remembered', async () => {
    const { page, token } = await visitSignedIn(browser, milepost.url);
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${milepost.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
      return (await answer.json()) as { readonly id: string };
    };
    await addVehicles(milepost, [{ imei: VAN, deviceName: '4118' }]);
    const { id: device } = await ask('GET', '/device').then(
      list => (list as never as { id: string }[])[0] ?? { id: '' },
    );
    const { id } = await ask('POST', '/folder', { name: 'Line haul' });
    await ask('PATCH', `/folder/assign/${id}`, { devices: [device] });
    await page.goto('/');
    const folder = row(page, /^Line haul, 1 vehicle: 1 /);
    await folder.press('Space');
    await expect.poll(() => folder.getAttribute('aria-checked')).toBe('true');
    await page.getByRole('region', { name: 'Selected vehicles' }).getByText('1 selected').waitFor();
    await folder.press('ArrowLeft');
    await expect.poll(() => folder.getAttribute('aria-expanded')).toBe('false');
    await page.goto('/');
    await expect.poll(() => folder.getAttribute('aria-checked')).toBe('true');
    await expect.poll(() => folder.getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('tab', { name: 'Drivers' }).click();
    await page.getByText('No drivers yet.').waitFor();
    await expectAccessible(page);
  });
});
