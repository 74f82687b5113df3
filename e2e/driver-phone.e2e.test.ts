import { readFileSync } from 'node:fs';
import { createHttpClient } from '@milepost/client';
import {
  cancelTask,
  changePassword,
  createDriver,
  createTask,
  type DutyAction,
  listInspections,
  listMyTasks,
  proposeEdit,
  readInspectionPhoto,
  readMyDuty,
  readMyUsers,
  readVerifiableLog,
  recordDuty,
  registerUser,
  signIn,
  updateCarrier,
  updateLogSettings,
  updateMe,
  updateSettings,
} from '@milepost/contract';
import { addDays, dayOf, readOutputFile, startOfDate, verifyText } from '@milepost/eld';
import { epochMs, metresPerSecond } from '@milepost/units';
import type { Browser, BrowserContextOptions, Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testPicture } from '../apps/server/testing/picture.ts';
import { launchBrowser, violationsOf } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const TRUCK = '356307042441013';
const FIRST = { userName: 'j.hostetter', password: 'interstate 81 northbound' };
const DRIVER = { name: FIRST.userName, password: 'a thermos of coffee', keepSignedIn: true };
const PIN = '4711';
const SAMPLE = new URL('../packages/eld/src/testing/eld-output-sample.csv', import.meta.url);
const MINUTE = 60_000;
const METERS_A_DEGREE = 111_195;

let browser: Browser;
let milepost: Milepost;
let driverToken = '';
const asDriver = () => createHttpClient({ baseUrl: milepost.url, getToken: () => driverToken });

beforeAll(async () => {
  // A day passes in seconds: the server runs in this process and the phone follows the server's clock.
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true });
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [{ imei: TRUCK, deviceName: '4133', plate: 'VA 48-217 PX' }]);
  const owner = await ownerApi(milepost);
  await owner.call(registerUser, { body: { ...FIRST, displayName: 'Joel Hostetter', role: 'driver' } });
  const user = (await owner.call(readMyUsers)).find(({ userName }) => userName === FIRST.userName);
  const { id } = await owner.call(createDriver, {
    body: { name: 'Joel Hostetter', userId: user?.id ?? null, licenceNumber: 'T64118207', licenceRegion: 'VA' },
  });
  await owner.call(updateSettings, { body: { address: '12 Mill Rd, Roanoke, VA', dotNumber: '9990417' } });
  await owner.call(updateCarrier, { body: { name: 'Rockfish Freight Lines' } });
  await owner.call(updateLogSettings, { params: { driverId: id }, body: { keepsLog: true, personalUse: true } });
  driverToken = (await asDriver().call(signIn, { body: { ...FIRST, keepSignedIn: true } })).token;
  driverToken = (
    await asDriver().call(changePassword, {
      body: { oldPassword: FIRST.password, newPassword: DRIVER.password, endOtherSessions: false },
    })
  ).token;
});
afterAll(async () => {
  vi.useRealTimers();
  await Promise.all([browser?.close(), milepost?.close()]);
});

async function open(options: BrowserContextOptions = PHONE): Promise<Page> {
  const { page } = await visitSignedIn(browser, milepost.url, options, DRIVER);
  // As the server's. Otherwise setting it later looks like hours of sleep.
  await page.clock.setSystemTime(Date.now());
  // On a phone, a driver who keeps a log starts on the log page.
  await page.goto('/');
  await page.getByRole('radiogroup').waitFor();
  return page;
}
const isIn = (page: Page, code: string) => page.getByRole('radio', { name: new RegExp(`^${code}`), checked: true });

/** Why the server refuses entries of this phone, as it answers. */
function refusalsSentTo(page: Page): unknown[] {
  const refused: unknown[] = [];
  page.on('response', response => {
    if (response.request().method() !== 'POST' || !response.url().includes('/duty')) return;
    void response.json().then(
      ({ outcomes = [] }) => {
        for (const outcome of outcomes) {
          if (outcome.result === 'refused') refused.push({ ...outcome, sent: response.request().postDataJSON() });
        }
      },
      () => {},
    );
  });
  return refused;
}

