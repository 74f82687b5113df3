import { assignVehicle, createDriver, listVehicles, updateLogSettings } from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EntryDraft } from '../apps/server/src/modules/logbook/draft.ts';
import { writeEntries } from '../apps/server/src/modules/logbook/write.ts';
import { event, OWNER as LOG_OWNER } from '../apps/server/testing/logbook.ts';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { startWithVehicles, TRUCK } from './support/dashboard.ts';
import type { Milepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { ownerApi } from './support/session.ts';

const HOUR = 3_600_000;

let browser: Browser;
let milepost: Milepost;
let driverId = '';
let vehicleId = '';
/** The certified day. */
let worked = '';

leaveMapsOut();
beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startWithVehicles()]);
  const { call } = await ownerApi(milepost);
  ({ id: driverId } = await call(createDriver, { body: { name: 'Dana Whitlock' } }));
  await call(updateLogSettings, { params: { driverId }, body: { keepsLog: true } });
  vehicleId = (await call(listVehicles)).find(({ deviceName }) => deviceName === '4127')?.id ?? '';
  await call(assignVehicle, { params: { id: driverId }, body: { deviceId: vehicleId } });
  const now = Math.floor(Date.now() / 1000) * 1000;
  await record('OFF', now - 90 * HOUR);
  // A finished day of work, already certified.
  await record('ON', now - 60 * HOUR);
  await record('D', now - 60 * HOUR + 60_000);
  await record('OFF', now - 60 * HOUR + 120_000);
  worked = homeDate(now - 60 * HOUR);
  await write({
    action: 'certify',
    log: `driver:${driverId}`,
    device: `vehicle:${vehicleId}` as const,
    by: driverId,
    event: {
      ...{ type: 4 as const, code: 1, at: now - 20 * HOUR, zoneOffset: '06', date: worked },
      ...{ vehicle: { powerUnit: '7', vin: '' }, trailers: '', shippingDocument: '' },
    },
  });
  await record('ON', now - 3 * HOUR);
  await record('D', now - 2 * HOUR);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const openHere = samePage(() => ({ browser, milepost }));

/** Writes entries into a log, as the vehicle and the driver's phone would. */
async function write(draft: EntryDraft): Promise<void> {
  const { db } = milepost.app.context;
  const { account_id: accountId } = await db.system
    .selectFrom('driver')
    .select('account_id')
    .where('id', '=', Number(driverId))
    .executeTakeFirstOrThrow();
  const written = await writeEntries(db, accountId, [draft], () => LOG_OWNER, Date.now());
  if (!written.ok) throw new Error(written.refusal);
}

const record = (state: 'OFF' | 'ON' | 'D', at: number, log = `driver:${driverId}`): Promise<void> =>
  write({
    action: 'record',
    log,
    device: `vehicle:${vehicleId}` as const,
    by: 'eld',
    event: event(state, at, '', state === 'D' || log.startsWith('unidentified') ? 'automatic' : 'driver'),
  });

/** The date in the home terminal's time zone. */
const homeDate = (ms: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: LOG_OWNER.home.timeZone, dateStyle: 'short' }).format(ms);

const row = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Dana Whitlock' }) });

