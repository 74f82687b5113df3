import { text } from 'node:stream/consumers';
import { createHttpClient } from '@milepost/client';
import {
  acceptInvitation,
  assignFolder,
  createFolder,
  createRole,
  listAlerts,
  listVehicles,
  readFleetPeriod,
  registerUser,
  signIn,
} from '@milepost/contract';
import { metresPerSecond, percent } from '@milepost/units';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, inColors, launchBrowser, leaveMapsOut, type Visit } from './support/browser.ts';
import { type Milepost, OWNER, startMilepost } from './support/milepost.ts';
import { goTo, samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const TRUCK = '356307042441013';
const VAN = '356307042441021';

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [
    { imei: TRUCK, deviceName: '4127', plate: 'VA 48-217 PX', tags: ['=night'] },
    { imei: VAN, deviceName: '4118' },
    { imei: '356307042441039', deviceName: 'R-206', tags: ['reefer', '=night'] },
  ]);
  const http = await clientOf(OWNER);
  const north = await http.call(createFolder, { body: { name: 'North' } });
  const reefers = await http.call(createFolder, { body: { name: 'Reefers', parentId: north.id } });
  const ids = new Map((await http.call(listVehicles)).map(({ deviceName, id }) => [deviceName, id]));
  const into = (id: string, name: string) =>
    http.call(assignFolder, { params: { id }, body: { devices: [ids.get(name) ?? ''] } });
  await into(north.id, '4127');
  await into(reefers.id, 'R-206');
  const now = Date.now();
  const standing = { speed: metresPerSecond(0), ignition: false, fuel: percent(18) };
  await report(milepost, TRUCK, fix(now - 60_000, LOOP), fix(now - 30_000, LOOP), fix(now, LOOP));
  await report(milepost, VAN, fix(now - 400_000, LOOP, standing), fix(now, LOOP, standing));
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

async function clientOf({ name, password }: typeof OWNER) {
  let token: string | null = null;
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  ({ token } = await http.call(signIn, { body: { userName: name, password } }));
  return http;
}

/** Names of the rows and of the groups between them, in order. */
const seen = (page: Page) =>
  page
    .locator('tbody tr:not([aria-hidden])')
    .evaluateAll(rows => rows.map(row => row.querySelector('[data-open] span + span, b')?.textContent));
const unit = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`^${name}\\b`) });
const bulkBar = (page: Page) => page.getByRole('toolbar');
const query = (page: Page) => new URL(page.url()).searchParams;

const openHere = samePage(() => ({ browser, milepost }));
const openOnPhone = samePage(() => ({ browser, milepost }), PHONE);

const counted = (page: Page) => page.getByText(/of 3 vehicles|^3 vehicles/).waitFor();

async function open(search = ''): Promise<Visit> {
  const visit = await openHere(`/fleet${search}`);
  await counted(visit.page);
  return visit;
}

