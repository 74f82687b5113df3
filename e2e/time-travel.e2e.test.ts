import {
  acceptInvitation,
  createFolder,
  createGeofence,
  listVehicles,
  listVisits,
  registerUser,
  updateMe,
  updateVehicle,
} from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

const [TRUCK, VAN] = ['356307042441013', '356938035643809'];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Central time that has no summer time, so the hours below hold all year. */
const ZONE = { timezoneId: 'America/Regina' };
/** Noon of the day before yesterday, in the user's time zone. */
const NOON = Date.parse(`${new Date().toLocaleDateString('en-CA', { timeZone: ZONE.timezoneId })}T18:00Z`) - 48 * HOUR;

let browser: Browser;
let milepost: Milepost;
let truckId = '';
/** Sees the van only. */
const DISPATCHER = { name: 'dan.brook', password: 'interstate 81 northbound' };

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [
    { imei: TRUCK, deviceName: '4127' },
    { imei: VAN, deviceName: '4151' },
  ]);
  const { call } = await ownerApi(milepost);
  const shape = { kind: 'circle' as const, center: [LOOP.lon, LOOP.lat] as [number, number], radiusM: 300 };
  await call(createGeofence, { body: { name: 'Yard', shape } });
  await call(createGeofence, { body: { name: 'Depot', shape: { ...shape, center: [LOOP.lon, LOOP.lat + 1] } } });
  const drive = Array.from({ length: 60 }, (_, i) =>
    fix(
      NOON + i * MINUTE,
      { lat: LOOP.lat + Math.min(i, 40) * 0.0065, lon: LOOP.lon },
      { speed: metresPerSecond(i < 40 ? 16 : 0), ignition: i < 40 },
    ),
  );
  await report(milepost, TRUCK, ...drive);
  await report(
    milepost,
    VAN,
    ...[0, 20, 40, 60].map(i => fix(NOON + i * MINUTE, LOOP, { speed: metresPerSecond(0), ignition: false })),
  );
  const vehicles = await call(listVehicles);
  const idOf = (name: string): string => vehicles.find(({ deviceName }) => deviceName === name)?.id ?? '';
  truckId = idOf('4127');
  const { id: folderId } = await call(createFolder, { body: { name: 'Chicago' } });
  await call(updateVehicle, { params: { id: idOf('4151') }, body: { folderId } });
  const { invitation } = await call(registerUser, {
    body: {
      ...{ displayName: 'Dan Brook', userName: DISPATCHER.name, role: 'dispatcher' },
      scope: { folderIds: [folderId], departmentIds: [] },
    },
  });
  const token = new URLSearchParams(new URL(invitation?.url ?? '').hash.slice(1)).get('invitation') ?? '';
  await call(acceptInvitation, { body: { token, password: DISPATCHER.password } });
  const opened = new Date(NOON + 10 * MINUTE);
  await milepost.app.context.db.pool.query(
    `insert into alert (id, account_id, vehicle_id, kind, severity, event, opened_at, updated_at, closed_at, acknowledged_at,
       acknowledged_by)
     select gen_random_uuid(), account_id, id, 'overspeed', 'warning', 'overspeed', $2, $2, $3, $4,
       (select app_user.id from app_user where app_user.account_id = vehicle.account_id limit 1) from vehicle where id = $1`,
    [Number(truckId), opened, new Date(NOON + 12 * MINUTE), new Date(NOON + 50 * MINUTE)],
  );
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const openHere = samePage(() => ({ browser, milepost }), ZONE);

const instant = (ms: number): string => new Date(ms).toISOString().replace('.000', '');
const bar = (page: Page) => page.getByRole('region', { name: 'Looking at the past' });
const row = (page: Page, name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) });

/** What a user sees of the moment: bar, list, card and alerts. */
async function seen(page: Page): Promise<string[]> {
  await row(page, '4127').waitFor();
  await page.getByRole('region', { name: /^Alerts open at/ }).waitFor();
  return [
    await bar(page).locator('b').first().innerText(),
    await page.getByRole('tree').innerText(),
    await page.getByRole('complementary', { name: /4127/ }).getByRole('heading').first().innerText(),
    await page.getByRole('tab', { name: 'Then' }).innerText(),
  ];
}

