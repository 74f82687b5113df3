import { createHttpClient } from '@milepost/client';
import {
  ALL_ROUTES,
  cancelTask,
  changePassword,
  createDriver,
  createTask,
  listInspections,
  listMyTasks,
  type Route,
  readInspectionPhoto,
  readMyDuty,
  readMyUsers,
  readOutputFile,
  registerUser,
  signIn,
  updateCarrier,
  updateLogSettings,
  updateMe,
} from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testPicture } from '../apps/server/testing/picture.ts';
import { launchBrowser, violationsOf } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const TRUCK = '356307042441013';
const FIRST = { userName: 'j.hostetter', password: 'interstate 81 northbound' };
const DRIVER = { name: FIRST.userName, password: 'a thermos of coffee' };
const PIN = '4711';
/** Whether the server has this route. */
const isServed = (route: Route): boolean => ALL_ROUTES.includes(route);
const METERS_A_DEGREE = 111_195;

let browser: Browser;
let milepost: Milepost;
let driverToken = '';
const asDriver = () => createHttpClient({ baseUrl: milepost.url, getToken: () => driverToken });

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [{ imei: TRUCK, deviceName: '4133', plate: 'VA 48-217 PX' }]);
  const owner = await ownerApi(milepost);
  await owner.call(registerUser, { body: { ...FIRST, displayName: 'Joel Hostetter', role: 'driver' } });
  const user = (await owner.call(readMyUsers)).find(({ userName }) => userName === FIRST.userName);
  const { id } = await owner.call(createDriver, {
    body: { name: 'Joel Hostetter', userId: user?.id ?? null, licenceNumber: 'T64118207', licenceRegion: 'VA' },
  });
  await owner.call(updateCarrier, { body: { name: 'Rockfish Freight Lines', usdotNumber: '9990417' } });
  await owner.call(updateLogSettings, { params: { driverId: id }, body: { keepsLog: true, personalUse: true } });
  driverToken = (await asDriver().call(signIn, { body: FIRST })).token;
  driverToken = (
    await asDriver().call(changePassword, {
      body: { oldPassword: FIRST.password, newPassword: DRIVER.password, endOtherSessions: false },
    })
  ).token;
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

async function open(options: BrowserContextOptions = PHONE): Promise<Page> {
  const { page } = await visitSignedIn(browser, milepost.url, options, DRIVER);
  // On a phone, a driver who keeps a log starts on the log page.
  await page.goto('/');
  await page.getByRole('radiogroup').waitFor();
  return page;
}
const isIn = (page: Page, code: string) => page.getByRole('radio', { name: new RegExp(`^${code}`), checked: true });