async function change(page: Page, code: string, note = ''): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${code}`) }).click();
  if (code === 'PC') await page.getByLabel('I am off duty, and none of these apply.').check();
  if (note !== '') await page.getByLabel('Note').fill(note);
  const save = page.getByRole('button', { name: 'Change status' });
  await save.click();
  // The choice is checked at once; the entry is there when the form has gone.
  await save.waitFor({ state: 'hidden' });
  await isIn(page, code).waitFor();
}

const record = async (api: ReturnType<typeof asDriver>, action: DutyAction): Promise<void> => {
  const { outcomes } = await api.call(recordDuty, {
    body: { inputs: [{ id: crypto.randomUUID(), at: new Date().toISOString(), action }] },
  });
  expect(outcomes).toMatchObject([{ result: 'taken' }]);
};

const SPEED = 20;
let northM = 0;
const place = () => ({ lat: LOOP.lat + northM / METERS_A_DEGREE, lon: LOOP.lon });
const stop = (ms: number) => fix(ms, place(), { speed: metresPerSecond(0) });
/** The tracker reports a drive, a position a minute, and where it arrives a minute later. */
async function drive(fromMs: number, minutes: number, { arrives = true } = {}): Promise<void> {
  const moving = Array.from({ length: minutes }, (_, minute) => {
    northM += SPEED * 60;
    return fix(fromMs + minute * MINUTE, place(), { speed: metresPerSecond(SPEED) });
  });
  await report(milepost, TRUCK, ...moving, ...(arrives ? [stop(fromMs + minutes * MINUTE)] : []));
}

async function inspect(page: Page, when: string): Promise<void> {
  await page.getByRole('button', { name: 'Inspect vehicle' }).click();
  await page.getByRole('group', { name: 'When' }).getByText(when).click();
  await page.getByRole('button', { name: 'Sign as Joel Hostetter' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

/** Creates the output file for the officer, with a comment, and reads it as strictly as an officer's system. */
async function takeFile(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Output file' }).click();
  await page.getByLabel('Officer’s comment').fill('K7Q2');
  await page.getByRole('button', { name: 'Make the file' }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download file' }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toMatch(/^Hoste.*-PREVIEW00\.csv$/);
  const text = readFileSync(await file.path(), 'utf8');
  const read = readOutputFile(text);
  expect(read.ok ? read.value.header.device.comment : read.fault).toBe('K7Q2');
  expect(titlesOf(text)).toEqual(titlesOf(readFileSync(SAMPLE, 'latin1')));
  await page.getByRole('button', { name: 'Close' }).last().click();
}
/** The sections of an output file, in their order. */
const titlesOf = (text: string): string[] => text.split('\r').filter(line => line.endsWith(':'));

describe('[R2.14] a driver’s day on a phone', () => {
  it('signs in, inspects, drives, is asked, rests, uses it personally, certifies, shows an officer, answers the desk', async () => {
    const api = asDriver();
    const duty = await api.call(readMyDuty);
    const home = { timeZone: duty.dutyLog.timezone, startOfDay: 0 };
    const today = addDays(dayOf(epochMs(Date.now()), home), 1);
    const at = (hour: number, minute = 0, day = 0) =>
      startOfDate(addDays(today, day), home) + (hour * 60 + minute) * MINUTE;
    // Before dawn the driver signs in and out; then someone drives twice.
    const vehicleId = duty.vehicles[0]?.id ?? '';
    vi.setSystemTime(at(4));
    await record(api, { kind: 'sign-in', vehicleId });
    vi.setSystemTime(at(4, 1));
    await record(api, { kind: 'sign-out', status: 'OFF' });
    vi.setSystemTime(at(5));
    await drive(at(4, 10), 20);
    await drive(at(4, 40), 4);

    vi.setSystemTime(at(6));
    const page = await open();
    const refused = refusalsSentTo(page);
    const goTo = async (ms: number) => {
      vi.setSystemTime(ms);
      await page.clock.setSystemTime(ms);
      // Until the phone has heard it, its time may be hours ahead.
      const isHeard = async (response: Response): Promise<boolean> =>
        response.url().endsWith(readMyDuty.path) && Date.parse((await response.json()).now) >= ms;
      const heard = page.waitForResponse(isHeard);
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await heard;
    };
    await goTo(at(6));
    expect(await violationsOf(page)).toEqual([]);
    // The camera has read the code in the cab.
    await page.goto(`/eld?vehicle=${vehicleId}`);
    const scanned = page.getByRole('dialog');
    await scanned.getByText('You scanned the code of 4133.').waitFor();
    await scanned.getByRole('button', { name: 'Sign in to 4133' }).first().click();
    await scanned.waitFor({ state: 'hidden' });
    await expect.poll(() => new URL(page.url()).search).toBe('');
    await page.getByText('4133', { exact: true }).first().waitFor();

    // Unidentified driving: one drive was the driver's, the other wasn't.
    await page.getByRole('button', { name: '2 unidentified drives' }).click();
    const drives = page.getByRole('dialog');
    await drives
      .getByText(/your log goes back to “Off duty” after this drive/)
      .first()
      .waitFor();
    await drives.getByRole('button', { name: 'It was me' }).first().click();
    await drives.getByRole('button', { name: 'It was me' }).nth(1).waitFor({ state: 'detached' });
    await drives.getByRole('button', { name: 'Not me' }).click();
    await drives.getByText('No unidentified driving.').waitFor();
    await drives.getByRole('button', { name: 'Close' }).click();

    // The rest that the claimed driving interrupted goes on.
    await expect
      .poll(async () => (await api.call(readMyDuty)).days[0]?.segments.slice(-3).map(({ status }) => status))
      .toEqual(['D', 'ON', 'OFF']);
    await isIn(page, 'OFF').waitFor();
    await inspect(page, 'Before the trip');
    await change(page, 'ON', 'Pre-trip inspection');

    // The vehicle is moving: everything except the clocks is locked.
    await goTo(at(8, 30));
    await drive(at(6, 30), 120, { arrives: false });
    await page.getByText('The vehicle is moving.').waitFor();
    await expect.poll(() => page.getByRole('radiogroup').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Roadside inspection' }).count()).toBe(0);
    await report(milepost, TRUCK, stop(at(8, 30)));
    await isIn(page, 'D').waitFor();

    // After five minutes at rest the phone asks; the answer is a break.
    await goTo(at(8, 35) + 10_000);
    const question = page.getByRole('alertdialog', { name: 'Are you still driving?' });
    await question.getByText(/not moved for five minutes/).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await question.getByRole('button', { name: 'Off duty' }).click();
    await question.waitFor({ state: 'hidden' });
    await isIn(page, 'OFF').waitFor();
    await page.getByRole('button', { name: 'Declare an exception' }).click();
    await page.getByLabel('Reason').fill('Closed road on I-81');
    await page.getByRole('button', { name: 'Declare', exact: true }).click();
    await expect.poll(async () => (await api.call(readMyDuty)).dutyLog.declarations).toHaveLength(1);
    // Farm work has no limits until the driver ends it.
    await page.getByRole('button', { name: 'Declare an exception' }).click();
    await page.getByLabel('Exception', { exact: true }).selectOption('Agriculture, 150 air miles');
    await page.getByLabel('Reason').fill('Apples to the packing house');
    await page.getByRole('button', { name: 'Declare', exact: true }).click();
    const noLimits = page.getByText('Agriculture: no limits now');
    await noLimits.waitFor();
    await page.getByRole('button', { name: 'Declare an exception' }).click();
    await page.getByRole('region', { name: 'Agriculture, 150 air miles' }).waitFor();
    await page.getByRole('button', { name: 'End exemption' }).click();
    await noLimits.waitFor({ state: 'hidden' });
    await expect
      .poll(async () => (await api.call(readMyDuty)).dutyLog.declarations.map(({ end }) => end !== null))
      .toEqual([false, true]);

    // Driving again without an answer: on duty from six minutes after the stop.
    await goTo(at(10, 10));
    await drive(at(9, 30), 30);
    await isIn(page, 'ON').waitFor();
    await change(page, 'PC', 'Dinner in town');
    // The phone has sent it before the vehicle moves on, or the drive would be recorded as driving.
    await expect
      .poll(async () => (await api.call(readMyDuty)).days[0]?.segments.at(-1))
      .toMatchObject({ status: expect.stringMatching(/OFF|PC/) });
    await goTo(at(10, 40));
    await drive(at(10, 20), 10);
    await inspect(page, 'After the trip');
    await page.getByRole('button', { name: 'Vehicle and load' }).click();
    await page.getByRole('button', { name: 'Sign out of 4133' }).click();
    await isIn(page, 'OFF').waitFor();
    const worked = (await api.call(readMyDuty)).days[0];
    const minuteOf = (time: string) => Math.floor(Date.parse(time) / MINUTE) * MINUTE;
    const driven = worked?.segments
      .filter(({ status }) => status === 'D')
      .map(({ from, to }) => [minuteOf(from), minuteOf(to)]);
    expect(driven).toEqual([
      [at(4, 10), at(4, 36)],
      [at(6, 30), at(8, 35)],
      [at(9, 30), at(10, 6)],
    ]);

    // Two days later both days before are certified at once.
    await goTo(at(6, 0, 2));
    await page.reload();
    await page.getByRole('button', { name: 'Certify 2 days' }).click();
    await page.getByText('I hereby certify that my data entries and my record of duty status').waitFor();
    await page.getByRole('button', { name: 'Agree' }).click();
    await expect.poll(async () => (await api.call(readMyDuty)).toCertify).toEqual([]);

    await page.getByRole('button', { name: 'Roadside inspection' }).click();
    await page.getByRole('textbox', { name: 'PIN' }).fill(PIN);
    await page.getByRole('button', { name: 'Start inspection mode' }).click();
    await page.getByRole('heading', { name: 'Inspection mode' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByText('USDOT 9990417').waitFor();
    await page.getByText('12 Mill Rd, Roanoke, VA').waitFor();
    // Any other address leads back to inspection mode.
    await page.goto('/personal');
    await page.getByRole('heading', { name: 'Inspection mode' }).waitFor();
    // What the driver declined is a report of its own.
    await page.getByRole('button', { name: 'Day before' }).click();
    await page.getByRole('button', { name: 'Day before' }).click();
    await page.getByRole('button', { name: 'Unidentified driver' }).click();
    await page.getByRole('row', { name: /^04:40:00/ }).waitFor();
    await takeFile(page);
    await page.getByRole('button', { name: 'PIN to leave' }).click();
    await page.getByRole('textbox', { name: 'PIN' }).fill('0000');
    await page.getByRole('button', { name: 'Leave inspection mode' }).click();
    await page.getByText('Wrong PIN.').waitFor();
    await page.getByRole('textbox', { name: 'PIN' }).fill(PIN);
    await page.getByRole('button', { name: 'Leave inspection mode' }).click();

    // The desk proposes a change of a certified day; the driver accepts it and certifies the day again.
    const rest = worked?.records.find(({ status, origin }) => status === 'ON' && origin === 'automatic');
    const owner = await ownerApi(milepost);
    await owner.call(proposeEdit, {
      body: {
        driverId: duty.driver.driverId,
        replaces: rest?.id ?? null,
        status: 'OFF',
        at: rest?.at ?? '',
        reason: 'Lunch at the depot',
      },
    });
    await page.getByRole('button', { name: /^1 change to review/ }).click();
    await page.getByText('Reason: Lunch at the depot').waitFor();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText('No changes to review.').waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: 'Certify 1 day' }).click();
    await page.getByRole('button', { name: 'Agree' }).click();
    await expect.poll(async () => (await api.call(readMyDuty)).toCertify).toEqual([]);

    expect(refused).toEqual([]);
    const log = verifyText(await (await api.call(readVerifiableLog, { query: {} })).text());
    expect(log).toMatchObject({ ok: true, kind: 'log' });
  });

  it('[N4] works without a network: entries wait, survive a reload, and are sent exactly once', async () => {
    const owner = await ownerApi(milepost);
    const { driver, vehicles } = await asDriver().call(readMyDuty);
    const { driverId } = driver;
    await record(asDriver(), { kind: 'sign-in', vehicleId: vehicles[0]?.id ?? '' });
    const task = await owner.call(createTask, {
      body: {
        ...{ title: 'Deliver 12 pallets', driverId, needsPhoto: true },
        stops: [{ name: 'Joliet yard', lat: 41.525, lon: -88.0817, contact: '+1 815 555 0143' }],
      },
    });
    const canceled = await owner.call(createTask, { body: { title: 'Pick up 4 crates', driverId } });
    const page = await open({ ...PHONE, serviceWorkers: 'allow' });
    // The map on the task that comes first: a finger on it scrolls the page, and Tab goes on to the directions.
    const delivery = page.getByRole('article', { name: 'Deliver 12 pallets' });
    const map = delivery.getByRole('region', { name: 'Map: Deliver 12 pallets' });
    await map.waitFor();
    await expect.poll(() => map.getAttribute('tabindex')).toBe('-1');
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
    expect(await delivery.getByRole('link', { name: 'Directions to Joliet yard' }).getAttribute('href')).toMatch(
      /41\.52500(,|%2C)-88\.08170/,
    );
    expect(await delivery.getByRole('link', { name: '+1 815 555 0143' }).getAttribute('href')).toBe('tel:+18155550143');
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
    // A picture that shows nothing is taken back.
    await page.getByLabel('Add a photo').setInputFiles(photo);
    await page.getByRole('button', { name: 'Remove photo 2: Tires' }).click();
    await page.getByRole('img', { name: 'Photo 2: Tires' }).waitFor({ state: 'detached' });
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
    // The photos follow the entries.
    const sentTask = async () => (await asDriver().call(listMyTasks)).find(({ id }) => id === task.id);
    await expect.poll(sentTask).toMatchObject({ state: 'done', proof: { photos: 1, note: 'Left at gate 3' } });
    const done = await sentTask();
    expect(done?.steps.map(({ state }) => state)).toEqual([
      'assigned',
      ...['seen', 'accepted', 'enroute', 'arrived', 'done'],
    ]);
    const inspected = async () => (await owner.call(listInspections))[0];
    await expect.poll(inspected).toMatchObject({ defects: [{ part: 'tires', photos: [expect.any(String)] }] });
    const report = await inspected();
    const [id = ''] = report?.defects[0]?.photos ?? [];
    expect((await owner.call(readInspectionPhoto, { params: { id } })).type).toBe('image/webp');
    const { days, row } = await asDriver().call(readMyDuty);
    expect(row.status).toBe('OFF');
    const berths = days.flatMap(({ records }) => records).filter(({ status }) => status === 'SB');
    expect(berths).toHaveLength(1);
  });

  it('[N4] an entry is one request, whose answer has the log with it', async () => {
    const page = await open();
    const asked: string[] = [];
    const paths: readonly string[] = [readMyDuty.path, recordDuty.path];
    page.on('request', request => {
      if (paths.includes(new URL(request.url()).pathname)) asked.push(request.method());
    });
    /** From one of the looks that a page takes every ten seconds on. */
    const duringEntry = async (code: string): Promise<string[]> => {
      await page.waitForResponse(response => response.url().endsWith(readMyDuty.path));
      asked.length = 0;
      const answered = page.waitForResponse(response => response.request().method() === 'POST');
      await change(page, code);
      await answered;
      // Longer than the announcement of its own entry takes.
      await page.waitForTimeout(1500);
      return [...asked];
    };
    // On a busy machine another look may fall in between.
    const all = [await duringEntry('ON'), await duringEntry('OFF'), await duringEntry('ON')];
    expect(all).toContainEqual(['POST']);
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
