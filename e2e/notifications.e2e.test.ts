import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAlert } from '../apps/server/testing/alerts.ts';
import { expectAccessible, inColors, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { describedText, isFocused } from './support/fields.ts';
import { type Mailbox, openMailbox } from './support/mailbox.ts';
import { type Milepost, OWNER, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles } from './support/tracker.ts';

leaveMapsOut();

const EMAIL = 'nora@rockfish.example';
/** Alerts are collected for 10 seconds before they are mailed. */
const MAIL_TIMEOUT = { timeout: 90_000, interval: 500 };

let browser: Browser;
let mailbox: Mailbox;
let milepost: Milepost;

beforeAll(async () => {
  mailbox = await openMailbox();
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ smtpUrl: mailbox.url })]);
  await addVehicles(milepost, [{ imei: '356307042441013', deviceName: '4127' }]);
  await milepost.app.context.db.system
    .updateTable('app_user')
    .set({ email: EMAIL })
    .where('user_name', '=', OWNER.name)
    .execute();
});
afterAll(async () => {
  await Promise.all([browser?.close(), milepost?.close()]);
  await mailbox?.close();
});

const openHere = samePage(() => ({ browser, milepost }));

async function open(path: string): Promise<Page> {
  const { page } = await openHere(path);
  await page.getByRole('heading', { level: 1, name: 'Notifications' }).waitFor();
  return page;
}
const save = (page: Page) => page.getByRole('button', { name: /^Save/ }).click();
const saved = (page: Page) => page.getByText('Saved.').first().waitFor();
const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true });

describe('notifications', () => {
  it('[R5.03] the organization’s form says what is wrong beside the field, loses nothing, and is saved', async () => {
    const page = await open('/settings/notifications');
    await page.getByRole('switch', { name: 'Send alerts by email' }).check();
    await expect.poll(() => box(page, 'Crash, by email').isChecked()).toBe(true);
    await box(page, 'All: Warning, by email').check();
    await box(page, 'Door opened, by email').uncheck();
    await expect.poll(() => box(page, 'Silent, by email').isChecked()).toBe(true);
    await page.getByRole('switch', { name: 'Use quiet hours' }).check();
    const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })];
    await expect.poll(() => from.inputValue()).toBe('22:00');
    await to.fill('22:00');
    const minutes = page.getByLabel('After how many minutes');
    await minutes.fill('2');
    await save(page);
    await expect.poll(() => to.evaluate(describedText)).toContain('Quiet hours must start and end at different times.');
    await expect.poll(() => minutes.evaluate(describedText)).toContain('whole minutes from 5 to 1,440');
    await expect.poll(() => isFocused(to)).toBe(true);
    await expect.poll(() => minutes.inputValue()).toBe('2');
    await from.fill('');
    await save(page);
    await expect.poll(() => from.evaluate(describedText)).toContain('Enter the time as hours and minutes');
    expect(await box(page, 'Door opened, by email').isChecked()).toBe(false);
    await page.getByRole('link', { name: 'Privacy' }).click();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await from.fill('21:30');
    await to.fill('05:45');
    await minutes.fill('30');
    await save(page);
    await saved(page);
    await page.reload();
    await expect.poll(() => from.inputValue()).toBe('21:30');
    await expect.poll(() => minutes.inputValue()).toBe('30');
    expect(await box(page, 'Door opened, by email').isChecked()).toBe(false);
    await page.getByText('Changed by nora.kessler').waitFor();
    await expectAccessible(page);
  });

  it('a test e-mail can be sent to the current user', async () => {
    const page = await open('/settings/notifications');
    await page.getByRole('button', { name: 'Send a test email' }).click();
    await page.getByText(`Sent to ${EMAIL}.`).waitFor();
    await expect.poll(() => mailbox.mails.at(-1)).toContain('Subject: Test email from Milepost');
  });

  it('[R2.10] a user’s notifications follow the organization’s until they choose, by kind and hours', async () => {
    const page = await open('/profile/notifications');
    await expect.poll(() => box(page, 'Speeding, by email').isChecked()).toBe(true);
    await expect.poll(() => box(page, 'Speeding, by email').isDisabled()).toBe(true);
    await page.getByText('21:30 to 05:45, America/Chicago').waitFor();
    await page.getByLabel('Which alerts').selectOption('own');
    // Only some kinds are chosen: the first click chooses all.
    await box(page, 'All: Warning, by email').check();
    await box(page, 'All: Warning, by email').uncheck();
    await box(page, 'Tracker geofence, by email').check();
    await page.getByLabel('Schedule').selectOption('own');
    await page.getByLabel('From', { exact: true }).fill('');
    await save(page);
    const from = page.getByLabel('From', { exact: true });
    await expect.poll(() => from.evaluate(describedText)).toContain('Enter the time as hours and minutes');
    await expect.poll(() => isFocused(from)).toBe(true);
    await expect.poll(() => box(page, 'Tracker geofence, by email').isChecked()).toBe(true);
    await page.getByLabel('Schedule').selectOption('none');
    await save(page);
    await saved(page);
    await page.reload();
    await expect.poll(() => page.getByLabel('Schedule').inputValue()).toBe('none');
    await expect.poll(() => box(page, 'Tracker geofence, by email').isChecked()).toBe(true);
    expect(await box(page, 'Speeding, by email').isChecked()).toBe(false);
    await expectAccessible(page);
  });

  it('an alert is mailed although the server stopped before sending it, with a link that opens it', async () => {
    const { db } = milepost.app.context;
    const vehicle = await db.system.selectFrom('vehicle').select(['id', 'account_id']).executeTakeFirstOrThrow();
    await addAlert(milepost.app, vehicle.account_id, vehicle.id);
    await milepost.restart();
    await expect.poll(() => mailbox.mails.filter(mail => mail.includes('/alerts?q')).length, MAIL_TIMEOUT).toBe(1);
    const mail = mailbox.mails
      .find(each => each.includes('/alerts?q'))
      ?.replace(/=\r\n/g, '')
      .replaceAll('=3D', '=');
    const link = /\/alerts\?q=4127&kind=sos/.exec(mail ?? '')?.[0] ?? '';
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto(link);
    await page.getByRole('row', { name: /SOS button pressed.*4127/ }).waitFor();
    const settings = await open('/settings/notifications');
    await settings.getByText('0 alerts').waitFor();
    await settings.getByText('Nothing yet').waitFor({ state: 'detached' });
  });

  it('work by keyboard alone, on a phone and in dark mode', async () => {
    const page = await open('/settings/notifications');
    await page.setViewportSize({ width: 390, height: 844 });
    await inColors(page, 'dark');
    await page.getByRole('switch', { name: 'Send alerts by email' }).focus();
    await page.keyboard.press('Tab');
    await expect.poll(() => isFocused(box(page, 'All: Critical, by email'))).toBe(true);
    await page.keyboard.press('Space');
    await expect.poll(() => box(page, 'Crash, by email').isChecked()).toBe(false);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => box(page, 'Crash, by email').isChecked()).toBe(true);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
