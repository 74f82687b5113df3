import { createHmac } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAlert } from '../apps/server/testing/alerts.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../apps/server/testing/webhook-receiver.ts';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { describedText } from './support/fields.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { addVehicles } from './support/tracker.ts';

leaveMapsOut();

let browser: Browser;
let milepost: Milepost;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  [browser, milepost] = await Promise.all([
    launchBrowser(),
    startMilepost({ webhooks: { http: true, networks: ['127.0.0.1'] } }),
  ]);
  await addVehicles(milepost, [{ imei: '356307042441013', deviceName: '4127' }]);
});
afterAll(async () => {
  await Promise.all([browser?.close(), milepost?.close()]);
  await receiver?.close();
});

const openHere = samePage(() => ({ browser, milepost }));

async function openWebhooks(): Promise<Page> {
  const { page } = await openHere('/settings/webhooks');
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
  return page;
}

async function sendAlert(): Promise<void> {
  const { context } = milepost.app;
  const vehicle = await context.db.system.selectFrom('vehicle').select(['id', 'account_id']).executeTakeFirstOrThrow();
  await addAlert({ context }, vehicle.account_id, vehicle.id);
}

it('a webhook is added, tested, and receives an alert with a signature that its secret verifies', async () => {
  const page = await openWebhooks();
  await page.getByText('No webhooks yet.').waitFor();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Dispatch');
  const address = dialog.getByLabel('Address');
  await address.fill('https://10.0.0.7/hook');
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  await expect.poll(() => address.evaluate(describedText)).toContain('private network');
  await address.fill(`${receiver.url}/hook`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Add webhook' }).click();
  const secret = (await dialog.locator('code').textContent()) ?? '';
  expect(secret).toMatch(/^whsec_/);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I copied it' }).click();
  await page.reload();
  await page.getByRole('heading', { level: 2, name: 'Dispatch' }).waitFor();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('button', { name: 'Send a test to Dispatch' }).click();
  await page.getByText(/^Test delivered\. answered 200/).waitFor();

  // The receiver is down for a moment: the page shows it, and the alert is sent again by hand.
  receiver.answer(503);
  await sendAlert();
  const row = page.getByRole('listitem').filter({ hasText: 'SOS' });
  await row.getByText('Waiting', { exact: true }).waitFor();
  await row.getByText(/answered 503/).waitFor();
  await row.getByText('code 503').waitFor();
  await expectAccessible(page);
  receiver.answer(200);
  await row.getByRole('button', { name: /^Send now/ }).click();
  await row.getByText('Delivered', { exact: true }).waitFor();

  const post = receiver.posts.at(-1);
  const [, time, signature] = /^t=(\d+),v1=(\w+)$/.exec(String(post?.headers['milepost-signature'])) ?? [];
  expect(createHmac('sha256', secret).update(`${time}.${post?.body}`).digest('hex')).toBe(signature);
  expect(JSON.parse(post?.body ?? '').alert).toMatchObject({ kind: 'sos', deviceName: '4127' });
});

it('a webhook is edited, turned off, gets another secret, and is deleted', async () => {
  const page = await openWebhooks();
  await page.getByRole('button', { name: 'Edit Dispatch' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('switch', { name: 'Every kind of alert' }).uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Choose at least one.').waitFor();
  await dialog.getByRole('checkbox', { name: 'Crash' }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Critical, Warning · Crash').waitFor();

  await page.getByRole('button', { name: 'Replace secret of Dispatch' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Replace secret' }).click();
  await page
    .getByRole('dialog')
    .getByText(/^whsec_/)
    .waitFor();
  await page.getByRole('button', { name: 'I copied it' }).click();

  const on = page.getByRole('switch', { name: 'Send alerts to Dispatch' });
  const turned = page.waitForResponse(response => response.request().method() === 'PATCH');
  await on.click();
  await expect.poll(() => on.isChecked()).toBe(false);
  // A page that is left at once may take its request with it.
  await turned;
  await page.reload();
  await expect.poll(() => on.isChecked()).toBe(false);
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Delete Dispatch' }).click();
  await page.getByLabel('Type “Dispatch” to confirm').fill('Dispatch');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No webhooks yet.').waitFor();
});
