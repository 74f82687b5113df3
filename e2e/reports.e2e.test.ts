import { readFile } from 'node:fs/promises';
import { createHttpClient } from '@milepost/client';
import { deleteReportRun, listReportRuns, listReports, runRepeatedJob } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import { readXlsx } from 'hucre';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Mailbox, openMailbox, textOf } from './support/mailbox.ts';
import { type Milepost, OWNER, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { tokenOf, visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

const [TRUCK, QUIET] = ['356307042441013', '356938035643809'];
const MINUTE = 60_000;

let browser: Browser;
let mailbox: Mailbox;
let milepost: Milepost;
beforeAll(async () => {
  mailbox = await openMailbox();
  [browser, milepost] = await Promise.all([
    launchBrowser(),
    startMilepost({ gateways: new Map([['teltonika', 0]]), smtpUrl: mailbox.url }),
  ]);
  await addVehicles(milepost, [
    { imei: TRUCK, deviceName: '4127' },
    { imei: QUIET, deviceName: '4151' },
  ]);
  // Two days before the test: twenty minutes north, then parked.
  const begin = Date.now() - 48 * 60 * MINUTE;
  const drive = Array.from({ length: 25 }, (_, i) =>
    fix(
      begin + i * MINUTE,
      { lat: LOOP.lat + Math.min(i, 20) * 0.0065, lon: LOOP.lon },
      { speed: metresPerSecond(i < 20 ? 12 : 0), ignition: i < 20 },
    ),
  );
  await report(milepost, TRUCK, ...drive);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close(), mailbox?.close()]));

const openHere = samePage(() => ({ browser, milepost }));

const rows = (page: Page) => page.getByRole('region', { name: 'Trips' }).locator('tbody tr');

async function exported(page: Page, format: RegExp, title = 'Trips'): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: format }).click();
  const toast = page.getByText(`The report ${title} is ready.`, { exact: true });
  await toast.waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const saved = await download;
  return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
}

