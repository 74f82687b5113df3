import { text } from 'node:stream/consumers';
import { createHttpClient } from '@milepost/client';
import { listFolders, listVehicles, signIn } from '@milepost/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectAccessible,
  expectAccessibleInBoth,
  launchBrowser,
  leaveMapsOut,
  type Visit,
} from './support/browser.ts';
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
    { imei: TRUCK, deviceName: '4127', plate: 'VA 48-217 PX', make: 'Kenworth', model: 'T680', year: 2022 },
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
  it('[R2.12] [R7.19] [R7.20] [R7.21] [R7.32] are created, renamed and deleted in forms that say what is wrong', async () => {
    const { page, complaints } = await open();
    await page.getByRole('button', { name: 'New folder' }).click();
    const dialog = page.getByRole('dialog', { name: 'New folder' });
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    const name = dialog.getByLabel('Name');
    await expect.poll(() => describedBy(name)).toBe('Enter a name of up to 60 characters.');
    expect(await isFocused(name)).toBe(true);
    await name.fill('Line haul');
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    await folder(page, 'Line haul 0 vehicles').waitFor();

    // The server's error is shown by the field, and the input stays.
    await page.getByRole('button', { name: 'New folder' }).click();
    await name.fill('line HAUL');
    await dialog.getByRole('button', { name: 'Create folder' }).click();
    await expect.poll(() => describedBy(name)).toBe('A folder with this name already exists here.');
    await expect.poll(() => name.inputValue()).toBe('line HAUL');
    await expect.poll(() => isFocused(name)).toBe(true);
    await page.keyboard.press('Escape');

    await folder(page, /^Line haul/).click();
    await page.getByRole('button', { name: 'Actions for Line haul' }).click();
    await page.getByRole('menuitem', { name: 'Rename or move' }).click();
    await page.getByRole('dialog', { name: 'Folder Line haul' }).getByLabel('Name').fill('Long haul');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Long haul' }).waitFor();

    await row(page, '4118').waitFor({ state: 'hidden' });
    await folder(page, /^All vehicles/).click();
    await row(page, '4118').getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to' }).click();
    await page.getByLabel('To folder').selectOption({ label: 'Long haul' });
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await folder(page, 'Long haul 1 vehicle').waitFor();
    // The tree may show the move before the dialog gets its response and closes.
    await page.getByRole('dialog', { name: /^Move/ }).waitFor({ state: 'hidden' });

    await folder(page, /^Long haul/).focus();
    await page.keyboard.press('Delete');
    const question = page.getByRole('dialog', { name: 'Delete folder Long haul?' });
    await question.getByText('1 vehicle will move to “No folder”.').waitFor();
    await question.getByRole('button', { name: 'Delete folder' }).click();
    await folder(page, /^Long haul/).waitFor({ state: 'hidden' });
    await folder(page, 'No folder 3 vehicles').waitFor();
    // The refused name is the only response that the browser logs as an error.
    expect(complaints.filter(complaint => !complaint.includes('409'))).toEqual([]);
  });

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
    expect(await folderOf('R-206')).toBe('Reefers');
  });

  it('[R7.22] a dragged row moves to where it is dropped', async () => {
    const { page } = await open();
    await row(page, '4127').dragTo(folder(page, /^South/));
    await folder(page, 'South 1 vehicle').waitFor();
    expect(await folderOf('4127')).toBe('South');
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
    expect(Object.keys(await stored())).toEqual(
      expect.arrayContaining(['folders', 'departments', 'folderExpandState']),
    );
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
    expect(await isFocused(dialog.getByLabel('VIN'))).toBe(true);
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

  it('[R5.03] [R8.05] is edited in its drawer: errors are beside the field, leaving asks first', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /^4127/ }).click();
    await drawer(page, '4127').getByText('2022 Kenworth T680').waitFor();
    await drawer(page, '4127').getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('form', { name: 'Edit vehicle 4127' });
    await form.getByLabel('Name').fill('4118');
    await form.getByLabel('Year').fill('22');
    await form.getByRole('button', { name: 'Save' }).click();
    const year = form.getByLabel('Year');
    await expect.poll(() => describedBy(year)).toBe('Enter a 4-digit year.');
    expect(await isFocused(year)).toBe(true);
    await year.fill('2023');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => describedBy(form.getByLabel('Name'))).toBe('Another vehicle is already called “4118”.');
    await expect.poll(() => isFocused(form.getByLabel('Name'))).toBe(true);

    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Stay here' })
      .click();
    await expect.poll(() => year.inputValue()).toBe('2023');
    await form.getByLabel('Name').fill('4127');
    await form.getByLabel('Tank, gallons').fill('120');
    await form.getByLabel('Tags').fill('Long haul, ADR');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('4127 saved.').waitFor();
    await drawer(page, '4127').getByText('Long haul, ADR').waitFor();
    const vehicle = (await (await api()).call(listVehicles)).find(({ deviceName }) => deviceName === '4127');
    await page.getByRole('tab', { name: 'Log' }).click();
    await drawer(page, '4127').getByText('changed the vehicle 4127').first().waitFor();
    expect(vehicle).toMatchObject({ year: 2023, tankLitres: 454.249, tags: ['Long haul', 'ADR'] });
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
    expect(await isFocused(dialog.getByLabel('Title'))).toBe(true);
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

  it('is deleted only after its name is typed', async () => {
    await addVehicles(milepost, [{ imei: '356307042441054', deviceName: 'Gone' }]);
    const { page } = await open('?q=gone');
    await page.getByRole('button', { name: /^Gone/ }).click();
    await page.getByRole('button', { name: 'Actions for Gone' }).click();
    await page.getByRole('menuitem', { name: 'Delete vehicle' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Gone?' });
    await expect.poll(() => dialog.getByRole('button', { name: 'Delete vehicle' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type Gone to confirm').fill('Gone');
    await dialog.getByRole('button', { name: 'Delete vehicle' }).click();
    await page.getByText('Nothing matches').waitFor();
    await expect.poll(() => page.locator(':focus').getAttribute('id')).toBe('main');
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

  it('are edited together, and only the chosen fields change', async () => {
    const { page } = await open();
    for (const name of ['4118', 'R-206']) await row(page, name).getByRole('checkbox').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit 2 vehicles' });
    await dialog.getByRole('checkbox', { name: 'Year' }).check();
    await dialog.getByRole('checkbox', { name: 'Add tags' }).check();
    await dialog.getByRole('textbox', { name: 'Year' }).fill('soon');
    await dialog.getByRole('textbox', { name: 'Add tags' }).fill('leased');
    await dialog.getByRole('button', { name: 'Change 2 vehicles' }).click();
    const year = dialog.getByRole('textbox', { name: 'Year' });
    await expect.poll(() => describedBy(year)).toContain('Enter a 4-digit year.');
    expect(await isFocused(year)).toBe(true);
    await year.fill('2021');
    await dialog.getByRole('button', { name: 'Change 2 vehicles' }).click();
    await page.getByText('2 vehicles updated.').waitFor();
    const vehicles = await (await api()).call(listVehicles);
    expect(vehicles.find(({ imei }) => imei === REEFER)).toMatchObject({ year: 2021, tags: ['reefer', 'leased'] });
    expect(vehicles.find(({ imei }) => imei === VAN)).toMatchObject({ year: 2021, make: 'Ford', type: 'van' });
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
  it('axe finds nothing, light and dark, in drawer, form and dialogs', async () => {
    const { page } = await open();
    await page.getByRole('button', { name: /^4127/ }).click();
    await drawer(page, '4127').waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('tab', { name: 'Documents' }).click();
    await page.getByText('No documents yet').waitFor();
    await expectAccessibleInBoth(page);
    await drawer(page, '4127').getByRole('button', { name: 'Edit', exact: true }).click();
    // Wait for the list: axe would judge it half disabled and half enabled if it loads in between.
    await expect.poll(() => drawer(page, '4127').getByLabel('Usual driver').isEnabled()).toBe(true);
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'New folder' }).click();
    await expectAccessibleInBoth(page);
  });

  it('[R9.09] on a phone the tree opens in place, rows are cards, and a vehicle is a page', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, PHONE);
    await page.goto('/assets');
    await page.getByRole('button', { name: /^Folders/ }).click();
    await folder(page, /^North/).click();
    await page.getByRole('heading', { name: 'North' }).waitFor();
    await page.getByRole('button', { name: /^Folders/ }).click();
    await folder(page, /^All vehicles/).click();
    await page.getByRole('button', { name: /^4127/ }).click();
    const box = await drawer(page, '4127').boundingBox();
    expect(box?.width).toBe(390);
    await expectAccessible(page);
    await drawer(page, '4127').getByRole('button', { name: 'Close' }).click();
    await drawer(page, '4127').waitFor({ state: 'hidden' });
  });
});
