import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testImei } from '../apps/server/testing/imei.ts';
import { expectAccessible, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { type Milepost, signIn, startMilepost } from './support/milepost.ts';
import { goTo, samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

/** A driver presses the emergency button: the alert goes from a real tracker's socket to every user who is watching. */

const [TRUCK, VAN] = [
  { imei: testImei(701), deviceName: '4127' },
  { imei: testImei(702), deviceName: '4128' },
];

let browser: Browser;
let milepost: Milepost;
beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [TRUCK, VAN]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const bell = (page: Page, count: number) => page.getByRole('link', { name: `Alerts: ${count} not acknowledged` });
const rail = (page: Page) => page.getByRole('region', { name: 'Alerts', exact: true });
const focused = (page: Page) => page.locator(':focus').getAttribute('id');
const live = (page: Page) => page.getByRole('img', { name: 'events connected' });
const socketsOf = async () => {
  const text = await milepost.app.context.metrics.getSingleMetricAsString('milepost_socket_connections');
  return [...text.matchAll(/^milepost_socket_connections\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
};

/** Pages that follow the vehicles' positions. */
const followers = async () =>
  Number(
    /^milepost_live_subscribers (\d+)/m.exec(
      await milepost.app.context.metrics.getSingleMetricAsString('milepost_live_subscribers'),
    )?.[1],
  );
const openHere = samePage(() => ({ browser, milepost }));

// The first of this server: pages that leave stop following a moment later.
it('[R4.10] [R4.11] [R2.24] sockets reconnect after a reload, follow the vehicles, and close with the session', async () => {
  const { page } = await visit(browser, milepost.url);
  await page.goto('/login');
  await signIn(page);
  await live(page).waitFor();
  await expect.poll(socketsOf).toBe(2);
  await page.reload();
  await live(page).waitFor();
  await expect.poll(socketsOf).toBe(2);
  await expect.poll(followers).toBe(1);
  await page.getByRole('button', { name: /^Live/ }).click();
  await page.getByText(/watching 2 vehicles/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await expect.poll(socketsOf).toBe(0);
  await expect.poll(followers).toBe(0);
});

describe('an alert', () => {
  it('[R4.08] [R4.16] appears on every screen at once; one user acknowledges it and it leaves all screens', async () => {
    const [{ page: dashboard, complaints }, { page: inbox }] = [
      await visitSignedIn(browser, milepost.url),
      await visitSignedIn(browser, milepost.url),
    ];
    await Promise.all([dashboard.goto('/'), inbox.goto('/alerts')]);
    await inbox.getByText('No open alerts', { exact: true }).waitFor();
    await Promise.all([live(dashboard).waitFor(), live(inbox).waitFor()]);

    const now = Date.now();
    await report(milepost, TRUCK.imei, fix(now - 2000, LOOP), fix(now - 1000, LOOP, { event: 'sos' }));
    await bell(dashboard, 1).waitFor();
    const alert = rail(dashboard).getByRole('listitem').filter({ hasText: 'SOS button pressed' });
    await alert.getByText('4127').waitFor();
    await dashboard.getByRole('log').filter({ hasText: 'Critical alert: SOS button pressed, 4127' }).waitFor();
    const row = inbox.getByRole('row').filter({ hasText: 'SOS button pressed' });
    await row.getByText('Ongoing').waitFor();
    await expectAccessible(inbox);

    // The button is released: the alert closes, and still needs acknowledging.
    await report(milepost, TRUCK.imei, fix(now, LOOP));
    await row.getByText('Ended').waitFor();
    await bell(dashboard, 1).waitFor();

    // With a single key.
    await alert.getByRole('button', { name: /4127/ }).first().focus();
    await dashboard.keyboard.press('a');
    await bell(dashboard, 0).waitFor();
    await expect.poll(() => focused(dashboard)).toBe('alerts');
    await inbox.getByText('No open alerts', { exact: true }).waitFor();
    await inbox.getByRole('button', { name: 'Acknowledged' }).click();
    await inbox.getByRole('row').filter({ hasText: 'SOS button pressed' }).getByText('nora.kessler').waitFor();
    expect(new URL(inbox.url()).search).toContain('state=acknowledged');
    expect(complaints).toEqual([]);
  });

  it('is acknowledged together with others, only by users who may', async () => {
    const { page } = await openHere('/alerts');
    await page.setViewportSize({ width: 390, height: 844 });
    const now = Date.now();
    await report(
      milepost,
      VAN.imei,
      fix(now - 3000, LOOP, { event: 'powerCut' }),
      fix(now - 2000, LOOP, { event: 'overspeed' }),
      fix(now - 1000, LOOP, { event: 'sos' }),
    );
    await page.evaluate(goTo, `/?vehicle=${VAN.imei}&tab=alerts`);
    // The inbox, which stays until the dashboard has loaded, has such a button, too.
    const card = page.getByRole('complementary', { name: `Vehicle ${VAN.deviceName}` });
    await card.getByRole('button', { name: /^Acknowledge.*SOS/ }).press('Enter');
    await expect.poll(() => page.locator(':focus').getAttribute('role')).toBe('tabpanel');

    await page.evaluate(goTo, '/alerts');
    await page.getByRole('row').filter({ hasText: 'Power cut' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Acknowledge' }).click();
    await page.getByText('No open alerts', { exact: true }).waitFor();
    await expect.poll(() => focused(page)).toBe('main');
  });
});