describe('[R2.07] the fleet', () => {
  it('is grouped with counts, filtered and arranged by its address', async () => {
    const { page, complaints } = await open();
    await expect.poll(() => seen(page)).toEqual(['North', '4127', 'North › Reefers', 'R-206', 'No folder', '4118']);
    await page.getByText(/^3 vehicles · 1 moving · .*mi today( \(C[SD]T\))? · live$/).waitFor();
    await page.getByRole('rowheader', { name: 'North · 1' }).getByLabel('Moving: 1').waitFor();

    // Typed filters become tokens, also with other words for the same status.
    const box = page.getByLabel('Filter this table');
    await box.fill('status:idle,stopped ');
    // A single group without a name has no header.
    await expect.poll(() => seen(page)).toEqual(['4118']);
    await expect.poll(() => box.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('checkbox', { name: 'Moving' }).check();
    await page.keyboard.press('Escape');
    await expect.poll(() => query(page).get('q')).toBe('status:idling,stopped,moving');
    await page.getByRole('button', { name: 'By folder' }).click();
    await page.getByRole('menuitemradio', { name: 'By status' }).click();
    await page.getByRole('columnheader', { name: 'Unit' }).getByRole('button').click();
    await expect.poll(() => seen(page)).toEqual(['Moving', '4127', 'Stopped', '4118']);
    await expect
      .poll(() => page.getByRole('columnheader', { name: 'Unit' }).getAttribute('aria-sort'))
      .toBe('descending');

    // A reload of the address shows the same.
    await page.reload();
    await expect.poll(() => seen(page)).toEqual(['Moving', '4127', 'Stopped', '4118']);
    await page.getByRole('button', { name: /^Remove filter Status/ }).click();
    await expect.poll(() => query(page).get('q')).toBe(null);
    await page.evaluate(goTo, '/fleet?q=fuel<20&group=none');
    await expect.poll(() => seen(page)).toEqual(['4118']);
    expect(complaints).toEqual([]);
  });

  it('works by keyboard: moves between rows, selects them, moves them to a folder; disabled actions say why', async () => {
    const { page } = await open('?group=none');
    await expect.poll(() => seen(page)).toEqual(['4118', '4127', 'R-206']);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await bulkBar(page).getByText('1 selected').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await bulkBar(page).getByText('2 selected').waitFor();
    await expect.poll(() => page.locator(':focus').textContent()).toMatch(/^4127/);
    const assign = bulkBar(page).getByRole('button', { name: /^Assign driver/ });
    await expect.poll(() => assign.getAttribute('aria-disabled')).toBe('true');
    await assign
      .getByText('A driver can only be assigned to one vehicle. Select just one.')
      .waitFor({ state: 'attached' });
    await page.keyboard.press('c');
    await page.getByRole('dialog', { name: 'Send command' }).waitFor();
    await page.keyboard.press('Escape');
    await bulkBar(page).getByRole('button', { name: 'Move to folder' }).click();
    await page.getByLabel('To folder').selectOption({ label: 'North' });
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByRole('button', { name: 'Not grouped' }).click();
    await page.getByRole('menuitemradio', { name: 'By folder' }).click();
    await expect.poll(() => seen(page)).toEqual(['North', '4118', '4127', 'North › Reefers', 'R-206']);
    await unit(page, 'R-206').focus();
    await page.keyboard.press('m');
    await expect.poll(() => query(page).get('vehicle')).toBe('356307042441039');
  });

  it('exports exactly what is on screen, and nothing that a spreadsheet would execute', async () => {
    const { page } = await open('?q=tag:"=night"&group=folder&sort=-unit&columns=unit,tags,speed,fuel,status');
    // The list loads first, the reports a moment later.
    await unit(page, '4127').waitFor();
    await page.getByRole('cell', { name: '62%' }).waitFor();
    const cells = await page
      .locator('tr[data-row]')
      .evaluateAll(rows => rows.map(row => [...row.children].slice(1).map(cell => cell.textContent ?? '')));
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const [title, head, ...lines] = (await text(await (await download).createReadStream())).trim().split('\r\n');
    expect(title).toMatch(/Fleet as of \w{3}, \w{3} \d+ \d\d:\d\d:\d\d \(.+\) · 2 vehicles · filter: tag:=night/);
    expect(head).toBe('Folder,Unit,Tags,"Speed, mph",Fuel,Status,Values as of,Last report');
    expect(lines.map(line => line.split(',').length)).toEqual([8, 9]);
    expect(lines[0]).toMatch(/^North,4127,'=night,27,62%,Moving,\d{4}-.*Z,\d{4}-.*Z$/);
    expect(lines[1]).toBe('North › Reefers,R-206,"reefer, =night",,,No data yet,,');
    expect(cells).toEqual([
      [expect.stringMatching(/^4127/), '=night', '27', '62%', 'Moving'],
      [expect.stringMatching(/^R-206/), 'reefer, =night', '', '', 'No data yet'],
    ]);
  });

  it('has columns that buttons show, move and widen, and saves them in a view', async () => {
    const { page } = await open('?columns=unit,driver,speed&group=none');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'IMEI' }).check();
    await page.getByRole('button', { name: 'IMEI: earlier' }).click();
    await page.getByRole('button', { name: 'Driver: wider' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => query(page).get('columns')).toBe('unit,driver.184,imei,speed');
    await page.getByRole('button', { name: 'Save this view' }).click();
    const dialog = page.getByRole('dialog', { name: 'Save this view' });
    await dialog.getByLabel('Name').fill('By tracker');
    await dialog.getByLabel('For everyone in the organization').check();
    await dialog.getByRole('button', { name: 'Save view' }).click();
    const view = page.getByRole('button', { name: /^By tracker/ });
    await expect.poll(() => view.getAttribute('aria-current')).toBe('true');

    await page.getByRole('columnheader', { name: 'IMEI' }).getByRole('button').click();
    await view.getByText(', changed').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('button', { name: 'Save changes' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'All vehicles' }).click();
    await expect.poll(() => query(page).get('columns')).toBe(null);
    await page.goBack();
    await expect.poll(() => query(page).get('sort')).toBe('imei');
    await page.getByRole('columnheader', { name: 'IMEI' }).waitFor();

    await page.getByRole('button', { name: 'More for By tracker' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await view.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await view.waitFor();
  });

  it('[R4.13] shares its connection with the dashboard, and closes it with the last live page', async () => {
    const subscribers = async () =>
      Number(/^milepost_live_subscribers (\d+)/m.exec(await (await fetch(`${milepost.url}/metrics`)).text())?.[1]);
    const { page } = await open();
    await expect.poll(subscribers).toBe(1);
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click();
    await page.locator('#fleet-map').waitFor();
    await expect.poll(subscribers).toBe(1);
    await page.getByRole('link', { name: 'Personal' }).click();
    await expect.poll(subscribers).toBe(0);
  });
});

/** Holds back a route's responses until the returned function is called. */
async function hold(page: Page, { path }: { readonly path: string }): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(
    ({ pathname }) => pathname === path,
    async route => {
      await promise;
      await route.continue();
    },
  );
  return resolve;
}

describe('what is not loaded or not allowed', () => {
  it('is not counted: no numbers of vehicles, alerts or the day before they are loaded', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, { serviceWorkers: 'block' });
    const [vehicles, day, alerts] = [
      await hold(page, listVehicles),
      await hold(page, readFleetPeriod),
      await hold(page, listAlerts),
    ];
    await page.goto('/');
    await page.getByRole('tab', { name: 'Vehicles', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Moving', exact: true }).waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Alerts', exact: true }).waitFor();
    await page.goto('/fleet');
    const totals = page.getByText(/(^| · )(live|not connected|as of .*)$/);
    await totals.waitFor();
    expect(await totals.textContent()).not.toMatch(/^\d| 0 /);
    vehicles();
    alerts();
    await page.getByText(/^3 vehicles · 1 moving · (live|as of)/).waitFor();
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Alerts: \d+ not/ })
      .waitFor();
    day();
    await page.getByText(/^3 vehicles · 1 moving · [\d.]+\smi today( \(C[SD]T\))? · /).waitFor();
  });

  it('and what a custom role does not allow is not offered', async () => {
    const owner = await clientOf(OWNER);
    const { id: customRoleId } = await owner.call(createRole, {
      body: {
        name: 'Yard',
        basedOn: 'dispatcher',
        permissions: ['vehicles.read', 'organisation.read', 'organisation.assign'],
      },
    });
    const yard = { name: 'y.voss', password: 'interstate 81 northbound' };
    const body = { displayName: 'Yara Voss', userName: yard.name, role: 'dispatcher', customRoleId } as const;
    const { invitation } = await owner.call(registerUser, { body });
    const token = new URLSearchParams(new URL(invitation?.url ?? '').hash.slice(1)).get('invitation') ?? '';
    await owner.call(acceptInvitation, { body: { token, password: yard.password } });

    const { page } = await visitSignedIn(browser, milepost.url, {}, yard);
    await page.goto('/fleet');
    await counted(page);
    await page.getByRole('checkbox', { name: 'Select 4127' }).check();
    const assign = bulkBar(page).getByRole('button', { name: /^Assign driver/ });
    await expect.poll(() => assign.getAttribute('aria-disabled')).toBe('true');
    await bulkBar(page).getByRole('button', { name: 'Clear selection' }).press('Enter');
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('registry-list');
  });
});

