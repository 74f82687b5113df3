import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { expectAccessible, launchBrowser, visit } from './support/browser.ts';
import { type Milepost, signIn, startMilepost } from './support/milepost.ts';
import { middleOfColour } from './support/picture.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

const TRUCK = '356307042441013';
const VAN = '356307042441021';
const REEFER = '356307042441039';
/** Light theme: `--brand2`, the ring and plate of the current vehicle. */
const TEAL = [0x0b, 0x73, 0x6a] as const;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [
    { imei: TRUCK, deviceName: '4127', plate: 'VA 48-217 PX', model: '2022 Kenworth T680' },
    { imei: VAN, deviceName: '4118', model: '2021 Ford Transit 350' },
    { imei: REEFER, deviceName: 'R-206', vin: '1XKYD49X8NJ123456' },
  ]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

/** The truck drives north through the Loop, the van stands a little to the west; the reefer has never reported. */
async function driveThem(): Promise<void> {
  const now = Date.now();
  await report(milepost, TRUCK, fix(now - 8000, { ...LOOP, lat: LOOP.lat - 0.002 }), fix(now - 2000, LOOP));
  const yard = { lat: LOOP.lat + 0.004, lon: LOOP.lon - 0.02 };
  await report(milepost, VAN, fix(now - 2000, yard, { speed: 0 as never, ignition: false }));
}

const tree = (page: Page) => page.getByRole('tree', { name: 'Vehicles' });
const row = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name });
const map = (page: Page) => page.getByRole('region', { name: 'Map', exact: true });
const card = (page: Page, name: string) => page.getByRole('complementary', { name: `Vehicle ${name}` });
const subscribers = async (): Promise<number> =>
  Number(/^milepost_live_subscribers (\d+)/m.exec(await (await fetch(`${milepost.url}/metrics`)).text())?.[1]);

/** The dashboard with everything there that a user waits for. */
async function openDashboard(page: Page, search = ''): Promise<void> {
  await page.goto(`/${search}`);
  await row(page, '4127').waitFor();
  await page.getByRole('button', { name: /^Live/ }).waitFor();
}

