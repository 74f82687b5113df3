import { createHttpClient } from '@milepost/client';
import { assignVehicle, createDriver, listDrivers, listVehicles, readMe, signIn } from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '../apps/server/src/modules/accounts/accounts.ts';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { describedText, isFocused } from './support/fields.ts';
import { type Milepost, OWNER, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

const TRUCK = '356307042441013';
/** An iButton as trackers send it: 8 bytes. */
const CARD = '0000000004A27F19';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

let browser: Browser;
let milepost: Milepost;

leaveMapsOut();
beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [{ imei: TRUCK, deviceName: '4127', plate: 'VA 48-217 PX', make: 'Kenworth' }]);
  const http = await api();
  await http.call(createDriver, {
    body: { name: 'Dana Whitlock', phone: '+15405550127', card: CARD, licenceExpiresOn: dayIn(20) },
  });
  await http.call(createDriver, { body: { name: 'Joel Hostetter', licenceExpiresOn: dayIn(800) } });
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

async function api() {
  let token: string | null = null;
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  ({ token } = await http.call(signIn, { body: { userName: OWNER.name, password: OWNER.password } }));
  return http;
}
const driver = async (name: string) => (await (await api()).call(listDrivers)).find(one => one.name === name);

const department = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: new RegExp(`^${name}`) }) });
const drawer = (page: Page, name: string) => page.getByRole('complementary', { name });

const openHere = samePage(() => ({ browser, milepost }));

async function open(): Promise<Page> {
  const { page } = await openHere('/personal');
  await department(page, /^Everyone/).waitFor();
  await row(page, 'Dana Whitlock').waitFor();
  return page;
}

describe('people', () => {
  it('[R7.24] [R7.27] [R7.32] are assigned to a department, and can be called', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'New department' }).click();
    const dialog = page.getByRole('dialog', { name: 'New department' });
    await dialog.getByRole('button', { name: 'Create department' }).click();
    await expect
      .poll(() => dialog.getByLabel('Name').evaluate(describedText))
      .toBe('Enter a name of up to 60 characters.');
    await dialog.getByLabel('Name').fill('North team');
    await dialog.getByRole('button', { name: 'Create department' }).click();
    await department(page, 'North team 0 people').waitFor();
    await row(page, 'Dana Whitlock').dragTo(department(page, /^North team/));
    await department(page, 'North team 1 person').waitFor();
    await row(page, 'Joel Hostetter').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Move to department' }).click();
    await page.getByLabel('To department').selectOption({ label: 'North team' });
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await department(page, 'North team 2 people').waitFor();
    const call = row(page, 'Dana Whitlock').getByRole('link', { name: 'Call Dana Whitlock' });
    await expect.poll(() => call.getAttribute('href')).toBe('tel:+15405550127');
  });

  it('whose license expires soon are one click away', async () => {
    const page = await open();
    await page.getByRole('button', { name: '1 license expires within 90 days' }).click();
    await row(page, 'Joel Hostetter').waitFor({ state: 'hidden' });
    await row(page, 'Dana Whitlock').waitFor();
    await page.reload();
    await row(page, 'Dana Whitlock').waitFor();
    await expect.poll(() => row(page, 'Joel Hostetter').count()).toBe(0);
  });

  it('are edited, assigned a vehicle, archived and restored', async () => {
    const page = await open();
    await page.getByRole('button', { name: /^Joel Hostetter/ }).click();
    await drawer(page, 'Joel Hostetter').getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('form', { name: 'Edit Joel Hostetter' });
    await form.getByLabel('Driver card').fill('?');
    await form.getByRole('button', { name: 'Save' }).click();
    const card = form.getByLabel('Driver card');
    await expect.poll(() => card.evaluate(describedText)).toContain('A card number has 4–32 letters and digits.');
    await expect.poll(() => isFocused(card)).toBe(true);
    await card.fill('04A27F33');
    await form.getByLabel('License number').fill('T59733060');
    await form.getByRole('button', { name: 'Save' }).click();
    await drawer(page, 'Joel Hostetter').getByText('T59733060').waitFor();

    await drawer(page, 'Joel Hostetter').getByRole('button', { name: 'Assign vehicle' }).click();
    await page.getByLabel('Usual vehicle').selectOption({ label: '4127 · Kenworth' });
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await row(page, 'Joel Hostetter').getByText('4127').waitFor();

    await page.getByRole('button', { name: 'Actions for Joel Hostetter' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    const question = page.getByRole('dialog', { name: 'Archive Joel Hostetter?' });
    await question.getByRole('button', { name: 'Archive' }).click();
    await row(page, 'Joel Hostetter').waitFor({ state: 'hidden' });
    await expect.poll(() => driver('Joel Hostetter')).toMatchObject({ archived: true, card: null, vehicle: null });

    await page.goto('/personal?state=archived');
    await page.getByRole('button', { name: /^Joel Hostetter/ }).click();
    await page.getByRole('button', { name: 'Actions for Joel Hostetter' }).click();
    await page.getByRole('menuitem', { name: 'Restore' }).click();
    await page.getByText('Joel Hostetter restored.').waitFor();
    expect(await driver('Joel Hostetter')).toMatchObject({ archived: false });
  });

  it('a card in a vehicle identifies its driver', async () => {
    const http = await api();
    await report(milepost, TRUCK, fix(Date.now(), LOOP, { rfid: CARD }));
    await expect.poll(async () => (await driver('Dana Whitlock'))?.vehicle).toMatchObject({ source: 'card' });
    const page = await open();
    await row(page, 'Dana Whitlock').getByText('4127').waitFor();
    await row(page, 'Dana Whitlock').getByText('by card').waitFor();
    expect((await http.call(listVehicles))[0]?.driver).toMatchObject({ name: 'Dana Whitlock', source: 'card' });
  });
});

