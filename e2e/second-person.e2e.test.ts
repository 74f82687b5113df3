import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpClient } from '@milepost/client';
import { setControlPassword, signIn as signInRoute } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createUser } from '../apps/server/src/modules/accounts/accounts.ts';
import { testImei } from '../apps/server/testing/imei.ts';
import type { Link } from '../apps/simulator/src/tracker/link.ts';
import { teltonikaOverTcp } from '../apps/simulator/src/tracker/teltonika.ts';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, OWNER, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP } from './support/tracker.ts';

leaveMapsOut();

/**
 * A second person for dangerous commands: one user asks, another decides, and until then the tracker receives nothing.
 */
const BEN = { name: 'ben.ocampo', password: 'forty tons to Roanoke' } as const;
const CONTROL_PASSWORD = 'red lever 7';
/** A small map, because it is rendered by the CPU. */
const SMALL = { viewport: { width: 1100, height: 700 } } as const;
const [STOLEN, DECLINED, FORGOTTEN, ALONE] = [
  { imei: testImei(711), deviceName: '4150' },
  { imei: testImei(712), deviceName: '4151' },
  { imei: testImei(713), deviceName: '4152' },
  { imei: testImei(714), deviceName: '4153' },
];

let browser: Browser;
let milepost: Milepost;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [STOLEN, DECLINED, FORGOTTEN, ALONE]);
  let token: string | null = null;
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  ({ token } = await http.call(signInRoute, { body: { userName: OWNER.name, password: OWNER.password } }));
  await http.call(setControlPassword, { body: { password: OWNER.password, controlPassword: CONTROL_PASSWORD } });
  const { db } = milepost.app.context;
  const { account_id: accountId } = await db.system
    .selectFrom('app_user')
    .select('account_id')
    .where('user_name', '=', OWNER.name)
    .executeTakeFirstOrThrow();
  await createUser(db, { accountId, userName: BEN.name, role: 'admin', password: BEN.password });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(ends.splice(0).map(end => end()));
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

interface RelayTracker {
  /** The commands it received. */
  readonly orders: string[];
}

const REPORTS_EVERY_MS = 1000;

/** A truck that idles in a yard. Its tracker keeps reporting, and its relay cuts the ignition on command. */
async function idlingTruck(imei: string): Promise<RelayTracker> {
  const orders: string[] = [];
  let isCut = false;
  const position = () => fix(Date.now() - 1000, LOOP, { speed: metresPerSecond(0), ignition: !isCut, course: null });
  // It connected a while ago: what it reports counts as parked only from its connection on.
  vi.setSystemTime(Date.now() - 75_000);
  const link: Link = await teltonikaOverTcp(
    '127.0.0.1',
    milepost.app.trackerPorts.get('teltonika') ?? 0,
    imei,
  )(order => {
    orders.push(order.task?.kind ?? 'something else');
    if (order.task?.kind === 'engineStop') isCut = true;
    order.answer(true, position());
  });
  await link.send([position()]);
  vi.useRealTimers();
  await link.send([position()]);
  let isOver = false;
  const reportOn = async (): Promise<void> => {
    while (!isOver) {
      await link.send([position()]);
      await sleep(REPORTS_EVERY_MS);
    }
  };
  // Closing the connection ends the reporting, too.
  const reporting = reportOn().catch(() => {});
  ends.push(async () => {
    isOver = true;
    link.close();
    await reporting;
  });
  return { orders };
}

/** Moves the fixed clocks of server and tracker forward; timers keep running. */
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Send command' });
const outcome = (page: Page) => dialog(page).getByRole('region', { name: 'Outcome' });
const details = (page: Page) => dialog(page).getByRole('region', { name: 'Details' });

/** Opens a vehicle's command dialog and chooses to stop the engine immediately. */
async function chooseStop(page: Page, deviceName: string): Promise<void> {
  await page.goto('/assets');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search' }).fill(`cmd stop engine ${deviceName}`);
  // The results follow what was typed.
  await page.getByRole('option', { name: `Stop engine: ${deviceName}` }).click();
  await details(page).getByRole('radio', { name: 'Immediately' }).check();
}

