import { randomUUID } from 'node:crypto';
import { createHttpClient, type HttpClient } from '@milepost/client';
import {
  acceptInvitation,
  acknowledgeAlerts,
  createCommand,
  createDepartment,
  createDriver,
  createFolder,
  createGeofence,
  createRole,
  createShare,
  createTask,
  createVehicle,
  createView,
  type DutyAction,
  deleteDriver,
  deleteFolder,
  deleteGeofence,
  deleteMyUser,
  deleteVehicle,
  deleteView,
  listAlerts,
  muteVehicle,
  readTenant,
  recordDuty,
  registerUser,
  revokeShare,
  signIn,
  updateDriver,
  updateFolder,
  updateLogSettings,
  updateMyUser,
  updateRole,
  updateSettings,
  updateTask,
  updateTenant,
  updateVehicle,
  updateView,
} from '@milepost/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, OWNER, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';
import { fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

/**
 * A change in one browser is visible in every other without a reload. Pages poll every 15 seconds at most, so anything
 * sooner came from an event.
 */
const SOON = { timeout: 10_000 };
const TRUCK = '356307042441013';
const PASSWORD = 'interstate 81 northbound';

let browser: Browser;
let milepost: Milepost;
/** The first browser: an administrator elsewhere. */
let call: HttpClient['call'];
let truckId: string;

async function clientOf(userName: string, password: string): Promise<HttpClient> {
  let token: string | null = null;
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  ({ token } = await http.call(signIn, { body: { userName, password } }));
  return http;
}

async function join(displayName: string, userName: string, role: 'admin' | 'viewer' | 'driver', more: object = {}) {
  const owner = await clientOf(OWNER.name, OWNER.password);
  const { data, invitation } = await owner.call(registerUser, { body: { displayName, userName, role, ...more } });
  const token = new URLSearchParams(new URL(invitation?.url ?? '').hash.slice(1)).get('invitation') ?? '';
  await owner.call(acceptInvitation, { body: { token, password: PASSWORD } });
  return data;
}

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await join('Ben Ocampo', 'b.ocampo', 'admin');
  ({ call } = await clientOf('b.ocampo', PASSWORD));
  truckId = (await call(createVehicle, { body: { imei: TRUCK, deviceName: '4127' } })).id;
  await call(createVehicle, { body: { imei: '356307042441021', deviceName: '4118' } });
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const seen = (what: Locator): Promise<void> => what.first().waitFor(SOON);
const gone = (what: Locator): Promise<void> => what.first().waitFor({ state: 'hidden', ...SOON });

const openHere = samePage(() => ({ browser, milepost }));

/** The second browser, on a page that stays open from test to test. */
async function go(path: string, there: (page: Page) => Locator): Promise<Page> {
  const { page } = await openHere(path);
  await there(page).first().waitFor();
  return page;
}

/** The second browser, on a page of its own that was loaded and listens for changes. */
async function open(path: string, there: (page: Page) => Locator, who?: { name: string; password: string }) {
  const { page } = await visitSignedIn(browser, milepost.url, {}, who);
  const followed = page.waitForEvent('console', {
    predicate: message => message.text() === 'Realtime /eld: connected',
  });
  await page.goto(path);
  await Promise.all([followed, there(page).first().waitFor()]);
  return page;
}
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
const aDriver = async (): Promise<string> => (await call(createDriver, { body: { name: 'Mia Torres' } })).id;
const node = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });

describe('in a second browser, without a reload', () => {
  it('a task is given to a driver and renamed: on the board of dispatch', async () => {
    const driverId = await aDriver();
    const board = await go('/dispatch', page => page.getByRole('heading', { name: 'Dispatch', level: 1 }));
    const { id } = await call(createTask, {
      body: { title: 'Deliver 12 pallets', driverId, stops: [{ name: 'Dock 9', lat: 41.9, lon: -87.68, actions: [] }] },
    });
    await board.getByText('Deliver 12 pallets').first().waitFor(SOON);
    await call(updateTask, { params: { id }, body: { title: 'Deliver 14 pallets' } });
    await board.getByText('Deliver 14 pallets').first().waitFor(SOON);
  });

  it('a vehicle is renamed, added and deleted: on the map, in the vehicle list and in the fleet', async () => {
    const [map, assets, fleet] = await Promise.all([
      go('/', page => node(page, '4127')),
      open('/assets', page => row(page, '4127')),
      open('/fleet', page => row(page, '4127')),
    ]);
    await call(updateVehicle, { params: { id: truckId }, body: { deviceName: 'Renamed 4127' } });
    await Promise.all([
      seen(node(map, 'Renamed 4127')),
      seen(row(assets, 'Renamed 4127')),
      seen(row(fleet, 'Renamed 4127')),
    ]);
    const { id } = await call(createVehicle, { body: { imei: '356307042441039', deviceName: 'R-206' } });
    await Promise.all([seen(node(map, 'R-206')), seen(row(assets, 'R-206')), seen(row(fleet, 'R-206'))]);
    // It is live at once, because its topic was subscribed.
    await report(milepost, '356307042441039', fix(Date.now() - 1000, LOOP));
    await seen(node(map, 'R-206').filter({ hasText: 'mph' }));
    await call(deleteVehicle, { params: { id } });
    await Promise.all([gone(node(map, 'R-206')), gone(row(assets, 'R-206')), gone(row(fleet, 'R-206'))]);
    await call(updateVehicle, { params: { id: truckId }, body: { deviceName: '4127' } });
    await seen(row(fleet, '4127'));
  });

  it('[R7.38] a deleted geofence is announced to viewers, and disappears from its page', async () => {
    const shape = { kind: 'circle' as const, center: [LOOP.lon, LOOP.lat] as [number, number], radiusM: 300 };
    const { id } = await call(createGeofence, { body: { name: 'Wacker dock', shape } });
    const { page } = await visitSignedIn(browser, milepost.url, {});
    const logged = (is: RegExp) =>
      page.waitForEvent('console', { predicate: message => is.test(message.text()), ...SOON });
    const registered = logged(/^Realtime \/geofence: [1-9]\d* registered$/);
    await page.goto('/geo-fence');
    const listed = page.getByRole('region', { name: 'Geofences' }).getByRole('button', { name: 'Wacker dock' });
    await Promise.all([registered, listed.first().waitFor()]);
    const told = logged(new RegExp(`^Realtime /geofence: deleted \\d+-0-${id}-deleted$`));
    await call(deleteGeofence, { params: { id } });
    await Promise.all([told, gone(listed)]);
  });

  it('only the changed vehicle is loaded, not the whole list', async () => {
    const page = await open('/assets', each => row(each, '4127'));
    const asked: string[] = [];
    page.on('request', request => asked.push(new URL(request.url()).pathname));
    await call(updateVehicle, { params: { id: truckId }, body: { plate: 'VA 48-217 PX' } });
    await seen(row(page, 'VA 48-217 PX'));
    expect(asked).toContain(`/api/v1/device/${truckId}`);
    expect(asked).not.toContain('/api/v1/device');
  });

  it('a folder is created, renamed and deleted, and vehicles move into it', async () => {
    const page = await go('/assets', each => row(each, '4127'));
    const { id } = await call(createFolder, { body: { name: 'Line haul' } });
    await seen(node(page, /^Line haul/));
    await call(updateFolder, { params: { id }, body: { name: 'Long haul' } });
    await seen(node(page, /^Long haul/));
    await call(updateVehicle, { params: { id: truckId }, body: { folderId: id } });
    await seen(node(page, /^Long haul.*1/s));
    await call(deleteFolder, { params: { id } });
    await gone(node(page, /^Long haul/));
  });

  it('a department and a driver are created, changed and deleted', async () => {
    const page = await go('/personal', each => node(each, /^Everyone/));
    await call(createDepartment, { body: { name: 'Night desk' } });
    await seen(node(page, /^Night desk/));
    const { id } = await call(createDriver, { body: { name: 'Dana Whitlock' } });
    await seen(row(page, 'Dana Whitlock'));
    await call(updateDriver, { params: { id }, body: { name: 'Dana Whitlock-Reyes' } });
    await seen(row(page, 'Dana Whitlock-Reyes'));
    await call(updateVehicle, { params: { id: truckId }, body: { usualDriverId: id } });
    await seen(row(page, 'Dana Whitlock-Reyes').filter({ hasText: '4127' }));
    await call(deleteDriver, { params: { id } });
    await gone(row(page, 'Dana Whitlock-Reyes'));
  });

  it('[R7.04] a driver who signs in on the phone drives the vehicle', async () => {
    const { id: userId } = await join('Dora Lindqvist', 'd.lindqvist', 'driver');
    const { id: driverId } = await call(createDriver, { body: { name: 'Dora Lindqvist', userId } });
    await call(updateLogSettings, { params: { driverId }, body: { keepsLog: true } });
    const phone = await clientOf('d.lindqvist', PASSWORD);
    const assets = await go('/assets', page => row(page, '4127'));
    const enter = (action: DutyAction) =>
      phone.call(recordDuty, { body: { inputs: [{ id: randomUUID(), at: new Date().toISOString(), action }] } });
    const drives = row(assets, '4127').filter({ hasText: 'Dora Lindqvist' }).filter({ hasText: 'signed in' });
    await enter({ kind: 'sign-in', vehicleId: truckId });
    await drives.waitFor(SOON);
    await enter({ kind: 'sign-out', status: 'OFF' });
    await drives.waitFor({ state: 'hidden', ...SOON });
    await call(deleteDriver, { params: { id: driverId } });
  });

  it('a user and a role are created, changed and deleted', async () => {
    const page = await go('/users', each => row(each, 'Ben Ocampo'));
    const { data } = await call(registerUser, {
      body: { displayName: 'Gus Kline', userName: 'g.kline', role: 'viewer', password: PASSWORD },
    });
    await seen(row(page, 'Gus Kline'));
    const role = await call(createRole, {
      body: { name: 'Yard', basedOn: 'viewer', permissions: ['vehicles.read'] },
    });
    await call(updateMyUser, { params: { id: data.id }, body: { displayName: 'August Kline', customRoleId: role.id } });
    await seen(row(page, 'August Kline').filter({ hasText: 'Yard' }));
    await call(updateRole, { params: { id: role.id }, body: { name: 'Gate' } });
    await seen(row(page, 'August Kline').filter({ hasText: 'Gate' }));
    await call(deleteMyUser, { params: { id: data.id } });
    await gone(row(page, 'August Kline'));
  });

  it('settings and branding change', async () => {
    const page = await go('/fleet', each => row(each, '4127'));
    const settings = await open('/settings/tracking', each => each.getByLabel('Offline after, minutes'));
    await call(updateSettings, { body: { offlineAfterMinutes: 90 } });
    await expect.poll(() => settings.getByLabel('Offline after, minutes').inputValue(), SOON).toBe('90');
    const rail = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--rail').trim());
    const before = await rail();
    const { tenant } = await call(readTenant);
    await call(updateTenant, { params: { id: tenant?.id ?? '' }, body: { primaryColour: '#7a1f3d' } });
    await expect.poll(rail, SOON).not.toBe(before);
  });

  it('a shared view and a share link are created, changed and deleted', async () => {
    const fleet = await go('/fleet', each => row(each, '4127'));
    const view = await call(createView, { body: { page: 'fleet', name: 'Night shift', query: '', shared: true } });
    await seen(fleet.getByRole('button', { name: /^Night shift/ }));
    await call(updateView, { params: { id: view.id }, body: { name: 'Day shift' } });
    await seen(fleet.getByRole('button', { name: /^Day shift/ }));
    await call(deleteView, { params: { id: view.id } });
    await gone(fleet.getByRole('button', { name: /^Day shift/ }));

    const links = await go('/share-links', each => each.getByRole('heading', { name: 'Share links', exact: true }));
    const { share } = await call(createShare, {
      body: {
        deviceIds: [truckId],
        name: 'Dock 4',
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
        showTrail: true,
        showSpeed: false,
      },
    });
    await seen(row(links, 'Dock 4'));
    await call(revokeShare, { params: { id: share.id } });
    await gone(row(links, 'Dock 4').filter({ hasText: /active/i }));
  });

  it('an alert is acknowledged, and a command goes through its steps', async () => {
    const now = Date.now();
    await report(milepost, TRUCK, fix(now - 2000, LOOP), fix(now - 1000, LOOP, { event: 'sos' }));
    const inbox = await go('/alerts', each => row(each, 'SOS button pressed'));
    // Its vehicle is muted, and notifies again.
    const muted = inbox.getByText('All alerts for 4127 except SOS are muted');
    await call(muteVehicle, { params: { id: truckId }, body: { about: null, mute: { until: null } } });
    await seen(muted);
    await call(muteVehicle, { params: { id: truckId }, body: { about: null, mute: null } });
    await gone(muted);
    const { alerts } = await call(listAlerts, { query: { open: 'true' } });
    await call(acknowledgeAlerts, { body: { ids: alerts.map(({ id }) => id) } });
    await gone(row(inbox, 'SOS button pressed'));

    const map = await go(`/?vehicle=${TRUCK}`, each => each.getByRole('complementary', { name: 'Vehicle 4127' }));
    await map.getByRole('tab', { name: 'Commands' }).click();
    await call(createCommand, { body: { imei: TRUCK, action: 'getStatus' } });
    await seen(map.getByRole('complementary', { name: 'Vehicle 4127' }).getByText('b.ocampo'));
  });
});