describe('my own page', () => {
  it('says so if the user is no driver, and otherwise shows vehicle, license and privacy', async () => {
    const { page } = await openHere('/personal?view=mine');
    await page.getByRole('heading', { name: 'You are not a driver here' }).waitFor();
    const http = await api();
    const me = await http.call(readMe);
    const { id } = await http.call(createDriver, {
      body: { name: 'Nora Kessler', userId: me.id, licenceNumber: 'T1', licenceExpiresOn: dayIn(-3) },
    });
    await page.reload();
    await page.getByText('You are not in a vehicle right now.').waitFor();
    await page
      .getByRole('region', { name: 'My license and card' })
      .getByText(/^expired/)
      .waitFor();
    await page.getByText('Positions are kept until your organization deletes them.').waitFor();
    const vehicle = await addVehicles(milepost, [{ imei: '356307042441021', deviceName: '4118' }]).then(async () =>
      (await http.call(listVehicles)).find(({ deviceName }) => deviceName === '4118'),
    );
    await http.call(assignVehicle, { params: { id }, body: { deviceId: vehicle?.id ?? '' } });
    await page.reload();
    await page.getByText('You’re its usual driver').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Show on map' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('vehicle')).toBe('356307042441021');
  });

  it('[N8] shows within seconds who looked, and who can', async () => {
    const { db } = milepost.app.context;
    const { account_id: accountId } = await db.system
      .selectFrom('app_user')
      .select('account_id')
      .executeTakeFirstOrThrow();
    const gus = { userName: 'gus.kline', displayName: 'Gus Kline', password: 'a sentence for Gus alone' };
    await createUser(db, { ...gus, accountId, role: 'admin' });
    const { page } = await visitSignedIn(browser, milepost.url, PHONE);
    await page.goto('/personal?view=mine');
    await page.getByRole('link', { name: 'See who looked' }).click();
    await page.getByRole('heading', { name: 'My privacy', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Who can see me now' }).getByText('Gus Kline').waitFor();
    const looks = page.getByRole('region', { name: 'Who looked' });
    await looks.getByText('Nobody looked in this time.').waitFor();
    const other = await visitSignedIn(browser, milepost.url, {}, { name: gus.userName, password: gus.password });
    await other.page.goto('/fleet');
    const look = looks.getByRole('listitem').filter({ hasText: 'Gus Kline' });
    await look.getByText('Live map or vehicle list').waitFor();
    await expectAccessible(page);
  });

  it('is where drivers start, and they see no other people', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    const { id } = await (await api()).call(readMe);
    // Restart the server, so that the session is loaded with its new role; keep the database.
    const become = async (role: string): Promise<void> => {
      await milepost.app.context.db.system.updateTable('app_user').set({ role }).where('id', '=', id).execute();
      await milepost.restart();
    };
    await become('driver');
    try {
      // Open the root, as an installed app does. The map is one step away, and opens when asked for.
      await page.setViewportSize(PHONE.viewport);
      await page.goto('/');
      await page.getByRole('heading', { name: 'My vehicle now' }).waitFor();
      await page.getByRole('heading', { name: 'Documents of 4118' }).waitFor();
      await page
        .getByRole('region', { name: 'Due for renewal' })
        .getByText(/^expired/)
        .waitFor();
      await expect.poll(() => new URL(page.url()).pathname).toBe('/personal');
      await expectAccessible(page);
      const bar = page.getByRole('navigation', { name: 'Main' });
      const links = async () => (await bar.getByRole('link').allTextContents()).slice(0, 2);
      await expect.poll(links).toEqual(['ELD', 'Personal']);
      await bar.getByRole('link', { name: 'Dashboard' }).click();
      await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor({ state: 'attached' });
      await page.reload();
      await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor({ state: 'attached' });
      await page.goto('/?vehicle=356307042441021');
      await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor({ state: 'attached' });
      await bar.getByRole('link', { name: 'Personal' }).click();
      await page.getByRole('heading', { name: 'Nora Kessler', level: 1 }).waitFor();
      expect(await page.getByRole('button', { name: 'People' }).count()).toBe(0);
      expect(await page.getByRole('tree').count()).toBe(0);
    } finally {
      await become('owner');
    }
  });
});

describe('accessibility', () => {
  it('[R9.09] on a phone a person is a page with a large call button', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, PHONE);
    await page.goto('/personal');
    await page.getByRole('button', { name: /^Dana Whitlock/ }).click();
    const call = drawer(page, 'Dana Whitlock').getByRole('link', { name: 'Call Dana Whitlock' });
    await expect.poll(async () => (await call.boundingBox())?.height).toBeGreaterThanOrEqual(46);
    await expectAccessible(page);
  });
});