describe('the live dashboard', () => {
  beforeEach(driveThem);

  it('[R2.01] a frame over TCP moves row and marker, without a reload', async () => {
    const { page, complaints } = await visit(browser, milepost.url);
    await page.goto('/');
    await signIn(page);
    await row(page, '4127, moving, 27 miles per hour').click();
    await card(page, '4127').getByText('Moving').first().waitFor();
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));

    const before = await expect
      .poll(() => middleOfColour(map(page).locator('canvas'), TEAL), { timeout: 20_000 })
      .toMatchObject({ count: expect.toSatisfy((count: number) => count > 300) })
      .then(() => middleOfColour(map(page).locator('canvas'), TEAL));

    await report(milepost, TRUCK, fix(Date.now(), { lat: LOOP.lat + 0.0015, lon: LOOP.lon }, { speed: 20 as never }));
    await row(page, '4127, moving, 45 miles per hour').waitFor({ timeout: 3000 });
    await card(page, '4127').getByText('45', { exact: true }).waitFor();
    await expect
      .poll(async () => before.y - (await middleOfColour(map(page).locator('canvas'), TEAL)).y, { timeout: 10_000 })
      .toBeGreaterThan(10);
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('[R7.33] a report is on the screen soon after the tracker’s acknowledgement', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page);
    await row(page, '4127, moving').waitFor();
    await report(milepost, TRUCK, fix(Date.now(), LOOP, { speed: 30 as never }));
    await row(page, '4127, moving, 67 miles per hour').waitFor();
  });

  it('searches, filters by status with counts, sorts, and keeps it all in the address', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page);
    const names = () => tree(page).getByRole('treeitem').allInnerTexts();
    const shown = async () => (await names()).map(text => text.split(',')[0]);
    await expect.poll(shown, { timeout: 5000 }).toEqual(['4118', '4127', 'R-206']);

    await page.keyboard.press('f');
    await page.keyboard.type('va48');
    await expect.poll(shown).toEqual(['4127']);
    await expect.poll(() => new URL(page.url()).search).toBe('?q=va48');
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Stopped: 1' }).click();
    await expect.poll(shown).toEqual(['4118']);
    await expect.poll(() => new URL(page.url()).search).toBe('?status=stopped');
    await page.reload();
    await expect.poll(shown, { timeout: 10_000 }).toEqual(['4118']);
    await page.getByRole('button', { name: 'Stopped: 1' }).click();

    await page.getByRole('button', { name: 'Sort: Name' }).click();
    await page.getByRole('menuitemradio', { name: 'Speed, fastest first' }).click();
    await expect.poll(shown).toEqual(['4127', '4118', 'R-206']);

    await page.getByLabel('Search vehicles').fill('nothing like it');
    await page.getByText('No vehicle matches').waitFor();
    await page.getByText('“nothing like it” is in no name').waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await expect.poll(shown).toHaveLength(3);
  });

  it('shows the current vehicle: every field of its report, why it has its status, its day and its messages', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page, `?vehicle=${TRUCK}`);
    const details = card(page, '4127');
    for (const text of ['2022 Kenworth T680', 'VA 48-217 PX', '62%', '259,901.3 mi', 'GSM good', 'GPS 11 satellites']) {
      await details.getByText(text).first().waitFor();
    }
    await details.getByText('Not sent by this tracker: temperature and driver card.').waitFor();

    await details.getByRole('button', { name: 'Why?' }).click();
    await page.getByRole('dialog', { name: 'Why moving?' }).getByText('3 mph or more in two reports running').waitFor();
    await page.keyboard.press('Escape');

    await details.getByRole('tab', { name: 'Today' }).click();
    await details.getByText('Top speed').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('tab')).toBe('today');
    await page.keyboard.press('End');
    await details.getByRole('columnheader', { name: 'Attributes' }).waitFor();
    await details.getByText('newest first').waitFor();

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await details.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Copy coordinates' }).click();
    await page.getByText('41.87810, -87.62980 copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('41.87810, -87.62980');
  });

  it('[R4.17] selects vehicles once, makes one current, shows only one on the map, and clears', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page);
    await row(page, '4118').press('Space');
    await row(page, '4127').click();
    const tray = page.getByRole('region', { name: 'Selected vehicles' });
    await tray.getByText('Selected 2').waitFor();
    expect(await row(page, '4127').getAttribute('aria-checked')).toBe('true');
    await tray.getByRole('button', { name: 'Make 4118 current' }).click();
    await card(page, '4118').waitFor();
    await tray.getByText('Selected 2').waitFor();
    await card(page, '4118').getByRole('button', { name: 'Only this' }).click();
    await page.getByText('Only 4118 is on the map').waitFor();
    await tray.getByRole('button', { name: 'Remove 4118' }).click();
    await card(page, '4118').waitFor({ state: 'detached' });
    await tray.getByRole('button', { name: 'Clear' }).click();
    await tray.waitFor({ state: 'detached' });
  });

  it('[R4.17] works on the map: the nearest, a measured way, vehicles side by side, the wall', async () => {
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

  it('everything is done by keyboard', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page);
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await page.keyboard.press('j');
    await expect.poll(focused).toMatch(/^4118, stopped/);
    await page.keyboard.press('j');
    await expect.poll(focused).toMatch(/^4127, moving/);
    await page.keyboard.press('x');
    expect(await row(page, '4127').getAttribute('aria-checked')).toBe('true');
    await page.keyboard.press('k');
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
});