describe('the carrier’s logbook', () => {
  it('[R2.14] the desk shows live who drives and how long they still may; opens a log and proposes a change', async () => {
    // The vehicle's card has the same clocks.
    const { page, complaints } = await openHere(`/?vehicle=${TRUCK}&tab=hours`);
    const hours = page.getByRole('region', { name: 'Hours of Dana Whitlock' });
    await hours.getByText('Must stop driving by').waitFor();
    // Some minutes may have passed.
    await expect
      .poll(() => hours.textContent())
      .toMatch(/Driving for (2 h|1 h 59 m).*Drive left (8 hours 5\d minutes|9 hours)/);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'ELD' }).first().waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.waitForURL('**/eld');
    await row(page).getByText('Driving').waitFor({ state: 'attached' });
    await expect.poll(() => row(page).textContent()).toMatch(/Drive left (8 hours 5\d minutes|9 hours)/);
    await expectAccessible(page);

    // Another status recorded elsewhere appears without a reload.
    await record('ON', Math.floor(Date.now() / 1000) * 1000);
    await row(page).getByText('On duty', { exact: true }).waitFor({ state: 'attached' });

    await page.getByRole('button', { name: 'Dana Whitlock' }).click();
    await page.waitForURL(`**/eld/drivers/${driverId}`);
    const graph = page.getByRole('slider', { name: /^Duty status graph/ });
    await graph.focus();
    await page.keyboard.press('End');
    await expect.poll(() => graph.getAttribute('aria-valuetext')).toMatch(/^On duty, /);
    await page.getByRole('button', { name: 'Table' }).click();
    await page.getByRole('table', { name: /^Segments of/ }).waitFor();
    await expectAccessible(page);

    // Until a day is certified, the driver corrects the log.
    const propose = page.getByRole('button', { name: 'Propose a change' });
    await page.getByText('A change can be proposed once the driver has certified the day.').waitFor();
    await expect.poll(() => propose.getAttribute('aria-disabled')).toBe('true');
    const look = () => propose.evaluate(button => getComputedStyle(button).backgroundColor);
    const off = await look();
    await page.goto(`/eld/drivers/${driverId}?date=${worked}`);
    await page.getByText(/^Certified by/).waitFor();
    await expect.poll(look).not.toBe(off);
    await propose.click();
    const dialog = page.getByRole('dialog', { name: 'Propose a change' });
    await dialog.getByLabel('New status').selectOption('OFF');
    await dialog.getByRole('row', { name: /^Violations/ }).waitFor();
    await dialog.getByRole('button', { name: 'Send to driver' }).click();
    await dialog
      .getByText(/4 to 60 characters/)
      .first()
      .waitFor();
    await dialog.getByLabel('Reason').fill('Lunch at the depot');
    await dialog.getByRole('button', { name: 'Send to driver' }).click();
    await page.getByText('Waiting for driver').waitFor();
    // The whole log, the proposal included, is checked in the browser.
    await page.getByRole('button', { name: 'Verify this log' }).click();
    await page.getByText('records are complete, unchanged and allowed by the rules').waitFor();
    await expectAccessible(page);
    await page.goto('/eld?tab=proposals');
    await page.getByRole('cell', { name: 'Lunch at the depot' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('[R2.14] unidentified driving is annotated, with errors beside the field', async () => {
    const now = Math.floor(Date.now() / 1000) * 1000;
    await record('D', now - 5 * HOUR, `unidentified:${vehicleId}`);
    await record('ON', now - 4 * HOUR, `unidentified:${vehicleId}`);
    const { page } = await openHere('/eld');
    await page.getByRole('button', { name: /min unidentified/ }).click();
    await page.getByRole('button', { name: /^Annotate driving of 4127/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Remark').fill('abc');
    await dialog.getByRole('button', { name: 'Save remark' }).click();
    await expect.poll(() => dialog.getByLabel('Remark').getAttribute('aria-invalid')).toBe('true');
    await dialog.getByLabel('Remark').fill('Moved by the shop');
    await dialog.getByRole('button', { name: 'Save remark' }).click();
    await page.getByText('Annotated').waitFor();
    await expectAccessible(page);
  });

  it('[R2.15] the roster opens a driver, whose settings are saved and shown in the list', async () => {
    const { page } = await openHere('/eld/drivers');
    await page.getByRole('button', { name: 'Dana Whitlock' }).click();
    const drawer = page.getByRole('complementary', { name: 'Dana Whitlock' });
    await drawer.getByLabel('Rule set').selectOption('US_PROPERTY_60_7');
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.getByRole('definition').filter({ hasText: 'USA property, 60 h / 7 days' }).waitFor();
  });

  it('[R2.16] a score shows how it was computed, and a coaching note is added and completed', async () => {
    const { page, complaints } = await openHere('/eld/performance');
    await page.getByText(/^Score = 100 minus points/).waitFor();
    await page.getByRole('button', { name: 'Dana Whitlock' }).click();
    const drawer = page.getByRole('complementary', { name: 'Dana Whitlock' });
    await drawer.getByRole('button', { name: 'Add note' }).click();
    await drawer.getByLabel('What to work on').fill('Distance to the vehicle ahead on I-81');
    await drawer.getByRole('button', { name: 'Add note' }).click();
    await drawer.getByText('Distance to the vehicle ahead on I-81').waitFor();
    await expectAccessible(page);
    await drawer.getByRole('button', { name: 'Mark done' }).click();
    await drawer.getByText(/· done \w/).waitFor();
    expect(complaints).toEqual([]);
  });
});
