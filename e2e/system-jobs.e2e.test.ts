import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles } from './support/tracker.ts';

leaveMapsOut();

const TRUCK = '356307042441013';

let browser: Browser;
let milepost: Milepost;
beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
  await addVehicles(milepost, [{ imei: TRUCK, deviceName: '4127' }]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

it('Settings › System shows a job that starts elsewhere, runs recurring work now, and sets up the backup', async () => {
  const { page, token } = await visitSignedIn(browser, milepost.url);
  await page.goto('/settings/system');
  await page.getByText('Nothing was started in the last seven days.').waitFor();
  await fetch(`${milepost.url}/api/v1/command_run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ imeis: [TRUCK], action: 'trackOnDemand' }),
  });
  const job = page.getByRole('listitem').filter({ hasText: 'Command to several vehicles' });
  await job.getByText('Done').waitFor();
  await job.getByText(/^1 of 1/).waitFor();
  // Each has a name that people read beside the one that the database knows.
  const rows = page.getByRole('listitem').filter({ has: page.locator('code') });
  await rows.filter({ hasText: 'old-jobs' }).waitFor();
  for (const row of await rows.filter({ has: page.locator('b') }).all()) {
    const [name, code] = [await row.locator('b').textContent(), await row.locator('code').textContent()];
    expect(name, `the name of ${code}`).not.toBe(code);
  }
  const work = page.getByRole('listitem').filter({ hasText: 'old-jobs' });
  await work.getByText(/Not run yet/).waitFor();
  await work.getByRole('button', { name: 'Run now' }).click();
  await page.getByText('It starts in a few seconds.').waitFor();
  await work.getByText(/^Last run/).waitFor();
  await expectAccessible(page);

  const backups = mkdtempSync(join(tmpdir(), 'milepost-backups-'));
  try {
    await page.getByText('No backup is set up.').waitFor();
    await page.getByRole('button', { name: 'Set up a backup…' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Folder', { exact: true }).fill('backups');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Enter the whole path of the folder').waitFor();
    await form.getByLabel('Folder', { exact: true }).fill(join(backups, 'gone'));
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Is its disk mounted?').waitFor();
    await form.getByLabel('Folder', { exact: true }).fill(backups);
    await form.getByRole('button', { name: 'Save' }).click();
    const key = page.getByRole('alertdialog');
    await key.getByText(/^([a-z2-9]{7}-){7}[a-z2-9]{7}$/).waitFor();
    await expectAccessible(page);
    await key.getByRole('button', { name: 'I have written it down' }).click();
    await page.getByText(backups, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop backing up…' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop backing up' }).click();
    await page.getByText('No backup is set up.').waitFor();
  } finally {
    rmSync(backups, { recursive: true });
  }
});
