import { text } from 'node:stream/consumers';
import { createHttpClient } from '@milepost/client';
import { listFolders, listVehicles, signIn } from '@milepost/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut, type Visit } from './support/browser.ts';
import { describedText, isFocused } from './support/fields.ts';
import { type Milepost, OWNER, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

const TRUCK = '356307042441013';
const VAN = '356307042441021';
const REEFER = '356307042441039';
const NEW = '356307042441047';
/** Each on a free port. */
const GATEWAYS: ReadonlyMap<'teltonika' | 'gl200', number> = new Map([
  ['teltonika', 0],
  ['gl200', 0],
]);
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

let browser: Browser;
let milepost: Milepost;

leaveMapsOut();
beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: GATEWAYS })]);
  await addVehicles(milepost, [
    {
      imei: TRUCK,
      deviceName: '4127',
      plate: 'VA 48-217 PX',
      make: 'Kenworth',
      model: 'T680',
      year: 2022,
      tags: ['Long haul'],
    },
    { imei: VAN, deviceName: '4118', make: 'Ford', model: 'Transit 350', type: 'van' },
    { imei: REEFER, deviceName: 'R-206', tags: ['reefer'] },
  ]);
  await report(milepost, TRUCK, fix(Date.now(), LOOP));
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const folder = (page: Page, name: string | RegExp) => page.getByRole('treeitem', { name });
const row = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name: new RegExp(`^${name}`) }) });
const drawer = (page: Page, name: string) => page.getByRole('complementary', { name: `Vehicle ${name}` });
const shown = (page: Page) =>
  page.locator('tr[data-id] [data-open]').evaluateAll(cells => cells.map(cell => cell.textContent?.split(',')[0]));
const describedBy = (field: Locator) => field.evaluate(describedText);

async function api() {
  let token: string | null = null;
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  ({ token } = await http.call(signIn, { body: { userName: OWNER.name, password: OWNER.password } }));
  return http;
}
const folderOf = async (name: string) => {
  const http = await api();
  const [vehicles, folders] = [await http.call(listVehicles), await http.call(listFolders)];
  const id = vehicles.find(({ deviceName }) => deviceName === name)?.folderId;
  return folders.find(one => one.id === id)?.name ?? null;
};

const openHere = samePage(() => ({ browser, milepost }));

async function open(search = ''): Promise<Visit> {
  const visit = await openHere(`/assets${search}`);
  await folder(visit.page, /^All vehicles/).waitFor();
  return visit;
}