async function askToStop(page: Page, { deviceName }: { readonly deviceName: string }, button: string): Promise<void> {
  await chooseStop(page, deviceName);
  await details(page).getByLabel('Reason').fill('Reported stolen');
  await details(page).getByRole('textbox', { name: 'Control password' }).fill(CONTROL_PASSWORD);
  await dialog(page).getByRole('button', { name: button }).click();
}

/** Steps that have happened, not those still ahead. */
const happened = (where: Locator, text: string) => where.locator('li[data-mark="done"]').filter({ hasText: text });

const request = (page: Page, deviceName: string) =>
  page.getByRole('region', { name: 'Needs a second person' }).getByRole('article').filter({ hasText: deviceName });

describe('[R7.35] an immediate stop', () => {
  it('is requested by one user, confirmed by another, and shown to have worked', async () => {
    const truck = await idlingTruck(STOLEN.imei);
    const [{ page: nora }, { page: ben, complaints }] = [
      await visitSignedIn(browser, milepost.url),
      await visitSignedIn(browser, milepost.url, {}, BEN),
    ];
    await ben.goto('/');
    await chooseStop(nora, STOLEN.deviceName);
    await details(nora).getByText('Only while every check passes. Needs a second person.').waitFor();
    await details(nora).getByText('1 other person can confirm it').waitFor();
    await expectAccessible(nora);
    await details(nora).getByLabel('Reason').fill('Reported stolen');
    await details(nora).getByRole('textbox', { name: 'Control password' }).fill(CONTROL_PASSWORD);
    await dialog(nora).getByRole('button', { name: 'Ask a second person' }).click();
    await outcome(nora).getByText('Waiting for a second person').waitFor();
    await outcome(nora)
      .getByText(/^Expires at .+ if no one confirms it\. Nothing is sent before\.$/)
      .waitFor();
    await outcome(nora).getByText('Other people with control of this vehicle were notified.').waitFor();
    await expectAccessible(nora);
    expect(truck.orders).toEqual([]);

    // It appears on the other user's screen without a reload.
    const rail = ben.getByRole('region', { name: 'Alerts', exact: true });
    const alert = rail.getByRole('listitem').filter({ hasText: 'Second person needed' });
    await alert.getByText(`Requested by ${OWNER.name}`).waitFor();
    await ben.getByRole('link', { name: 'Alerts: 1 not acknowledged' }).waitFor();
    expect(await alert.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
    await alert.getByRole('link', { name: 'Decide' }).click();
    const card = request(ben, STOLEN.deviceName);
    await card.getByRole('heading', { name: `${OWNER.name} requests: Stop engine` }).waitFor();
    await card.getByText('Reported stolen').waitFor();
    await card.getByText('Safely stopped').waitFor();
    await expectAccessible(ben);

    // The second user enters the control password, too, and only the right one works.
    const password = card.getByRole('textbox', { name: 'Control password' });
    await password.fill('a wrong one');
    await password.press('Enter');
    expect(truck.orders).toEqual([]);
    await card.getByText('Control password is incorrect. 4 attempts left').waitFor();
    await password.fill(CONTROL_PASSWORD);
    await card.getByRole('button', { name: 'Confirm and send' }).click();
    await happened(card, 'Device acknowledged').waitFor();
    expect(truck.orders).toEqual(['engineStop']);
    await happened(outcome(nora), 'Second person confirmed').getByText(BEN.name).waitFor();
    await outcome(nora).getByText('Waiting for the effect').waitFor();
    await ben.getByText('No open alerts', { exact: true }).waitFor();

    // The relay has cut the ignition, and it is still off a minute later.
    later(65_000);
    await happened(outcome(nora), 'Effect seen in reports').waitFor();
    await happened(card, 'Effect seen in reports').waitFor();
    await expectAccessible(ben);
    expect(complaints).toEqual([expect.stringContaining('400')]);
  }, 240_000);

  it('is declined in the vehicle’s history, and the requester reads why', async () => {
    const truck = await idlingTruck(DECLINED.imei);
    const [{ page: nora }, { page: ben }] = [
      await visitSignedIn(browser, milepost.url),
      await visitSignedIn(browser, milepost.url, SMALL, BEN),
    ];
    await askToStop(nora, DECLINED, 'Ask a second person');
    await outcome(nora).getByText('Waiting for a second person').waitFor();
    await ben.goto(`/?vehicle=${DECLINED.imei}`);
    await ben
      .getByRole('complementary', { name: `Vehicle ${DECLINED.deviceName}` })
      .getByRole('tab', { name: 'Commands' })
      .click();
    const history = ben.getByRole('list', { name: 'Commands' }).getByRole('listitem').first();
    await history.getByText('Needs a second person').waitFor();
    await history.getByText('Stop engine').first().click();
    await history.getByRole('button', { name: 'Decline', exact: true }).click();
    await history.getByLabel('Reason for declining').fill('The driver is on the phone with me');
    await history.getByRole('button', { name: 'Decline the command' }).click();
    await outcome(nora).getByText('Second person declined').waitFor();
    await outcome(nora).getByText('“The driver is on the phone with me”').waitFor();
    await history.getByText('Declined').first().waitFor();
    expect(truck.orders).toEqual([]);
  }, 240_000);

  it('expires if nobody confirms it within ten minutes', async () => {
    const truck = await idlingTruck(FORGOTTEN.imei);
    const [{ page: nora }, { page: ben }] = [
      await visitSignedIn(browser, milepost.url),
      await visitSignedIn(browser, milepost.url, SMALL, BEN),
    ];
    await ben.goto('/alerts');
    await askToStop(nora, FORGOTTEN, 'Ask a second person');
    await request(ben, FORGOTTEN.deviceName).getByRole('button', { name: 'Confirm and send' }).waitFor();
    later(601_000);
    await outcome(nora).getByText('Nobody confirmed it in time.').waitFor();
    await request(ben, FORGOTTEN.deviceName).getByText('Nobody confirmed it in time.').waitFor();
    await expect.poll(() => request(ben, FORGOTTEN.deviceName).getByRole('button').count()).toBe(0);
    expect(truck.orders).toEqual([]);
  });

  it('needs one person only, once an owner has turned the rule off', async () => {
    const truck = await idlingTruck(ALONE.imei);
    const [{ page: nora }, { page: ben }] = [
      await visitSignedIn(browser, milepost.url),
      await visitSignedIn(browser, milepost.url, SMALL, BEN),
    ];
    await ben.goto('/settings/commands');
    await ben.getByText('Only an owner can change this.').waitFor();
    await expect.poll(() => ben.getByRole('switch', { name: 'Ask for a second person' }).isDisabled()).toBe(true);
    await nora.goto('/settings/commands');
    await nora.getByText('2 people can control vehicles.').waitFor();
    await expectAccessible(nora);
    await nora.getByRole('switch', { name: 'Ask for a second person' }).uncheck();
    const rule = nora.getByRole('form', { name: 'Second person' });
    await rule.getByRole('textbox', { name: 'Control password' }).fill('a wrong one');
    await rule.getByRole('button', { name: 'Save' }).click();
    await rule.getByText('Control password is incorrect.').waitFor();
    await rule.getByRole('textbox', { name: 'Control password' }).fill(CONTROL_PASSWORD);
    await rule.getByRole('button', { name: 'Save' }).click();
    await nora.getByText('Off: one person alone can stop an engine immediately.').waitFor();
    await askToStop(nora, ALONE, 'Send');
    await happened(outcome(nora), 'Device acknowledged').waitFor();
    expect(truck.orders).toEqual(['engineStop']);
  });
});