describe('[N2] the fleet at a past moment', () => {
  it('is the same for two users at the same address, marked as the past, without commands', async () => {
    const address = `/?at=${instant(NOON + 30 * MINUTE + 7000)}&vehicle=${TRUCK}`;
    const { page: one, complaints } = await visitSignedIn(browser, milepost.url, ZONE);
    const { page: other } = await visitSignedIn(browser, milepost.url, { ...ZONE, colorScheme: 'dark' });
    await Promise.all([one.goto(address), other.goto(address)]);
    const isSame = async () => JSON.stringify(await seen(one)) === JSON.stringify(await seen(other));
    await expect.poll(isSame).toBe(true);
    const picture = await seen(one);
    expect(picture[0]).toMatch(/12:30:07 CST$/);
    expect(picture[1]).toContain('12:30:00');
    // Moving at that moment, but parked for two days by now.
    await row(one, '4127').filter({ hasText: 'moving' }).waitFor();
    await row(one, '4151').filter({ hasText: 'stopped' }).waitFor();
    await one.getByRole('button', { name: 'Not live' }).waitFor();
    const card = one.getByRole('complementary', { name: /4127/ });
    for (const name of ['Follow', 'Command']) {
      await expect.poll(() => card.getByRole('button', { name }).isDisabled(), { message: name }).toBe(true);
    }
    await card.getByText('work only in live view').waitFor();
    // Messages up to that moment only.
    await one.getByRole('tab', { name: 'Raw' }).click();
    await one.getByRole('button', { name: /12:30:00/ }).waitFor();
    expect(await one.getByRole('button', { name: /12:31:00/ }).count()).toBe(0);
    await one.getByRole('tab', { name: 'Commands' }).click();
    await one.getByText('No commands yet').waitFor();
    await one.keyboard.press('c');
    expect(await one.getByRole('dialog').count()).toBe(0);
    await expectAccessible(one);
    expect(complaints.filter(text => !text.includes('WebGL'))).toEqual([]);
  });

  it('has the vehicles that were inside a place then, for everyone who may see them', async () => {
    const address = `/?at=${instant(NOON + 2000)}`;
    const open = async (page: Page): Promise<void> => {
      await page.goto(address);
      await page.getByRole('tab', { name: 'Places' }).click();
      const yard = page.getByRole('treeitem', { name: /^Yard/ });
      await yard.filter({ hasText: /\d/ }).click();
      await row(page, '4151').waitFor();
    };
    const inside = (page: Page): Promise<string> => page.getByRole('tree').innerText();
    // Visits of the past are counted in the background, a few at a time.
    const { call } = await ownerApi(milepost);
    const query = { from: instant(NOON - HOUR), to: instant(NOON + HOUR) };
    await expect.poll(async () => (await call(listVisits, { query })).counting, { timeout: 60_000 }).toBe(0);
    const { page: one } = await openHere('/');
    const { page: other } = await visitSignedIn(browser, milepost.url, { ...ZONE, colorScheme: 'dark' });
    await open(one);
    await row(one, '4127').waitFor();
    const forOwner = await inside(one);
    await open(other);
    await expect.poll(() => inside(other)).toBe(forOwner);
    const { page: scoped } = await visitSignedIn(browser, milepost.url, ZONE, DISPATCHER);
    await open(scoped);
    expect(await inside(scoped)).not.toContain('4127');
  });

  it('is the part of it that a user may see, on their own clock and in their own units', async () => {
    const address = `/?at=${instant(NOON + 30 * MINUTE + 7000)}&vehicle=${TRUCK}`;
    const { page } = await visitSignedIn(
      browser,
      milepost.url,
      { timezoneId: 'Europe/Berlin', locale: 'de-DE' },
      DISPATCHER,
    );
    await page.goto(address);
    await row(page, '4151').filter({ hasText: 'stopped' }).waitFor();
    expect(await row(page, '4127').count()).toBe(0);
    expect(await page.getByText('Speeding').count()).toBe(0);
    const shown = new Date(NOON + 30 * MINUTE + 7000).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' });
    await expect.poll(() => bar(page).locator('b').first().innerText()).toContain(shown);
    // The owner, who is there at the same time, has the truck on that clock, at the same speed in other units.
    const { call } = await ownerApi(milepost);
    const measureIn = async (distanceUnit: 'km' | null): Promise<void> => {
      await call(updateMe, { body: { preferences: { distanceUnit } } });
    };
    await measureIn('km');
    const { page: owner } = await visitSignedIn(browser, milepost.url, { timezoneId: 'Europe/Berlin' });
    await owner.goto(address);
    await row(owner, '4127').filter({ hasText: 'moving' }).waitFor();
    await owner.getByRole('complementary', { name: /4127/ }).getByText('58 km/h').first().waitFor();
    await expect.poll(() => bar(owner).locator('b').first().innerText()).toContain(shown);
    await measureIn(null);
  });

  it('leaves room on a phone for the name of the vehicle and the way back', async () => {
    const { page } = await openHere(`/?at=${instant(NOON + 30 * MINUTE + 7000)}&vehicle=${TRUCK}`);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('tab', { name: 'Then' }).waitFor();
    const card = page.getByRole('complementary', { name: /4127/ });
    const isShown = (element: HTMLElement | SVGElement): boolean => {
      const { left, top, height } = element.getBoundingClientRect();
      return element.contains(document.elementFromPoint(left + 4, top + height / 2));
    };
    await expect.poll(() => card.getByRole('heading').first().evaluate(isShown)).toBe(true);
    await bar(page).getByRole('button', { name: 'Back to live' }).click({ trial: true });
    await card.getByRole('button', { name: 'Close' }).click();
    await row(page, '4127').waitFor();
  });

  it('is changed by keys, and Esc returns to live; the link keeps the moment', async () => {
    const { page } = await openHere(`/?at=${instant(NOON + 5 * MINUTE)}`);
    await row(page, '4127').filter({ hasText: '12:05:00' }).waitFor();
    const slider = page.getByRole('slider', { name: 'Time of day' });
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/12:05:00$/);
    await slider.press('PageUp');
    await row(page, '4127').filter({ hasText: '12:59:00' }).waitFor();
    const moment = (): string | null => new URL(page.url()).searchParams.get('at');
    await expect.poll(moment).toBe(instant(NOON + 65 * MINUTE));
    // The alert of that day, reached from a later moment.
    await bar(page).getByRole('button', { name: 'Previous alert of this day' }).click();
    await page
      .getByRole('region', { name: 'Alerts open at 12:10' })
      .getByText(/acknowledged/)
      .waitFor();
    // Other choices on the page keep the moment in the address.
    await row(page, '4151').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('vehicle')).toBe(VAN);
    await expect.poll(moment).toBe(instant(NOON + 10 * MINUTE));
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Live/ }).waitFor();
    await expect.poll(moment).toBeNull();
    // Back leads to the past again, and the button leaves it.
    await page.goBack();
    await bar(page).getByRole('button', { name: 'Back to live' }).click();
    await bar(page).waitFor({ state: 'detached' });
  });

  it('plays in proportion to time, until it is stopped, and says the second it shows', async () => {
    const { page } = await openHere(`/?at=${instant(NOON + 5 * MINUTE)}`);
    await row(page, '4127').filter({ hasText: '12:05:00' }).waitFor();
    const shown = (): number => Date.parse(new URL(page.url()).searchParams.get('at') ?? '');
    const began = Date.now();
    await page.keyboard.press(' ');
    await bar(page).getByRole('button', { name: 'Pause' }).waitFor();
    await bar(page).getByRole('button', { name: '×60' }).click();
    // The truck reports once a minute, which is a second of play: a slow browser may never draw one of them.
    const later = /12:(0[7-9]|[1-5]\d):00/;
    await row(page, '4127').filter({ hasText: later }).waitFor();
    await bar(page).getByRole('button', { name: 'Pause' }).click();
    await bar(page).getByRole('button', { name: 'Play' }).waitFor();
    await expect.poll(shown).toBeGreaterThanOrEqual(NOON + 7 * MINUTE);
    const said = () => bar(page).locator('b').first().innerText();
    const stopped = () => new Date(shown()).toLocaleTimeString('en-GB', { timeZone: ZONE.timezoneId });
    await expect.poll(async () => (await said()).includes(`${stopped()} CST`)).toBe(true);
    const stoppedAt = shown();
    expect((stoppedAt - (NOON + 5 * MINUTE)) / 60).toBeLessThanOrEqual(Date.now() - began + 100);
    await page.waitForTimeout(1500);
    expect(shown()).toBe(stoppedAt);
  });

  it('also applies to the fleet’s table, with times of reports instead of ages', async () => {
    const { page } = await openHere(`/fleet?at=${instant(NOON + 30 * MINUTE)}`);
    await bar(page).waitFor();
    const cells = page.getByRole('row', { name: /4127/ });
    await cells.filter({ hasText: '12:30:00' }).waitFor();
    await cells.filter({ hasText: 'Moving' }).waitFor();
    await page.keyboard.press('Escape');
    await bar(page).waitFor({ state: 'detached' });
    await cells.filter({ hasNotText: '12:30:00' }).waitFor();
  });
});