describe('a user whose rights change', () => {
  it('sees other vehicles and other pages at once, and nothing that they may no longer see', async () => {
    const { id: folderId } = await call(createFolder, { body: { name: 'South' } });
    await call(updateVehicle, { params: { id: truckId }, body: { folderId } });
    const scope = { folderIds: [folderId], departmentIds: [] };
    const { id } = await join('Sam Ito', 's.ito', 'viewer', { scope });
    const page = await open('/', each => node(each, '4127'), { name: 's.ito', password: PASSWORD });
    expect(await node(page, '4118').count()).toBe(0);
    // Move it out of their folder and back.
    await call(updateVehicle, { params: { id: truckId }, body: { folderId: null } });
    await gone(node(page, '4127'));
    await call(updateVehicle, { params: { id: truckId }, body: { folderId } });
    await seen(node(page, '4127'));
    // Remove the limit.
    await call(updateMyUser, { params: { id }, body: { scope: null } });
    await seen(node(page, '4118'));
  });
});

it('a browser that was offline gets what it has missed', async () => {
  const page = await open('/assets', each => row(each, '4127'));
  await page.context().setOffline(true);
  await milepost.restart();
  await call(updateVehicle, { params: { id: truckId }, body: { deviceName: 'Changed meanwhile' } });
  await page.context().setOffline(false);
  await seen(row(page, 'Changed meanwhile'));
});
