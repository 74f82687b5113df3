import type { Page } from 'playwright-core';
import { type Milepost, startMilepost } from './milepost.ts';
import { addVehicles, fix, LOOP, report } from './tracker.ts';

export const TRUCK = '356307042441013';
export const VAN = '356307042441021';
export const REEFER = '356307042441039';

/** A server with three vehicles: two that `driveThem` moves, and a reefer that has never reported. */
export async function startWithVehicles(): Promise<Milepost> {
  const milepost = await startMilepost({ gateways: new Map([['teltonika', 0]]) });
  await addVehicles(milepost, [
    { imei: TRUCK, deviceName: '4127', plate: 'VA 48-217 PX', model: '2022 Kenworth T680' },
    { imei: VAN, deviceName: '4118', model: '2021 Ford Transit 350' },
    { imei: REEFER, deviceName: 'R-206', vin: '1XKYD49X8NJ123456' },
  ]);
  return milepost;
}

/** The truck drives north through the Loop; the van is parked a little to the west. */
export async function driveThem(milepost: Milepost): Promise<void> {
  const now = Date.now();
  await report(milepost, TRUCK, fix(now - 8000, { ...LOOP, lat: LOOP.lat - 0.002 }), fix(now - 2000, LOOP));
  const yard = { lat: LOOP.lat + 0.004, lon: LOOP.lon - 0.02 };
  await report(milepost, VAN, fix(now - 2000, yard, { speed: 0 as never, ignition: false }));
}

export const tree = (page: Page) => page.getByRole('tree', { name: 'Vehicles' });
export const row = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name });
export const map = (page: Page) => page.getByRole('region', { name: 'Map', exact: true });
export const card = (page: Page, name: string) => page.getByRole('complementary', { name: `Vehicle ${name}` });

/** Opens the dashboard and waits until everything a user needs is there. */
export async function openDashboard(page: Page, search = ''): Promise<void> {
  await page.goto(`/${search}`);
  await dashboardShown(page);
}

export async function dashboardShown(page: Page): Promise<void> {
  await row(page, '4127').waitFor();
  await page.getByRole('button', { name: /^Live/ }).waitFor();
}