async function newFolder(page: Page, name: string, inside?: string): Promise<void> {
  await page.getByRole('button', { name: 'New folder' }).click();
  const dialog = page.getByRole('dialog', { name: 'New folder' });
  await dialog.getByLabel('Name').fill(name);
  if (inside) await dialog.getByLabel('Inside').selectOption({ label: inside });
  await dialog.getByRole('button', { name: 'Create folder' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

describe('folders of vehicles', () => {
  it('[R7.22] [R3.04] by keyboard alone: move through the tree, check a folder, move its vehicle', async () => {
    const { page } = await open();
    await newFolder(page, 'North');
    await newFolder(page, 'Reefers', 'North');
    await newFolder(page, 'South');
    await page.reload();
    await folder(page, /^All vehicles/).focus();
    for (const key of ['End', 'Home', 'ArrowDown']) await page.keyboard.press(key);
    await expect.poll(() => isFocused(folder(page, /^North/))).toBe(true);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => isFocused(folder(page, /^Reefers/))).toBe(true);
    // Open folders are remembered [R3.04, R3.09].
    await page.reload();
    await folder(page, /^Reefers/).waitFor();

    await folder(page, /^All vehicles/).focus();
    await page.keyboard.type('no f');
    await expect.poll(() => isFocused(folder(page, /^No folder/))).toBe(true);
    await page.keyboard.press('Space');
    await expect.poll(() => folder(page, /^No folder/).getAttribute('aria-checked')).toBe('true');
    await row(page, 'R-206').getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await expect.poll(() => folder(page, /^No folder/).getAttribute('aria-checked')).toBe('mixed');
    await expect.poll(() => folder(page, /^All vehicles/).getAttribute('aria-checked')).toBe('mixed');
    await page.keyboard.press('Space');

    await page.getByRole('button', { name: 'Move to' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(page.getByLabel('To folder'))).toBe(true);
    for (const key of ['Home', 'ArrowDown', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await folder(page, 'Reefers 3 vehicles').waitFor();
    await expect.poll(() => folderOf('R-206')).toBe('Reefers');
  });

  it('[R7.22] a dragged row moves to where it is dropped', async () => {
    const { page } = await open();
    await row(page, '4127').dragTo(folder(page, /^South/));
    await folder(page, 'South 1 vehicle').waitFor();
    await expect.poll(() => folderOf('4127')).toBe('South');
    await folder(page, /^South/).dragTo(folder(page, /^North/));
    await folder(page, /^North/).focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => folder(page, /^South/).getAttribute('aria-level')).toBe('3');
  });

  it('[R3.09] [R4.09] [R4.10] stores only what is needed, loads changes every minute, and clears it at sign-out', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.clock.install();
    const answers: number[] = [];
    page.on('response', response => {
      if (new URL(response.url()).pathname === '/api/v1/folder') answers.push(response.status());
    });
    await page.goto('/assets');
    await expect.poll(() => answers).toEqual([200]);
    await page.clock.runFor(60_000);
    await expect.poll(() => answers).toEqual([200, 304]);
    await folder(page, /^All vehicles/).focus();
    await page.keyboard.press('ArrowLeft');
    const stored = () => page.evaluate(() => ({ ...localStorage }) as Record<string, string>);
    await expect
      .poll(async () => Object.keys(await stored()))
      .toEqual(expect.arrayContaining(['folders', 'departments', 'folderExpandState']));
    expect((await stored()).folders).not.toMatch(/4127|356307042441013/);

    await page.getByRole('button', { name: /^Account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    const left = Object.keys(await stored());
    for (const key of ['token', 'ncfMe', 'folders', 'departments', 'folderExpandState'])
      expect(left).not.toContain(key);
    await page.clock.runFor(180_000);
    expect(answers).toEqual([200, 304]);
  });
});

describe('a vehicle', () => {
  it('[R5.03] is added in a form that keeps what was typed, and its first report is shown', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Add vehicle' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a vehicle' });
    await dialog.getByLabel('IMEI of the tracker').fill(TRUCK);
    await dialog.getByLabel('Name').fill('4200');
    await dialog.getByLabel('VIN').fill('SHORT');
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();
    await expect.poll(() => describedBy(dialog.getByLabel('VIN'))).toContain('A VIN has 17 letters');
    await expect.poll(() => isFocused(dialog.getByLabel('VIN'))).toBe(true);
    await dialog.getByLabel('VIN').fill('');
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();
    const imei = dialog.getByLabel('IMEI of the tracker');
    await expect.poll(() => describedBy(imei)).toContain('A vehicle with this IMEI already exists.');
    await expect.poll(() => isFocused(imei)).toBe(true);
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('4200');
    await imei.fill(NEW);
    await dialog.getByRole('button', { name: 'Add vehicle' }).click();

    const added = page.getByRole('dialog', { name: '4200 added' });
    await added.getByLabel('Protocol').selectOption({ label: 'Queclink' });
    await added.getByText(String(milepost.app.trackerPorts.get('gl200')), { exact: true }).waitFor();
    await added.getByText('AT+GTSRI=').waitFor();
    await added.getByLabel('Protocol').selectOption({ label: 'Suntech' });
    await added.getByText('This server does not accept Suntech trackers.').waitFor();
    await added.getByText('Waiting for the first report').waitFor();
    await report(milepost, NEW, fix(Date.now(), LOOP));
    await added.getByText('First report received.').waitFor();
    await added.getByRole('button', { name: 'Done' }).click();
    await row(page, '4200').waitFor();
  });

  it('has documents with files: errors are shown, and the list shows one that expires soon', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /^4118/ }).click();
    await page.getByRole('tab', { name: 'Documents' }).click();
    await page.getByRole('button', { name: 'Add document' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a document' });
    await dialog.getByRole('button', { name: 'Add document' }).click();
    await expect.poll(() => describedBy(dialog.getByLabel('Title'))).toContain('Enter a title');
    await expect.poll(() => describedBy(dialog.getByLabel('File'))).toContain('Choose a file.');
    await expect.poll(() => isFocused(dialog.getByLabel('Title'))).toBe(true);
    await dialog.getByLabel('Title').fill('Registration 2026');
    // Canceling the file picker, or releasing a selection outside the dialog, leaves it open.
    await dialog.getByLabel('File').dispatchEvent('cancel', { bubbles: true });
    await dialog.getByLabel('Title').hover();
    await page.mouse.down();
    await page.mouse.move(10, 10);
    await page.mouse.up();
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('Registration 2026');
    const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    await dialog.getByLabel('Valid until').fill(soon);
    const file = (name: string, content: string) => ({
      name,
      mimeType: 'application/pdf',
      buffer: Buffer.from(content),
    });
    await dialog.getByLabel('File').setInputFiles(file('photo.pdf', 'this is no PDF'));
    await dialog.getByRole('button', { name: 'Add document' }).click();
    await expect.poll(() => describedBy(dialog.getByLabel('File'))).toContain('Use a PDF, PNG or JPEG file');
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('Registration 2026');
    await dialog.getByLabel('File').setInputFiles(file('registration.pdf', '%PDF-1.7\n%%EOF\n'));
    await dialog.getByRole('button', { name: 'Add document' }).click();
    await dialog.waitFor({ state: 'hidden' });

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download Registration 2026' }).click();
    expect((await download).suggestedFilename()).toBe('registration.pdf');
    // Changes that another user made meanwhile are not overwritten.
    await page.getByRole('button', { name: 'Actions for Registration 2026' }).click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Registration 2026' });
    await expect.poll(() => edit.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await edit.getByLabel('Notes').fill('In the cab.');
    const sent = page.waitForRequest(request => request.method() === 'PATCH');
    await edit.getByRole('button', { name: 'Save' }).click();
    expect((await sent).postDataJSON()).toEqual({ notes: 'In the cab.' });
    await edit.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add document' }).click();
    await page.mouse.click(10, 10);
    await dialog.waitFor({ state: 'detached' });
    await drawer(page, '4118').getByRole('button', { name: 'Close' }).click();
    const month = new Date(soon).toLocaleString('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' });
    await row(page, '4118').getByText(month).waitFor();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByLabel('Expiring soon').check();
    await expect.poll(() => shown(page)).toEqual(['4118']);
  });
});

describe('many vehicles', () => {
  it('are searched, filtered and sorted, with everything in the address', async () => {
    const { page } = await open();
    await page.getByRole('textbox', { name: /^Search/ }).fill('kenworth');
    await expect.poll(() => shown(page)).toEqual(['4127']);
    await page.getByRole('textbox', { name: /^Search/ }).fill('');
    await page.getByRole('button', { name: 'Unit' }).click();
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('checkbox', { name: 'reefer' }).check();
    await page.getByRole('checkbox', { name: 'Long haul' }).check();
    await page.keyboard.press('Escape');
    await expect.poll(() => shown(page)).toEqual(['R-206', '4127']);
    await page.reload();
    await expect.poll(() => shown(page)).toEqual(['R-206', '4127']);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).first().click();
    const stream = await (await download).createReadStream();
    const csv = await text(stream);
    expect(csv.split(/\r?\n/).filter(Boolean)).toHaveLength(3);
    expect(csv).toContain(REEFER);
    await page.getByRole('button', { name: 'Remove filter Tag: reefer' }).click();
    await expect.poll(() => shown(page)).toEqual(['4127']);
  });

  it('are imported from CSV: every row is checked first, errors are listed, and all or none are imported', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import vehicles' });
    const file = (content: string) => ({ name: 'fleet.csv', mimeType: 'text/csv', buffer: Buffer.from(content) });
    const input = dialog.locator('input[type=file]');
    await input.setInputFiles(file(`imei,deviceName\n123,Wrong\n${TRUCK},Twice\n`));
    await dialog.getByText('2 of 2 rows have errors.').waitFor();
    await dialog.getByRole('cell', { name: 'Check the IMEI.' }).waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await input.setInputFiles(file('imei,deviceName,folder\n356307042441062,5001,North\n356307042441070,5002,\n'));
    await dialog.getByRole('button', { name: 'Import 2 vehicles' }).click();
    await page.getByText('2 vehicles imported.').waitFor();
    await row(page, '5001').getByText('North').waitFor();
  });
});

describe('accessibility', () => {
  it('[R9.09] on a phone the tree opens in place, rows are cards, and a vehicle is a page', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, PHONE);
    await page.goto('/assets');
    await page.getByRole('button', { name: /^Folders/ }).click();
    await folder(page, /^North/).click();
    await page.getByRole('heading', { name: 'North' }).waitFor();
    await page.getByRole('button', { name: /^Folders/ }).click();
    await folder(page, /^All vehicles/).click();
    await page.getByRole('button', { name: /^4127/ }).click();
    await expect.poll(async () => (await drawer(page, '4127').boundingBox())?.width).toBe(390);
    await expectAccessible(page);
    await drawer(page, '4127').getByRole('button', { name: 'Close' }).click();
    await drawer(page, '4127').waitFor({ state: 'hidden' });
  });
});