describe('other layouts', () => {
  it('the board in dark mode: a column for each status; axe finds nothing in it or in the table', async () => {
    const { page } = await open();
    await inColors(page, 'dark');
    await page.getByRole('checkbox', { name: 'Select all' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Board' }).click();
    await page.getByRole('region', { name: 'Moving' }).getByRole('article', { name: '4127' }).waitFor();
    await expectAccessible(page);
  });

  it('the wall display is paused and closed by keyboard; axe finds nothing there', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Wall' }).click();
    const wall = page.getByRole('dialog', { name: 'Wall view: All vehicles' });
    await wall.getByRole('rowheader', { name: /4127/ }).waitFor();
    await page.keyboard.press(' ');
    await wall.getByText('Paused').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect.poll(() => query(page).get('layout')).toBe(null);
  });

  it('shows as many columns as fit, and a click anywhere in a row opens the vehicle', async () => {
    const { page } = await open();
    const heads = () => page.getByRole('columnheader').allTextContents();
    await expect.poll(heads).toContain('Idle time');
    await expect.poll(heads).not.toContain('Vehicle');
    await page.setViewportSize({ width: 1920, height: 900 });
    await expect.poll(heads).toEqual(expect.arrayContaining(['Inside', 'Vehicle']));
    await page.setViewportSize({ width: 1024, height: 900 });
    await expect.poll(heads).not.toContain('Idle time');

    await page.evaluate(goTo, '/fleet?columns=unit,speed');
    await page.setViewportSize({ width: 1920, height: 900 });
    await expect.poll(async () => (await heads()).slice(-1)).toEqual(['mph']);
    await unit(page, '4118').waitFor();

    // Its checkbox selects it, and so does the cell around the checkbox.
    const row = page.getByRole('row').filter({ has: unit(page, '4127') });
    await row.getByRole('checkbox').check();
    await row
      .getByRole('cell')
      .first()
      .click({ position: { x: 3, y: 3 } });
    expect(new URL(page.url()).pathname).toBe('/fleet');
    await row.getByRole('cell').last().click();
    await expect.poll(() => query(page).get('vehicle')).toBe(TRUCK);
    await page.goBack();
    await page.getByRole('checkbox', { name: 'Select 4118' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => query(page).get('vehicle')).toBe(VAN);
  });

  it('on a phone the list fills four fifths of the screen, and one button has everything else', async () => {
    const { page } = await openOnPhone('/fleet?q=tag:"=night"&layout=table');
    await counted(page);
    const list = page.getByRole('list', { name: 'Vehicles' });
    const top = async () => (await list.boundingBox())?.y;
    await expect.poll(top).toBeLessThan(PHONE.viewport.height / 5);

    await page.getByRole('button', { name: /^Filter ?, 1 filter active$/ }).click();
    const sheet = page.getByRole('dialog', { name: 'View and filters' });
    await expectAccessible(page);
    await sheet.getByRole('checkbox', { name: 'Moving' }).check();
    await sheet.getByRole('button', { name: 'Show 1 vehicle', exact: true }).waitFor();
    await sheet.getByRole('button', { name: 'Remove filter Tag: =night' }).click();
    await sheet.getByRole('checkbox', { name: 'Moving' }).uncheck();
    await sheet.getByRole('button', { name: 'By folder' }).click();
    await page.getByRole('menuitemradio', { name: 'Not grouped' }).click();
    await sheet.getByRole('button', { name: 'Show 3 vehicles' }).click();
    await sheet.waitFor({ state: 'hidden' });
    await expect.poll(() => list.getByRole('article').count()).toBe(3);
    await page.getByRole('article', { name: '4118' }).click({ position: { x: 180, y: 20 } });
    await expect.poll(() => query(page).get('vehicle')).toBe(VAN);
  });

  it('on a phone vehicles are cards with buttons', async () => {
    const { page } = await openOnPhone('/fleet');
    await counted(page);
    const card = page.getByRole('article', { name: '4127' });
    await card.getByText('27', { exact: true }).waitFor();
    await card.getByRole('checkbox').check();
    await bulkBar(page).getByText('1 selected').waitFor();
    await card.getByRole('link', { name: 'Show 4127 on the map' }).click();
    await expect.poll(() => query(page).get('vehicle')).toBe(TRUCK);
  });
});
