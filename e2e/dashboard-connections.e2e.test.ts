import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchBrowser, leaveMapsOut } from './support/browser.ts';
import { driveThem, openDashboard, row, startWithVehicles, TRUCK } from './support/dashboard.ts';
import type { Milepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';
import { fix, LOOP, report } from './support/tracker.ts';

let browser: Browser;
let milepost: Milepost;

leaveMapsOut();
beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startWithVehicles()]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const subscribers = async (): Promise<number> =>
  Number(/^milepost_live_subscribers (\d+)/m.exec(await (await fetch(`${milepost.url}/metrics`)).text())?.[1]);

describe('the dashboard’s connections', () => {
  beforeEach(() => driveThem(milepost));

  it('[R4.06] [R4.13] subscribes while it is shown and drops all device topics when the user leaves', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page);
    await expect.poll(subscribers).toBe(1);
    await page.evaluate(() => {
      history.pushState(null, '', '/no/such/page');
      dispatchEvent(new PopStateEvent('popstate'));
    });
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await expect.poll(subscribers).toBe(0);
    await page.getByRole('link', { name: 'Go to Dashboard' }).click();
    await expect.poll(subscribers).toBe(1);
    await report(milepost, TRUCK, fix(Date.now(), LOOP, { speed: 25 as never }));
    await row(page, '4127, moving, 56 miles per hour').waitFor();
  });

  it('[R4.12] [R9.05] says when live messaging is lost, reconnects automatically and leaves no gap', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page);
    await row(page, '4127, moving').waitFor();
    await milepost.restart();
    // Reported while the page was offline; the snapshot after the reconnection contains it.
    await report(milepost, TRUCK, fix(Date.now(), LOOP, { speed: 15 as never }));
    await row(page, '4127, moving, 34 miles per hour').waitFor();
    await page.getByRole('button', { name: /^Live/ }).click();
    await page
      .getByRole('dialog', { name: 'Connections' })
      .getByText(/^Connected for/)
      .first()
      .waitFor();
    await report(milepost, TRUCK, fix(Date.now() + 1000, LOOP, { speed: 21 as never }));
    await row(page, '4127, moving, 47 miles per hour').waitFor();
  });

  it('a part of the page that fails to load is retried or reported, and the page stays', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    let refused = 0;
    await page.route('**/assets/UnknownTrackers-*.js', route => (refused++ === 0 ? route.abort() : route.continue()));
    await page.route('**/assets/VehicleCard-*.js', route => route.abort());
    await openDashboard(page);
    await row(page, '4127, moving').click();
    await page.getByText('Part of this page couldn’t be loaded. Reload to try again.').waitFor();
    await row(page, '4127, moving').waitFor();
    await expect.poll(() => refused).toBeGreaterThan(1);
    await report(milepost, TRUCK, fix(Date.now(), LOOP, { speed: 25 as never }));
    await row(page, '4127, moving, 56 miles per hour').waitFor();
  });

  it('a hidden tab draws nothing, and shows the newest data when it is visible again', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.addInitScript(() => {
      // Browsers draw no frames while the tab is hidden, and deliver the requested ones later.
      const draw = window.requestAnimationFrame.bind(window);
      const waiting: FrameRequestCallback[] = [];
      window.requestAnimationFrame = callback => (document.hidden ? waiting.push(callback) : draw(callback));
      let hidden = false;
      Object.defineProperty(document, 'hidden', { get: () => hidden });
      Object.assign(window, {
        hide(now: boolean) {
          hidden = now;
          document.dispatchEvent(new Event('visibilitychange'));
          if (!now) for (const callback of waiting.splice(0)) draw(callback);
        },
      });
    });
    await openDashboard(page);
    await row(page, '4127, moving').waitFor();
    // The catch-up after the subscription is drawn when it arrives, even in a hidden tab, so wait for it first.
    await page.getByRole('button', { name: /^Live/ }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate('hide(true)');
    const at = Date.now();
    for (const [i, speed] of [14, 16, 18].entries()) {
      await report(milepost, TRUCK, fix(at + i * 1000, LOOP, { speed: speed as never }));
    }
    await new Promise(resolve => setTimeout(resolve, 500));
    expect(await row(page, '4127, moving, 40 miles per hour').count()).toBe(0);
    await page.evaluate('hide(false)');
    await row(page, '4127, moving, 40 miles per hour').waitFor();
  });
});
