import { createHmac } from 'node:crypto';
import type { HttpClient } from '@milepost/client';
import {
  createGeofence,
  createRule,
  createWebhook,
  DEFAULT_NOTIFICATION_SETTINGS,
  listAlerts,
  listBuiltInRules,
  listRules,
  updateNotificationSettings,
} from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pushBrowser } from '../apps/server/testing/push-browser.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../apps/server/testing/webhook-receiver.ts';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Mailbox, openMailbox, textOf } from './support/mailbox.ts';
import { type Milepost, OWNER, startMilepost } from './support/milepost.ts';
import { openPushProfile, push, shown } from './support/push.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

const [IMEI, TRUCK] = ['356307042441013', 'Truck 12'];
const HOUR = 3_600_000;

let mailbox: Mailbox;
/** A webhook's receiver, and the push service. */
let receiver: WebhookReceiver;
let browser: Browser;
let milepost: Milepost;
let call: HttpClient['call'];
let dock: string;

leaveMapsOut();
beforeAll(async () => {
  [mailbox, receiver] = await Promise.all([openMailbox(), startWebhookReceiver()]);
  const gateways = new Map([['teltonika', 0]] as const);
  [browser, milepost] = await Promise.all([
    launchBrowser(),
    startMilepost({ gateways, smtpUrl: mailbox.url, webhooks: { http: true, networks: ['127.0.0.1'] } }),
  ]);
  ({ call } = await ownerApi(milepost));
  await addVehicles(milepost, [{ imei: IMEI, deviceName: TRUCK }]);
  await milepost.app.context.db.system
    .updateTable('app_user')
    .set({ email: 'nora@rockfish.example' })
    .where('user_name', '=', OWNER.name)
    .execute();
  const shape = { kind: 'circle' as const, center: [LOOP.lon, LOOP.lat] as [number, number], radiusM: 200 };
  dock = (await call(createGeofence, { body: { name: 'Loop dock', shape } })).id;
});
afterAll(async () => {
  await Promise.all([browser?.close(), milepost?.close()]);
  await Promise.all([mailbox?.close(), receiver?.close()]);
});

/** From one distance north of the dock to another, in meters, with a fix every 100 m. */
const drive = (startMs: number, from: number, to: number, seconds = 5) =>
  Array.from({ length: Math.abs(to - from) / 100 + 1 }, (_, i) => {
    const meters = from + i * 100 * Math.sign(to - from);
    const place = { ...LOOP, lat: LOOP.lat + meters / 111_200 };
    return fix(startMs + i * seconds * 1000, place, { speed: metresPerSecond(100 / seconds) });
  });

const sentence = (page: Page) => page.getByRole('region', { name: 'The rule' });

async function change(page: Page, word: string): Promise<void> {
  await sentence(page)
    .getByRole('button', { name: new RegExp(`^${word}: `) })
    .click();
}