describe('[R2.04] reports', () => {
  it('are chosen, read and filtered, and the same address shows the same report', async () => {
    const { page } = await openHere('/reports');
    await page.getByRole('heading', { name: 'Trips', exact: true }).waitFor();
    await page.waitForURL(/\/reports\/trips\?from=\d{4}-\d\d-\d\d&to=\d{4}-\d\d-\d\d&group=vehicle$/);
    // The line of the vehicle, and its trip.
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByText('1 vehicle sent nothing in this period:').waitFor();
    await page.getByRole('rowheader', { name: '4127 1 row' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Totals only').click();
    await page.waitForURL(/&rows=none$/);
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByLabel('Totals only').click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByLabel('Group by').selectOption('');
    await page.getByRole('link', { name: '4127: show what this is made from' }).waitFor();
    await page.getByLabel('Group by').selectOption('vehicle');
    await page.getByRole('rowheader', { name: '4127 1 row' }).waitFor();

    const { page: other } = await visitSignedIn(browser, milepost.url);
    await other.goto(page.url());
    await other.getByRole('rowheader', { name: '4127 1 row' }).waitFor();
    const texts = await rows(page).allInnerTexts();
    await expect.poll(() => rows(other).allInnerTexts()).toEqual(texts);

    await page.getByRole('link', { name: 'Daily summary' }).click();
    await page.getByRole('heading', { name: 'Daily summary' }).waitFor();
    // A day links to its trips.
    await page
      .getByRole('link', { name: /: show what this is made from$/ })
      .first()
      .click();
    await page.waitForURL(/\/reports\/trips\?from=(\d{4}-\d\d-\d\d)&to=\1&vehicles=\d+$/);
    // Groups are also bars; both vehicles have a group, the one without data an empty bar.
    await page.goto('/reports/mileage');
    const chart = page.getByRole('region', { name: 'Chart' });
    await chart.getByRole('img', { name: /^Bar chart of Distance/ }).waitFor();
    await page.getByLabel('Group by').selectOption('vehicle');
    await chart.getByRole('img', { name: /^Bar chart of Distance/ }).waitFor();
    await chart.getByRole('button', { name: 'Driving', exact: true }).click();
    await chart.getByRole('img', { name: /^Bar chart of Driving/ }).waitFor();
    await expectAccessible(page);
  });

  it('say why they are empty, with a link to the vehicle', async () => {
    const { page } = await openHere('/reports/trips');
    await page.getByRole('button', { name: 'All vehicles' }).click();
    await page.getByLabel('4151').click();
    await page.getByRole('heading', { name: 'No data in this period' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: /device health/ }).click();
    await page.waitForURL(/\/reports\/device-health\?from=/);
    await page.goBack();
    await page.getByRole('heading', { name: 'No data in this period' }).waitFor();
    await page.getByRole('link', { name: '4151' }).click();
    await page.waitForURL(/\/assets\?open=\d+/);
  });

  it('are saved under a name, with a period that stays "yesterday"', async () => {
    const { page } = await openHere('/reports/stops');
    await page.getByLabel('Period', { exact: true }).selectOption('yesterday');
    await page.waitForURL(/\?from=(\d{4}-\d\d-\d\d)&to=\1&group=vehicle$/);
    await page.getByRole('button', { name: 'Save this report' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Stops of yesterday');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // A page that is left at once may take its request with it.
    await page.getByRole('link', { name: 'Stops of yesterday' }).waitFor();
    await page.goto('/reports/trips');
    await page.getByRole('link', { name: 'Stops of yesterday' }).click();
    await page.waitForURL(/\/reports\/stops\?from=(\d{4}-\d\d-\d\d)&to=\1&group=vehicle$/);
    await expect.poll(() => page.getByLabel('Period', { exact: true }).inputValue()).toBe('yesterday');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Delete Stops of yesterday' }).click();
    await page.getByRole('link', { name: 'Stops of yesterday' }).waitFor({ state: 'detached' });
  });

  it('are scheduled, listed with their next run, mailed when they are due, and ended', async () => {
    const { system } = milepost.app.context.db;
    await system.updateTable('app_user').set({ email: 'nora@rockfish.example' }).execute();
    const { page } = await openHere('/reports/daily-summary');
    await page.getByRole('button', { name: 'Export', exact: true }).waitFor();
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Monday mileage');
    await dialog.getByLabel('How often').selectOption('week');
    await dialog.getByLabel('At', { exact: true }).fill('06:30');
    await dialog.getByLabel('About').selectOption('lastWeek');
    await dialog.getByLabel(/^Attach the file/).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText('Monday mileage is scheduled.').waitFor();
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    const schedules = page.getByRole('list', { name: 'Your schedules' }).getByRole('listitem');
    await schedules.filter({ hasText: 'Every week Monday 06:30 · Last week · XLSX · attached' }).waitFor();
    await system
      .updateTable('report_schedule')
      .set({ next_at: new Date(Date.now() - MINUTE) })
      .execute();
    const token = await tokenOf(milepost.url, OWNER);
    const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
    await http.call(runRepeatedJob, { params: { name: 'scheduled-reports' } });
    await expect.poll(() => mailbox.mails.length).toBe(1);
    expect(textOf(mailbox.mails[0] ?? '')).toMatch(
      /Monday_mileage[\s\S]*The file is attached\.[\s\S]*filename=daily-summary-[-\d]+\.xlsx/,
    );
    await page.getByRole('button', { name: 'End the schedule Monday mileage' }).click();
    await expect.poll(() => schedules.count()).toBe(0);
    for (const { id } of await http.call(listReportRuns)) await http.call(deleteReportRun, { params: { id } });
  });

  it('are exported to files in the background, with a notice when they are ready', async () => {
    const { page } = await openHere('/reports/trips');
    await rows(page).first().waitFor();
    const csv = await exported(page, /^CSV/);
    expect(csv.name).toMatch(/^trips-.*\.csv$/);
    expect(csv.bytes.toString()).toContain('4127');
    const { sheets } = await readXlsx((await exported(page, /^Excel/)).bytes);
    expect(sheets[0]?.rows.some(([name]) => name === '4127')).toBe(true);
    const pdf = await exported(page, /^PDF/);
    expect(pdf.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const json = JSON.parse((await exported(page, /^JSON/)).bytes.toString());
    expect(json.rows).toMatchObject([{ vehicle: '4127' }]);

    await page.getByRole('button', { name: 'Files (4)' }).click();
    const files = page.getByRole('dialog').getByRole('listitem');
    await expect.poll(() => files.filter({ hasText: 'Ready' }).count()).toBe(4);
    await expectAccessible(page);
    await page
      .getByRole('button', { name: /^Delete Trips/ })
      .first()
      .click();
    await expect.poll(() => files.count()).toBe(3);
  });

  it('are exported from the page of each to each format', { tags: ['long'], timeout: 1_800_000 }, async () => {
    const token = await tokenOf(milepost.url, OWNER);
    const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
    const reports = await http.call(listReports);
    expect(reports.length).toBeGreaterThan(25);
    for (const { columns, key, title } of reports) {
      const { page } = await openHere(`/reports/${key}`);
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
      const first = columns[0]?.title ?? '';
      const [csv, pdf, json] = [
        await exported(page, /^CSV/, title),
        await exported(page, /^PDF/, title),
        await exported(page, /^JSON/, title),
      ];
      expect([key, csv.name, csv.bytes.toString()]).toEqual([
        key,
        expect.stringMatching(/\.csv$/),
        expect.stringContaining(first),
      ]);
      expect([key, pdf.bytes.subarray(0, 5).toString()]).toEqual([key, '%PDF-']);
      expect([key, JSON.parse(json.bytes.toString())]).toEqual([
        key,
        expect.objectContaining({ rows: expect.any(Array) }),
      ]);
      const { sheets } = await readXlsx((await exported(page, /^Excel/, title)).bytes);
      expect([key, sheets[0]?.rows.flat()]).toEqual([key, expect.arrayContaining([expect.stringContaining(first)])]);
    }
  });
});
