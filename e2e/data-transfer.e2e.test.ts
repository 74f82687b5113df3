import { readFile } from 'node:fs/promises';
import { acceptInvitation, createRole, deleteVehicle, listVehicles, registerUser } from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { goTo, samePage } from './support/same-page.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles } from './support/tracker.ts';

leaveMapsOut();

const TRUCK = '356307042441013';
const READER = { name: 'g.kline', password: 'interstate 81 northbound' };

let browser: Browser;
let milepost: Milepost;
let file: string;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
  await addVehicles(milepost, [{ imei: TRUCK, deviceName: '4127' }]);
  const { call } = await ownerApi(milepost);
  const role = await call(createRole, {
    body: { name: 'Archivist', basedOn: 'admin', permissions: ['vehicles.read', 'data.read'] },
  });
  const { invitation } = await call(registerUser, {
    body: { displayName: 'Gus Kline', userName: READER.name, role: 'admin', customRoleId: role.id },
  });
  const token = new URLSearchParams(new URL(invitation?.url ?? '').hash.slice(1)).get('invitation') ?? '';
  await call(acceptInvitation, { body: { token, password: READER.password } });
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const openHere = samePage(() => ({ browser, milepost }));

async function open(): Promise<Page> {
  const { page } = await openHere('/settings/data');
  return shown(page);
}
async function openElsewhere(who?: { readonly name: string; readonly password: string }): Promise<Page> {
  const { page } = await visitSignedIn(browser, milepost.url, {}, who);
  await page.goto('/settings/data');
  return shown(page);
}
async function shown(page: Page): Promise<Page> {
  await page.getByRole('heading', { name: 'Data', exact: true }).waitFor();
  return page;
}
const exportsIn = (page: Page) => page.getByRole('list', { name: 'Exports' }).getByRole('listitem');

it('an export appears in every browser, is downloaded, and deleted', async () => {
  const [page, other] = [await open(), await openElsewhere()];
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  for (const each of [page, other]) {
    await exportsIn(each).filter({ hasText: 'Done' }).waitFor();
    await each.getByText(/KB · \d+ rows · with positions/).waitFor();
    await each.getByText(/^Available until/).waitFor();
  }
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^milepost-\d{4}-\d\d-\d\d\.ndjson$/);
  file = (await readFile(await saved.path())).toString();
  expect(file).toContain(TRUCK);
  await other.getByRole('button', { name: /^Delete the export/ }).click();
  await exportsIn(page).waitFor({ state: 'hidden' });
});

it('a user who may only read the data starts an export and sees its progress, without the change feed', async () => {
  const page = await openElsewhere(READER);
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await exportsIn(page).filter({ hasText: 'Done' }).waitFor();
  await page.getByText('Started by g.kline').waitFor();
  expect(await page.getByRole('button', { name: 'Choose a file' }).count()).toBe(0);
});

it('an import is checked without its page, and says what is wrong or what was imported [N13]', async () => {
  const page = await open();
  const imports = page.getByRole('list', { name: 'Imports' }).getByRole('listitem');
  const choose = async (text: string) => {
    await page
      .locator('input[accept*=ndjson]')
      .setInputFiles({ name: 'x.ndjson', mimeType: 'application/x-ndjson', buffer: Buffer.from(text) });
  };
  await choose(file);
  await page.getByText('This account has vehicles, drivers or folders.').waitFor();
  const { call } = await ownerApi(milepost);
  for (const { id } of await call(listVehicles)) await call(deleteVehicle, { params: { id } });
  await choose('no export');
  await imports
    .filter({ hasText: 'In progress' })
    .or(imports.filter({ hasText: 'Failed' }))
    .first()
    .waitFor();
  // After leaving the page and coming back, the outcome is there.
  await page.evaluate(goTo, '/overview');
  await page.getByRole('heading', { name: 'Data', exact: true }).waitFor({ state: 'detached' });
  await page.evaluate(goTo, '/settings/data');
  await page.getByText('Line 1 of the file is incorrect. Nothing was imported.').waitFor();
  await expectAccessible(page);
  await choose(file);
  await page.getByText(/^\d+ rows? imported\.$/).waitFor();
  await page.getByRole('link', { name: 'Vehicles', exact: true }).click();
  await page.getByRole('row').filter({ hasText: '4127' }).waitFor();
});

it('tracks in a file are checked row by row, then imported to the vehicles that people choose', async () => {
  const { call } = await ownerApi(milepost);
  for (const { id } of await call(listVehicles)) await call(deleteVehicle, { params: { id } });
  await addVehicles(milepost, [{ imei: TRUCK, deviceName: '4127' }]);
  const page = await open();
  const rows = [
    'time,unit,lat,lon',
    '2026-03-04T05:06:07Z,4127,41.9,-87.6',
    '2026-03-04T05:07:07Z,Old 9,41.9,-87.5',
    'soon,4127,1,2',
  ];
  await page
    .locator('input[accept*=gpx]')
    .setInputFiles({ name: 'tracks.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) });
  await page.getByRole('cell', { name: 'Old 9' }).waitFor();
  await page.getByRole('button', { name: 'Check files' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('This is not a time.').waitFor();
  await expectAccessible(page);
  await result.getByLabel('Old 9 · 1 row').selectOption({ label: '4127' });
  await page.getByRole('button', { name: 'Check files' }).click();
  const button = page.getByRole('button', { name: 'Import 2 positions' });
  await button.waitFor();
  // The check is still there after a reload, and what was checked is imported.
  await page.reload();
  await button.click();
  await page.getByText('2 rows imported.').waitFor();
});
