import { acceptInvitation, createFolder, createVehicle, registerUser } from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';

leaveMapsOut();

/** A user limited to a folder sees only what they may see and grant, and no action that the server would refuse. */

const PASSWORD = 'interstate 81 northbound';
const ADMIN = { name: 'ada.brook', password: PASSWORD };
const DISPATCHER = { name: 'dan.brook', password: PASSWORD };

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
  const { call } = await ownerApi(milepost);
  const folder = async (name: string, parentId?: string) =>
    (await call(createFolder, { body: { name, ...(parentId !== undefined && { parentId }) } })).id;
  const illinois = await folder('Illinois');
  const chicago = await folder('Chicago', illinois);
  await folder('The Loop', chicago);
  const peoria = await folder('Peoria', illinois);
  const scope = { folderIds: [chicago], departmentIds: [] };
  for (const [displayName, userName, role] of [
    ['Ada Brook', ADMIN.name, 'admin'],
    ['Dan Brook', DISPATCHER.name, 'dispatcher'],
  ] as const) {
    const { invitation } = await call(registerUser, { body: { displayName, userName, role, scope } });
    const invited = new URLSearchParams(new URL(invitation?.url ?? '').hash.slice(1)).get('invitation') ?? '';
    await call(acceptInvitation, { body: { token: invited, password: PASSWORD } });
  }
  for (const [deviceName, imei, folderId] of [
    ['Chi 1', '356307042441013', chicago],
    ['Peo 1', '356307042441021', peoria],
  ] as const) {
    await call(createVehicle, { body: { deviceName, imei, folderId } });
  }
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const as = async (who: typeof ADMIN, path: string): Promise<Page> => {
  const { page } = await visitSignedIn(browser, milepost.url, {}, who);
  await page.goto(path);
  return page;
};
const vehiclesOf = async (page: Page) => {
  await page.getByRole('row').filter({ hasText: 'Chi 1' }).waitFor();
  return page.getByRole('row').filter({ hasText: 'Peo 1' }).count();
};

describe('[R6.03] an admin limited to folders', () => {
  it('can grant their own folders and subfolders, but not the folders above', async () => {
    const page = await as(ADMIN, '/users');
    await page.getByRole('row').filter({ hasText: 'Dan Brook' }).waitFor();
    await page.getByRole('button', { name: 'Add user' }).first().click();
    const drawer = page.getByRole('complementary', { name: 'Add a user' });
    await drawer.getByLabel('Name', { exact: true }).fill('Lou Loop');
    await drawer.getByLabel('User name').fill('l.loop');
    expect(await drawer.getByText('Everything', { exact: true }).count()).toBe(0);
    await drawer.getByRole('group', { name: 'Folders and departments' }).getByRole('button', { name: 'Add' }).click();
    const choices = page.getByRole('group', { name: 'Folders', exact: true }).getByRole('checkbox');
    await expect.poll(() => choices.count()).toBe(2);
    await page.getByRole('checkbox', { name: 'The Loop' }).check();
    expect(await page.getByRole('checkbox', { name: 'Illinois' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await drawer.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('complementary', { name: 'Lou Loop was added' }).waitFor();
  });

  it('sees only their vehicles, and no settings that concern the whole account', async () => {
    const page = await as(ADMIN, '/assets');
    expect(await vehiclesOf(page)).toBe(0);
    await page.goto('/settings/organisation');
    const sections = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    await sections.first().waitFor();
    const offered = await sections.allInnerTexts();
    expect(offered).not.toEqual([]);
    for (const name of ['Audit log', 'Branding', 'Data', 'Devices & commands']) expect(offered).not.toContain(name);
    await page.goto('/settings/audit');
    await sections.first().waitFor();
    await expect.poll(() => page.title()).toContain('Settings');
    expect(await page.getByRole('heading', { name: 'Audit log' }).count()).toBe(0);
  });
});

describe('[R6.03] a dispatcher limited to folders', () => {
  it('sees only their vehicles, and neither users nor account settings', async () => {
    const page = await as(DISPATCHER, '/assets');
    expect(await vehiclesOf(page)).toBe(0);
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await page.goto('/users');
    await page.getByText('Your role does not allow this.').first().waitFor();
  });
});