describe('its connections', () => {
  beforeEach(driveThem);

  it('[R4.06] [R4.13] subscribes while it is shown and drops all device topics when it is left', async () => {
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

  it('[R4.10] [R4.11] opens its connection again after a reload and ends it with the session', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page);
    await page.reload();
    await page.getByRole('button', { name: /^Live/ }).waitFor();
    await expect.poll(subscribers).toBe(1);
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect.poll(subscribers).toBe(0);
  });

  it('[R4.12] [R9.05] says when live messaging is lost, comes back by itself and leaves no hole', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page);
    await row(page, '4127, moving').waitFor();
    await milepost.restart();
    // While nobody was connected; the snapshot after the reconnection brings it.
    await report(milepost, TRUCK, fix(Date.now(), LOOP, { speed: 15 as never }));
    await row(page, '4127, moving, 34 miles per hour').waitFor({ timeout: 20_000 });
    await page.getByRole('button', { name: /^Live/ }).click();
    await page
      .getByRole('dialog', { name: 'Connections' })
      .getByText(/^Connected for/)
      .first()
      .waitFor();
    await report(milepost, TRUCK, fix(Date.now() + 1000, LOOP, { speed: 21 as never }));
    await row(page, '4127, moving, 47 miles per hour').waitFor({ timeout: 5000 });
  });

  it('a hidden tab draws nothing, and catches up to the newest when it is seen again', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.addInitScript(() => {
      // As browsers do it: no frames are drawn while the tab is hidden, and those asked for come later.
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
    await page.evaluate('hide(true)');
    const at = Date.now();
    for (const [i, speed] of [14, 16, 18].entries()) {
      await report(milepost, TRUCK, fix(at + i * 1000, LOOP, { speed: speed as never }));
    }
    await new Promise(resolve => setTimeout(resolve, 500));
    expect(await row(page, '4127, moving, 40 miles per hour').count()).toBe(0);
    await page.evaluate('hide(false)');
    await row(page, '4127, moving, 40 miles per hour').waitFor({ timeout: 3000 });
  });
});

describe('for everyone', () => {
  beforeEach(driveThem);

  it.each(['light', 'dark'] as const)('axe finds nothing on list, map and card, %s', async colorScheme => {
    const { page } = await visitSignedIn(browser, milepost.url, { colorScheme });
    await openDashboard(page);
    await row(page, '4127').click();
    await row(page, '4118').press('Space');
    await card(page, '4127').getByText('259,901.3 mi').waitFor();
    await expectAccessible(page);
    for (const [tab, text] of [
      ['Today', 'Top speed'],
      ['Raw', 'newest first'],
    ] as const) {
      await card(page, '4127').getByRole('tab', { name: tab }).click();
      await card(page, '4127').getByText(text).waitFor();
      await expectAccessible(page);
    }
  });

  it('axe finds nothing on what opens: legend, connections, reasons, the form with its messages', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await openDashboard(page, `?vehicle=${TRUCK}`);
    for (const [name, opened] of [
      ['Why?', 'Why moving?'],
      ['Legend', 'What the shapes mean'],
      [/^Live/, 'Connections'],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog', { name: opened }).waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog', { name: opened }).waitFor({ state: 'hidden' });
    }
    // Esc has closed the panel and not the vehicle behind it.
    await card(page, '4127').waitFor();
    await page.getByRole('button', { name: 'Add vehicle' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a vehicle' });
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();
    await dialog.getByText('An IMEI has 15 digits').waitFor();
    await expectAccessible(page);
  });

  it('[R9.09] a phone has the map as its page, with search, status chips and a sheet with three stops', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, PHONE);
    await openDashboard(page);
    const sheet = page.getByRole('region', { name: 'Vehicles and details' });
    const height = async () => (await sheet.boundingBox())?.height ?? 0;
    const half = await height();
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'Full height' }).click();
    await expect.poll(height).toBeGreaterThan(half * 1.5);
    await sheet.getByRole('button', { name: 'Make it small' }).click();
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

  it('without WebGL the list goes on and the map says why it is not there', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.addInitScript(() => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
        return kind.startsWith('webgl') ? null : Reflect.apply(getContext, this, [kind, ...rest]);
      } as typeof getContext;
    });
    await openDashboard(page);
    await page.getByText('This browser cannot draw the map').waitFor();
    await row(page, '4127').click();
    await card(page, '4127').waitFor();
  });

  it('without map data the vehicles stand on a grid', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.route('**/map/*', route => route.fulfill({ status: 404 }));
    await openDashboard(page);
    await page.getByText('No base map.').waitFor({ timeout: 15_000 });
  });
});

