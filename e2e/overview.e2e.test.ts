import { createHttpClient } from '@milepost/client';
import { listVehicles, readFleetDay, readMe, readVehicleDay, updateSettings } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUSY, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

const [TRUCK, VAN] = ['356307042441013', '356938035643809'];
const MINUTE = 60_000;

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [
    { imei: TRUCK, deviceName: '4127' },
    { imei: VAN, deviceName: '5501' },
  ]);
  const now = Date.now();
  await keepNoon(now);
  // Twenty minutes north, then ten minutes idling. The last report is sent first, so that the rest is late.
  const drive = Array.from({ length: 31 }, (_, i) =>
    fix(
      now - (31 - i) * MINUTE,
      { lat: LOOP.lat + Math.min(i, 20) * 0.0065, lon: LOOP.lon },
      { speed: metresPerSecond(i < 20 ? 12 : 0) },
    ),
  );
  const [last] = drive.slice(-1);
  if (last) await report(milepost, TRUCK, last);
  await report(milepost, TRUCK, ...drive.slice(0, -1));
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

/** Sets the account's time zone so that its day began hours ago whenever the test runs: all driving here is today's. */
async function keepNoon(now: number): Promise<void> {
  const http = await ownerApi(milepost);
  const hourIn = (timeZone: string) =>
    Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format(now));
  const timeZone = Intl.supportedValuesOf('timeZone').find(zone => hourIn(zone) === 12);
  if (timeZone) await http.call(updateSettings, { body: { timeZone } });
}

const openHere = samePage(() => ({ browser, milepost }));

const milesOf = (metres: number): string => {
  const miles = metres / 1609.344;
  return miles.toFixed(miles < 9.95 ? 1 : 0);
};

describe('[R2.11] the overview', () => {
  it('has the same numbers as the vehicle’s and the fleet’s day, and each number opens its list', async () => {
    const { page, token, complaints } = await visitSignedIn(browser, milepost.url);
    const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
    // Late reports are counted in the background.
    const counted = async () => {
      const answer = await http.call(readFleetDay, { query: {} });
      return answer.vehicles.some(({ isBehind }) => isBehind) ? null : answer;
    };
    await expect.poll(counted).not.toBe(null);
    const fleet = await http.call(readFleetDay, { query: {} });
    const [truck] = (await http.call(listVehicles)).filter(({ imei }) => imei === TRUCK);
    const query = { from: fleet.from, to: fleet.until };
    const day = await http.call(readVehicleDay, { params: { id: truck?.id ?? '' }, query });
    const [ofFleet] = fleet.vehicles.filter(({ deviceId }) => deviceId === truck?.id);
    expect(ofFleet).toMatchObject({
      distanceM: day.distanceM,
      idlingS: day.idlingS,
      fixes: day.fixes,
      isBehind: false,
    });
    expect(day.distanceM).toBeGreaterThan(10_000);

    await page.goto('/overview?period=today');
    await page.getByRole('link', { name: new RegExp(`^Distance ${milesOf(day.distanceM)}\\smi$`) }).waitFor();
    await page.getByRole('heading', { name: '2 vehicles now' }).waitFor();
    await page.getByText('1 vehicle has never reported').waitFor();

    await page.getByRole('link', { name: /1 No data yet/ }).click();
    await page.waitForURL(/\/fleet\?q=status/);
    expect(complaints).toEqual([]);
  });

  it('shows charts as tables, keeps an order of tiles made by keyboard, and shows targets beside the figures', async () => {
    const { page } = await openHere('/overview?period=7');
    await page.getByRole('img', { name: /^Distance per day from/ }).waitFor();
    const chart = page.getByRole('region', { name: 'Distance per day' }).first();
    await chart.getByRole('button', { name: 'Show as table' }).click();
    await expect.poll(() => chart.getByRole('row').count()).toBe(8);

    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.getByRole('group', { name: /^Distance/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('group', { name: /^Stops/ }).focus();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Done' }).click();
    const names = async () => {
      const texts = await page.getByRole('region', { name: 'Trends' }).getByRole('listitem').allTextContents();
      return texts.map(text => /^\D+?(?= [\d–])/.exec(text)?.[0]);
    };
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['Utilization', 'Distance']);
    await expect.poll(names).not.toContain('Stops');

    const http = await ownerApi(milepost);
    // A page that is left at once may take its requests with it.
    const kept = async () => (await http.call(readMe)).preferences.overviewTiles ?? ['stops'];
    await expect.poll(kept).not.toContain('stops');
    await http.call(updateSettings, { body: { targetDistanceKmPerWeek: 1000 } });
    await page.route('**/api/v1/settings', route => route.fulfill(BUSY));
    await page.reload();
    await page.getByRole('button', { name: 'Targets' }).click();
    const dialog = page.getByRole('dialog', { name: 'Targets' });
    const again = dialog.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/api/v1/settings');
    await again.click();
    await expect.poll(() => dialog.getByLabel('Distance').inputValue()).toBe('621');
    await page.getByLabel('Idle time at most, %').fill('120');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter 0 to 100, or leave this empty.').waitFor();
    await page.getByLabel('Idle time at most, %').fill('5');
    const sent = page.waitForRequest(request => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postDataJSON()).toEqual({ targetIdlePercent: 5 });
    await page
      .getByRole('listitem')
      .filter({ hasText: /Idle time .* target 5\.0.%, off target/ })
      .waitFor();
    await page.reload();
    await page
      .getByRole('listitem')
      .filter({ hasText: /^Utilization/ })
      .waitFor();
    await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['Utilization', 'Distance']);
  });

  it('says that figures are still those of the previous selection', async () => {
    const { page } = await openHere('/overview?period=7');
    const chart = page.getByRole('img', { name: /^Distance per day from/ });
    await chart.waitFor();
    const busy = page.locator('[aria-busy="true"]').filter({ has: chart });
    const reads = '**/api/v1/overview?*';
    const { promise: failed, resolve: fail } = Promise.withResolvers<void>();
    await page.route(reads, async route => {
      await failed;
      await route.abort();
    });
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    await busy.waitFor();
    fail();
    await page.getByText(/^These figures are for your previous selection\. The server did not respond/).waitFor();
    await page.unroute(reads);
    await busy.waitFor({ state: 'detached' });
    await chart.waitFor();
    await expect.poll(() => page.getByText('your previous selection').count()).toBe(0);
  });
});
