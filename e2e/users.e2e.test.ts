import { createFolder, type NewUserInput, registerUser } from '@milepost/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { describedText, isFocused } from './support/fields.ts';
import { type Milepost, signIn, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';

leaveMapsOut();

const PASSWORD = 'interstate 81 northbound';
const PEOPLE: readonly (Pick<NewUserInput, 'displayName' | 'userName' | 'role'> & { readonly folder?: string })[] = [
  { displayName: 'Ben Ocampo', userName: 'b.ocampo', role: 'admin' },
  { displayName: 'Omar Haddad', userName: 'o.haddad', role: 'dispatcher', folder: 'Line haul North' },
  { displayName: 'Gus Kline', userName: 'g.kline', role: 'viewer' },
];

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
  const { call } = await ownerApi(milepost);
  const { id } = await call(createFolder, { body: { name: 'Line haul North' } });
  for (const { folder, ...body } of PEOPLE) {
    const scope = folder === undefined ? null : { folderIds: [id], departmentIds: [] };
    await call(registerUser, { body: { ...body, scope, password: PASSWORD } });
  }
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

const openHere = samePage(() => ({ browser, milepost }));

async function openUsers(path = '/users'): Promise<Page> {
  const { page } = await openHere(path);
  await page.getByRole('heading', { name: 'Users', exact: true }).waitFor();
  return page;
}

describe('the users page', () => {
  it('[R2.09] [R3.02] [R7.05] lists all other users, with role, scope, second factor and state', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/users');
    await row(page, 'Omar Haddad').waitFor();
    await expect.poll(() => page.getByText('people besides you').textContent()).toMatch(/^\d people besides you$/);
    expect(await row(page, 'Nora').count()).toBe(0);
    expect((await row(page, 'Omar Haddad').innerText()).split(/\s*\n\s*/)).toEqual(
      expect.arrayContaining(['Omar Haddad', 'o.haddad']),
    );
    for (const text of ['Dispatcher', 'Line haul North', 'off', 'never', 'active']) {
      await row(page, 'Omar Haddad').getByText(text, { exact: true }).waitFor();
    }
    const latest = page.getByRole('region', { name: 'Latest changes' });
    await latest.getByText('nora.kessler added Gus Kline').waitFor();
    // The browser stores as little as possible: only names, and nothing after sign-out [R3.09].
    const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem('users') ?? '[{}]'));
    await expect.poll(async () => Object.keys((await kept())[0]).sort()).toEqual(['displayName', 'id', 'userName']);
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('users'))).toBeNull();
  });

  it('[R7.04] invites a user; the link works once', async () => {
    const page = await openUsers();
    await page.getByRole('button', { name: 'Add user' }).first().click();
    const drawer = page.getByRole('complementary', { name: 'Add a user' });
    await drawer.getByLabel('Name', { exact: true }).fill('Sam Ortega');
    await drawer.getByLabel('User name').fill('s.ortega');
    await drawer.getByLabel('Role').selectOption('viewer');
    await drawer.getByRole('button', { name: 'Invite' }).click();

    const added = page.getByRole('complementary', { name: 'Sam Ortega was added' });
    const link = (await added.locator('code').textContent()) ?? '';
    await row(page, 'Sam Ortega').getByText('invited').waitFor();

    const guest = await visit(browser, milepost.url);
    await guest.page.goto(new URL(link).hash === '' ? link : `/login${new URL(link).hash}`);
    await guest.page.getByText('Sam Ortega, you are invited to').waitFor();
    await expectAccessible(guest.page);
    await guest.page.getByRole('textbox', { name: 'New password' }).fill('sunrise over the valley');
    await guest.page.getByRole('textbox', { name: 'Repeat password' }).fill('sunset over the valley');
    await guest.page.getByRole('button', { name: 'Get started' }).click();
    await guest.page.getByText('The passwords don’t match.').waitFor();
    await guest.page.getByRole('textbox', { name: 'Repeat password' }).fill('sunrise over the valley');
    await guest.page.getByRole('button', { name: 'Get started' }).click();
    await guest.page.getByRole('button', { name: 'Account: Sam Ortega' }).first().waitFor();
    // A viewer can't see users, not even by address.
    expect(await guest.page.getByRole('link', { name: 'Users' }).count()).toBe(0);

    const late = await visit(browser, milepost.url);
    await late.page.goto(`/login${new URL(link).hash}`);
    await late.page.getByText('This invitation has been used or has expired.').waitFor();
  });

  it('[R7.06] asks before going back loses unsaved changes', async () => {
    const page = await openUsers();
    await page
      .getByRole('button', { name: /Gus Kline/ })
      .first()
      .click();
    const drawer = page.getByRole('complementary', { name: 'Gus Kline' });
    await drawer.getByLabel('Role').selectOption('dispatcher');
    await page.evaluate(() => history.back());
    const ask = page.getByRole('dialog', { name: 'Leave without saving?' });
    await ask.getByRole('button', { name: 'Stay here' }).click();
    await expect.poll(() => drawer.getByLabel('Role').inputValue()).toBe('dispatcher');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Gus Kline saved.').waitFor();
    await row(page, 'Gus Kline').getByText('Dispatcher').waitFor();
  });

  it('a user who was given a password chooses their own first, and starts on their chosen page', async () => {
    const { page } = await visit(browser, milepost.url);
    await page.goto('/login');
    await signIn(page, { name: 'g.kline', password: PASSWORD });
    await page.getByText('Someone else set your password.').waitFor();
    await expectAccessible(page);
    await page.goto('/assets');
    await page.getByText('Someone else set your password.').waitFor();
    const [current, chosen, repeat] = ['Current password', 'New password', 'Repeat password'].map(name =>
      page.getByRole('textbox', { name }),
    ) as [Locator, Locator, Locator];
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect.poll(() => current.evaluate(describedText)).toBe('Enter your current password.');
    await expect.poll(() => chosen.evaluate(describedText)).toContain('Use at least 12 characters.');
    await expect.poll(() => isFocused(current)).toBe(true);
    await current.fill('not this one');
    await chosen.fill('a road of my own choice');
    await repeat.fill('a road of my own');
    await page.keyboard.press('Enter');
    await expect.poll(() => repeat.evaluate(describedText)).toBe('The passwords don’t match.');
    await expect.poll(() => isFocused(repeat)).toBe(true);
    await repeat.fill('a road of my own choice');
    await page.keyboard.press('Enter');
    await expect.poll(() => current.evaluate(describedText)).toBe('Your current password is incorrect.');
    await expect.poll(() => isFocused(current)).toBe(true);
    expect([await chosen.inputValue(), await repeat.inputValue()]).toEqual([
      'a road of my own choice',
      'a road of my own choice',
    ]);
    await current.fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/assets');

    await page.goto('/profile/preferences');
    await page.getByLabel('Start page').selectOption({ label: 'Vehicles' });
    await page.getByText('Saved.').waitFor();
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signIn(page, { name: 'g.kline', password: 'a road of my own choice' });
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/assets');
  });
});