it('[R2.08] [R7.37] a rule is written, tested on the past, turned on, and alerts in another browser, by email, push and webhook', async () => {
  const now = Date.now();
  await report(milepost, IMEI, ...drive(now - 3 * HOUR, -1000, 1500), ...drive(now - 2 * HOUR, 1500, -1000));
  await report(milepost, IMEI, ...drive(now - 600_000, -1000, 0));
  const { page } = await visitSignedIn(browser, milepost.url);
  await page.goto(`/geo-fence?open=${dock}`);
  await page.getByRole('tab', { name: 'Rules' }).click();
  await page.getByText('No rule is about this geofence.').waitFor();
  await page.getByRole('link', { name: 'Add a rule' }).click();

  await sentence(page).getByText('Loop dock').waitFor();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Name' }).fill('Left the dock');
  await change(page, 'What happens');
  await page.getByRole('radio', { name: 'Leaves a geofence', exact: true }).check();
  await page.keyboard.press('Escape');
  await change(page, 'How long');
  await page.getByRole('textbox', { name: 'Minutes' }).fill('-1');
  await page.keyboard.press('Escape');
  await page.getByText('Complete the sentence first.').waitFor();
  await page.getByRole('button', { name: 'Turn on' }).click();
  await sentence(page)
    .getByRole('alert')
    .getByText(/^Enter whole minutes from 0/)
    .waitFor();
  await change(page, 'How long');
  await page.getByRole('textbox', { name: 'Minutes' }).fill('0');
  await page.keyboard.press('Escape');
  await sentence(page).getByText('even briefly').waitFor();
  await page.getByRole('textbox', { name: 'What to do' }).fill('Call the driver.');
  // What else must be true, with the keyboard alone.
  await sentence(page)
    .getByRole('button', { name: /^Only if: / })
    .press('Enter');
  const first = page.getByRole('group', { name: 'Only if all of this is true' });
  await first.getByRole('checkbox', { name: 'How fast' }).press('Space');
  await first.getByRole('textbox', { name: /^At least this fast/ }).fill('150');
  await page.getByRole('button', { name: 'Add an “or”' }).press('Enter');
  const second = page.getByRole('group', { name: 'Or if all of this is true' });
  await second.getByRole('checkbox', { name: 'Which vehicle' }).press('Space');
  await second.getByRole('combobox', { name: 'Vehicles' }).fill(TRUCK);
  await page.getByRole('option', { name: TRUCK }).and(page.locator('[data-highlighted]')).waitFor();
  await page.keyboard.press('Enter');
  await second.getByRole('button', { name: `Remove ${TRUCK}` }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await sentence(page).getByText('at 150\u202fmph or faster, or for Truck 12').waitFor();

  const test = page.getByRole('region', { name: 'Try it on the past' });
  await test.getByRole('button', { name: 'Run the test' }).click();
  await test.getByText(/^Done in/).waitFor();
  await test.getByText('2 times with the words above').waitFor();
  await test.getByText('1 of 2').waitFor();
  await test.getByRole('button', { name: 'Next alert' }).click();
  await test.getByText('2 of 2').waitFor();
  await expectAccessible(page);
  await change(page, 'Severity');
  await page.getByRole('radio', { name: 'Critical' }).check();
  await page.keyboard.press('Escape');
  await change(page, 'How long');
  await page.getByRole('textbox', { name: 'Minutes' }).fill('1');
  await page.keyboard.press('Escape');
  await test.getByText('You changed the rule since this test. Run it again.').waitFor();
  await change(page, 'How long');
  await page.getByRole('textbox', { name: 'Minutes' }).fill('0');
  await page.keyboard.press('Escape');
  await test.getByText('You changed the rule since this test.').waitFor({ state: 'hidden' });
  await change(page, 'Who gets the email');
  await page.getByRole('radio', { name: 'Only these people' }).check();
  await page.getByRole('checkbox').first().check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('Left the dock is on.').waitFor();
  expect(await call(listRules)).toMatchObject([
    {
      name: 'Left the dock',
      isOn: true,
      severity: 'critical',
      trigger: { kind: 'exit', minutes: 0 },
      geofenceIds: [dock],
      mailTo: [expect.any(String)],
    },
  ]);
  // Events before it was turned on cause no alerts.
  expect((await call(listAlerts, { query: {} })).alerts).toEqual([]);

  await call(updateNotificationSettings, { body: { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true, kinds: [] } });
  const { secret } = await call(createWebhook, {
    body: { name: 'Desk', url: `${receiver.url}/hook`, severities: ['critical'] },
  });
  const keys = pushBrowser();
  const phone = await openPushProfile({ browser, url: milepost.url }, `${receiver.url}/push`, keys);
  await phone.getByRole('button', { name: 'Turn on in this browser' }).click();
  await phone.getByText('This browser', { exact: true }).waitFor();
  const { page: other } = await visitSignedIn(browser, milepost.url);
  await other.goto('/alerts');
  await other.getByText('No open alerts').first().waitFor();
  // The vehicle leaves the dock some seconds after this report, so the alert is a live one.
  await report(milepost, IMEI, ...drive(Date.now(), 0, 600, 2));
  await other.getByText('Left the dock').first().waitFor();
  await expect.poll(() => mailbox.mails.map(textOf).join('\n')).toContain('Call the driver.');
  const posted = async (path: string) => {
    await expect.poll(() => receiver.posts.some(post => post.path === path)).toBe(true);
    return receiver.posts.find(post => post.path === path);
  };
  await push(phone, keys.read((await posted('/push'))?.bytes ?? Buffer.alloc(0)));
  await expect
    .poll(() => shown(phone))
    .toMatchObject([
      {
        title: 'Critical · Left the dock · Truck 12',
        body: expect.stringContaining('When any vehicle leaves Loop dock'),
      },
    ]);
  const hook = await posted('/hook');
  const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(hook?.headers['milepost-signature'])) ?? [];
  expect(createHmac('sha256', secret).update(`${time}.${hook?.body}`).digest('hex')).toBe(signature);
  expect(JSON.parse(hook?.body ?? '').alert).toMatchObject({ deviceName: TRUCK, rule: { name: 'Left the dock' } });
  await page.getByText('1 alert in the last 7 days.').waitFor();

  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Left the dock saved. It is off.').waitFor();
  await page.getByRole('button', { name: 'Delete rule' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click();
  await page.getByText('Left the dock deleted.').waitFor();
  await page.getByText('No rules yet').waitFor();
});

it('[R2.08] rules can be read on a phone, and the search finds them by their words', async () => {
  await call(createRule, { body: { name: 'Fast', trigger: { kind: 'speed', kmh: 112.65, seconds: 60 } } });
  await call(createRule, {
    body: { name: 'Missing', trigger: { kind: 'absent', at: '08:00', days: [1, 2, 3, 4, 5] }, geofenceIds: [dock] },
  });
  const { page } = await visitSignedIn(browser, milepost.url, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await page.goto('/rules');
  const list = page.getByRole('region', { name: 'Rules' });
  await list.getByRole('button', { name: /Missing.*is not in Loop dock at 08:00 on weekdays/ }).waitFor();
  await page.getByRole('textbox', { name: 'Search rules' }).fill('70 mph');
  await list.getByRole('button', { name: /Missing/ }).waitFor({ state: 'hidden' });
  await list.getByRole('button', { name: /Fast/ }).tap();
  await sentence(page).getByText('goes faster than').waitFor();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.goBack();
  await list.getByRole('button', { name: /Fast/ }).waitFor();
  // What was typed is in the address only after a pause.
  await page.getByRole('textbox', { name: 'Search rules' }).fill('');
  await list.getByRole('button', { name: /Missing/ }).waitFor();

  // What is alerted without a rule can be changed, too.
  await page.getByText('Built in', { exact: true }).tap();
  await list.getByRole('button', { name: /Vibration.*the tracker of any vehicle reports/ }).tap();
  await page.getByText('There were 0 alerts in the last 30 days.').waitFor();
  await change(page, 'Severity');
  await page.getByRole('radio', { name: 'Information' }).check();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save', exact: true }).tap();
  await page.getByText('Vibration saved.').waitFor();
  await page.getByRole('button', { name: 'Turn off' }).tap();
  await page.getByText('Vibration is off. It alerts nobody.').waitFor();
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  const vibration = (await call(listBuiltInRules)).find(({ kind }) => kind === 'vibration');
  expect(vibration).toMatchObject({ isOn: false, severity: 'info' });
});