describe('a configured map that does not answer', () => {
  it('gives way to the offline map and says so', async () => {
    const online = await startMilepost({ map: { styleUrl: 'http://127.0.0.1:9/style.json', tileUrl: null } });
    onTestFinished(() => online.close());
    await addVehicles(online, [{ imei: TRUCK, deviceName: '4127' }]);
    const { page } = await visitSignedIn(browser, online.url);
    await openDashboard(page);
    await page.getByText('The configured map does not answer. This is the offline base map.').waitFor();
    await page.getByText('© OpenStreetMap contributors').waitFor();
  });
});

describe('an account without vehicles', () => {
  let empty: Milepost;
  beforeAll(async () => {
    empty = await startMilepost({ gateways: new Map([['teltonika', 0]]) });
  });
  afterAll(() => empty?.close());

  it('says what belongs there, adds the first vehicle by its form, and shows its first report', async () => {
    const { page } = await visitSignedIn(browser, empty.url);
    await page.goto('/');
    await page.getByRole('heading', { name: 'No vehicles yet' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Add your first vehicle' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a vehicle' });
    await dialog.getByLabel('IMEI of the tracker').fill('356307042441014');
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();
    // [R5.03] By the field, with what to do, and the first wrong field has the focus.
    await dialog.getByText('An IMEI has 15 digits; the last is a check digit. Please check this one.').waitFor();
    await dialog.getByText('Enter a name (up to 60 characters).').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('imei');
    await dialog.getByLabel('IMEI of the tracker').fill(TRUCK);
    await dialog.getByLabel('Name').fill('4127');
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();
    const added = page.getByRole('dialog', { name: '4127 is added' });
    await added.getByText('It is shown this once').waitFor();
    await added.getByText('Waiting for its first report').waitFor();
    await expectAccessible(page);
    await report(empty, TRUCK, fix(Date.now(), LOOP));
    await added.getByText('It has reported.').waitFor();
    await added.getByRole('button', { name: 'Done' }).click();
    await row(page, '4127').waitFor();
  });

  it('shows trackers that nobody knows to those who run the installation, and adds them', async () => {
    await report(empty, REEFER, fix(Date.now(), LOOP)).catch(() => {});
    const { page } = await visitSignedIn(browser, empty.url);
    await page.goto('/');
    await page.getByRole('button', { name: '1 unknown tracker reports here' }).click({ timeout: 40_000 });
    await expectAccessible(page);
    await page.getByRole('button', { name: `Add this vehicle, IMEI ${REEFER}` }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a vehicle' });
    expect(await dialog.getByLabel('IMEI of the tracker').inputValue()).toBe(REEFER);
    await dialog.getByLabel('Name').fill('R-206');
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();
    await page.getByRole('dialog', { name: 'R-206 is added' }).waitFor();
  });

  it('[R3.04] [R3.09] shows folders with counts; their boxes select, and what is open and checked is kept', async () => {
    const { page, token } = await visitSignedIn(browser, empty.url);
    const ask = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${empty.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
      return (await answer.json()) as { readonly id: string };
    };
    await addVehicles(empty, [{ imei: VAN, deviceName: '4118' }]);
    const { id: device } = await ask('GET', '/device').then(
      list => (list as never as { id: string }[])[0] ?? { id: '' },
    );
    const { id } = await ask('POST', '/folder', { name: 'Line haul' });
    await ask('PATCH', `/folder/assign/${id}`, { devices: [device] });
    await page.goto('/');
    const folder = row(page, /^Line haul, 1 vehicle: 1 /);
    await folder.press('Space');
    expect(await folder.getAttribute('aria-checked')).toBe('true');
    await page.getByRole('region', { name: 'Selected vehicles' }).getByText('Selected 1').waitFor();
    await folder.press('ArrowLeft');
    expect(await folder.getAttribute('aria-expanded')).toBe('false');
    await page.goto('/');
    await expect.poll(() => folder.getAttribute('aria-checked')).toBe('true');
    expect(await folder.getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('tab', { name: 'Drivers' }).click();
    await page.getByText('No drivers yet.').waitFor();
    await expectAccessible(page);
  });
});