async function change(page: Page, code: string, note = ''): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${code}`) }).click();
  if (code === 'PC') await page.getByLabel('I am off duty, and none of these apply.').check();
  if (note !== '') await page.getByLabel('Note').fill(note);
  await page.getByRole('button', { name: 'Change status' }).click();
  await isIn(page, code).waitFor();
}

let northM = 0;
/** Sends six reports, one second apart, from a vehicle at this speed in m/s. */
async function drive(page: Page, speed: number): Promise<void> {
  for (let n = 0; n < 6; n++) {
    await page.waitForTimeout(1000);
    northM += speed;
    const place = { lat: LOOP.lat + northM / METERS_A_DEGREE, lon: LOOP.lon };
    await report(milepost, TRUCK, fix(Date.now(), place, { speed: metresPerSecond(speed) }));
  }
}

/** Creates the output file for the officer, with a comment. */
async function takeFile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Output file' }).click();
  await page.getByLabel('Officer’s comment').fill('K7Q2');
  await page.getByRole('button', { name: 'Make the file' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download file' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^Hoste.*-PREVIEW00\.csv$/);
  await page.getByRole('button', { name: 'Close' }).last().click();
}

describe.skipIf(!isServed(readMyDuty))('[R2.14] a driver’s day on a phone', () => {
  it('signs in to a vehicle, inspects it, drives, rests, uses it personally, certifies, and shows the log to an officer', async () => {
    const page = await open();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Sign in to a vehicle' }).click();
    await page.getByRole('button', { name: 'Sign in to 4133' }).click();
    await page.getByText('4133', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Inspect vehicle' }).click();
    await page.getByRole('button', { name: 'Sign as Joel Hostetter' }).click();
    await change(page, 'ON', 'Pre-trip inspection');

    // The vehicle is moving: everything except the clocks is locked.
    await drive(page, 20);
    await page.getByText('The vehicle is moving.').waitFor();
    expect(await page.getByRole('radiogroup').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Roadside inspection' }).count()).toBe(0);
    await drive(page, 0);
    await isIn(page, 'D').waitFor();
    await change(page, 'OFF');
    await change(page, 'PC', 'Home for dinner');

    // Yesterday has a gap to fill; then the day can be certified.
    await page.getByRole('button', { name: 'Log', exact: true }).click();
    await page.getByRole('button', { name: 'Day before' }).click();
    await page.getByRole('button', { name: 'Add an entry' }).click();
    await page.getByLabel('Status', { exact: true }).selectOption('ON');
    await page.getByLabel('Starts at').fill('08:00');
    await page.getByLabel('Reason').fill('Warehouse work');
    await page.getByRole('button', { name: 'Save change' }).click();
    await page.getByRole('button', { name: 'Certify this day' }).click();
    await page.getByText('I hereby certify that my data entries and my record of duty status').waitFor();
    await page.getByRole('button', { name: 'Agree' }).click();
    await expect.poll(async () => (await asDriver().call(readMyDuty)).toCertify).toEqual([]);

    await page.goto('/eld');
    await page.getByRole('button', { name: 'Roadside inspection' }).click();
    await page.getByRole('textbox', { name: 'PIN' }).fill(PIN);
    await page.getByRole('button', { name: 'Start inspection mode' }).click();
    await page.getByRole('heading', { name: 'Inspection mode' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByText('USDOT 9990417').waitFor();
    // Any other address leads back to inspection mode.
    await page.goto('/personal');
    await page.getByRole('heading', { name: 'Inspection mode' }).waitFor();
    if (isServed(readOutputFile)) await takeFile(page);
    await page.getByRole('button', { name: 'PIN to leave' }).click();
    await page.getByRole('textbox', { name: 'PIN' }).fill('0000');
    await page.getByRole('button', { name: 'Leave inspection mode' }).click();
    await page.getByText('Wrong PIN.').waitFor();
    await page.getByRole('textbox', { name: 'PIN' }).fill(PIN);
    await page.getByRole('button', { name: 'Leave inspection mode' }).click();
    await isIn(page, 'PC').waitFor();
  });

  it('[N4] works without a network: entries wait, survive a reload, and are sent exactly once', async () => {
    const owner = await ownerApi(milepost);
    const driverId = (await asDriver().call(readMyDuty)).driver.driverId;
    const task = await owner.call(createTask, { body: { title: 'Deliver 12 pallets', driverId, needsPhoto: true } });
    const canceled = await owner.call(createTask, { body: { title: 'Pick up 4 crates', driverId } });
    const page = await open({ ...PHONE, serviceWorkers: 'allow' });
    await page.getByRole('article', { name: 'Deliver 12 pallets' }).waitFor();
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await page.getByRole('button', { name: 'This phone' }).click();
    await page.getByLabel('Name of this phone').fill('Blue phone');
    await page.getByLabel('PIN').fill(PIN);
    await page.getByRole('button', { name: 'Enroll this phone' }).click();
    await page.getByText('This phone is enrolled as Blue phone.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.context().setOffline(true);
    await change(page, 'SB');
    await page.getByText('1 entry waiting').waitFor();
    await change(page, 'OFF');
    await page.getByText('2 entries waiting').waitFor();
    // Does a task from accepting it to its proof, and reports a defect with a photo.
    const delivery = page.getByRole('article', { name: 'Deliver 12 pallets' });
    await delivery.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('button', { name: 'On my way' }).click();
    await page.getByRole('button', { name: 'I’ve arrived' }).click();
    const photo = {
      name: 'dock.png',
      mimeType: 'image/png',
      buffer: Buffer.from(await (await testPicture('png')).arrayBuffer()),
    };
    await page.getByLabel('Add a photo').setInputFiles(photo);
    await page.getByText('1 photo').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByLabel('Note').fill('Left at gate 3');
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await delivery.getByText('Done').waitFor();
    await page.getByRole('button', { name: 'Inspect vehicle' }).click();
    await page.getByLabel('Tires').check();
    await page.getByLabel('Tires: what is wrong').fill('Nail in the left rear tire');
    await page.getByLabel('Add a photo').setInputFiles(photo);
    await page.getByRole('img', { name: 'Photo 1: Tires' }).waitFor();
    await page.getByRole('button', { name: 'Sign as Joel Hostetter' }).click();
    await page.getByText('3 entries waiting').waitFor();
    // Meanwhile the office cancels another task.
    await owner.call(cancelTask, { params: { id: canceled.id }, body: { reason: 'Customer closed' } });
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await page.getByLabel('PIN').fill('0000');
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByText('Wrong PIN.').waitFor();
    await page.getByLabel('PIN').fill(PIN);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await isIn(page, 'OFF').waitFor();
    await page.getByText('3 entries waiting').waitFor();
    await delivery.getByText('Done').waitFor();
    await page.context().setOffline(false);
    await page.getByText(/^Saved/).waitFor();
    await page.getByText('Pick up 4 crates was canceled. Reason: Customer closed').waitFor();
    await page.getByRole('button', { name: 'Got it' }).click();
    const done = (await asDriver().call(listMyTasks)).find(({ id }) => id === task.id);
    expect(done).toMatchObject({ state: 'done', proof: { photos: 1, note: 'Left at gate 3' } });
    expect(done?.steps.map(({ state }) => state)).toEqual([
      'assigned',
      ...['seen', 'accepted', 'enroute', 'arrived', 'done'],
    ]);
    const [report] = await owner.call(listInspections);
    expect(report).toMatchObject({ defects: [{ part: 'tires', photos: [expect.any(String)] }] });
    const [id = ''] = report?.defects[0]?.photos ?? [];
    expect((await owner.call(readInspectionPhoto, { params: { id } })).type).toBe('image/webp');
    const { days, row } = await asDriver().call(readMyDuty);
    expect(row.status).toBe('OFF');
    const berths = days.flatMap(({ records }) => records).filter(({ status }) => status === 'SB');
    expect(berths).toHaveLength(1);
  });

  it.each([
    ['es', 'Fuera de servicio', 'Inspección en carretera'],
    ['fr', 'Repos', 'Contrôle routier'],
  ] as const)('[R9.09] is available in %s', async (language, status, roadside) => {
    await asDriver().call(updateMe, { body: { preferences: { language } } });
    const page = await open();
    await page.getByRole('radio', { name: new RegExp(status) }).waitFor();
    await page.getByRole('button', { name: roadside }).waitFor();
    await asDriver().call(updateMe, { body: { preferences: { language: 'en-US' } } });
  });
});
