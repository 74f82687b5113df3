import { createFolder, type NewUserInput, registerUser } from '@milepost/contract';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, expectAccessibleInBoth, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { describedText, isFocused } from './support/fields.ts';
import { type Milepost, signIn, startMilepost } from './support/milepost.ts';
import { goTo, samePage } from './support/same-page.ts';
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
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('users') ?? '[]'));
    expect(Object.keys(kept[0]).sort()).toEqual(['displayName', 'id', 'userName']);
    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('users'))).toBeNull();
  });

  it('filters and search are in the address, and are removed by their tokens', async () => {
    const page = await openUsers('/users?role=admin,viewer&q=ben');
    await row(page, 'Ben Ocampo').waitFor();
    expect(await row(page, 'Gus Kline').count()).toBe(0);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await row(page, 'Gus Kline').waitFor();
    await page.getByRole('button', { name: 'Remove filter Role: Admin' }).click();
    await expect.poll(() => row(page, 'Ben Ocampo').count()).toBe(0);
    await expect.poll(() => new URL(page.url()).search).toBe('?role=viewer');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.getByRole('checkbox', { name: 'passkey' }).check();
    await page.getByText('Nothing matches', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await row(page, 'Omar Haddad').waitFor();
  });

  it('[R7.04] shows errors beside each field, keeps what was typed, then invites; the link works', async () => {
    const page = await openUsers();
    await page.getByRole('button', { name: 'Add user' }).first().click();
    const drawer = page.getByRole('complementary', { name: 'Add a user' });
    await drawer.getByLabel('Email').fill('not an address');
    await drawer.getByRole('button', { name: 'Invite' }).click();
    const name = drawer.getByLabel('Name', { exact: true });
    await expect.poll(() => name.evaluate(describedText)).toBe('Enter a name of up to 80 characters.');
    expect(await isFocused(name)).toBe(true);
    await drawer.getByText('3 fields need your attention.').waitFor();
    expect(await drawer.getByLabel('Email').evaluate(describedText)).toContain('Enter a valid email address');

    await name.fill('Sam Ortega');
    await drawer.getByLabel('User name').fill('o.haddad');
    await drawer.getByLabel('Email').fill('');
    await drawer.getByLabel('Role').selectOption('viewer');
    await drawer.getByRole('button', { name: 'Invite' }).click();
    const userName = drawer.getByLabel('User name');
    await expect.poll(() => userName.evaluate(describedText)).toBe('That user name is taken.');
    expect(await isFocused(userName)).toBe(true);
    await expect.poll(() => name.inputValue()).toBe('Sam Ortega');
    await userName.fill('s.ortega');
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

  it('corrects an address before the user has accepted: the earlier invitation ends, and a new one is shown', async () => {
    const page = await openUsers();
    await page.getByRole('button', { name: 'Add user' }).first().click();
    const add = page.getByRole('complementary', { name: 'Add a user' });
    await add.getByLabel('Name', { exact: true }).fill('Lea Brandt');
    await add.getByLabel('User name').fill('l.brandt');
    await add.getByLabel('Email').fill('lea@exmaple.com');
    await add.getByRole('button', { name: 'Invite' }).click();
    const added = page.getByRole('complementary', { name: 'Lea Brandt was added' });
    const first = (await added.locator('code').textContent()) ?? '';

    await page
      .getByRole('button', { name: /Lea Brandt/ })
      .first()
      .click();
    const drawer = page.getByRole('complementary', { name: 'Lea Brandt', exact: true });
    await drawer.getByRole('tab', { name: 'Person' }).click();
    await drawer.getByLabel('Email').fill('lea@example.com');
    await drawer.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'New invitation' });
    await dialog.getByText('This invitation replaces the one').waitFor();
    const second = (await dialog.locator('code').textContent()) ?? '';
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await expect.poll(() => drawer.getByLabel('Email').inputValue()).toBe('lea@example.com');

    const stranger = await visit(browser, milepost.url);
    await stranger.page.goto(`/login${new URL(first).hash}`);
    await stranger.page.getByText('This invitation has been used or has expired.').waitFor();
    const guest = await visit(browser, milepost.url);
    await guest.page.goto(`/login${new URL(second).hash}`);
    await guest.page.getByText('Lea Brandt, you are invited to').waitFor();
  });

  it('[R7.04] adds a user with a password: an unsuitable one is reported beside the field, and nothing typed is lost', async () => {
    const page = await openUsers();
    await page.getByRole('button', { name: 'Add user' }).first().click();
    const drawer = page.getByRole('complementary', { name: 'Add a user' });
    await drawer.getByRole('button', { name: 'With a password' }).click();
    const name = drawer.getByLabel('Name', { exact: true });
    const password = drawer.getByRole('textbox', { name: 'New password' });
    const repeat = drawer.getByRole('textbox', { name: 'Repeat password' });
    await drawer.getByLabel('User name').fill('i.novak');
    await password.fill('too short');
    await drawer.getByRole('button', { name: 'Add user' }).click();
    await expect.poll(() => password.evaluate(describedText)).toContain('Use at least 12 characters.');
    expect(await name.evaluate(describedText)).toBe('Enter a name of up to 80 characters.');
    expect(await repeat.evaluate(describedText)).toBe('The passwords don’t match.');
    expect(await isFocused(name)).toBe(true);
    expect([await drawer.getByLabel('User name').inputValue(), await password.inputValue()]).toEqual([
      'i.novak',
      'too short',
    ]);

    // Errors that only the server finds appear in the same place.
    await name.fill('Iva Novak');
    await password.fill('i.novak and more');
    await repeat.fill('i.novak and more');
    await drawer.getByRole('button', { name: 'Add user' }).click();
    await expect.poll(() => password.evaluate(describedText)).toContain('Leave out “i.novak”');
    expect(await isFocused(password)).toBe(true);
    expect([await name.inputValue(), await repeat.inputValue()]).toEqual(['Iva Novak', 'i.novak and more']);
    await password.fill(PASSWORD);
    await repeat.fill(PASSWORD);
    await drawer.getByRole('button', { name: 'Add user' }).click();
    await page.getByText('Tell Iva Novak the user name i.novak and the password.').waitFor();
    await row(page, 'Iva Novak').getByText('active').waitFor();
  });

  it('[R7.06] sets a user’s password: errors are shown beside the field and input is kept', async () => {
    const page = await openUsers();
    await row(page, 'Omar Haddad').getByRole('button', { name: 'Actions for Omar Haddad' }).click();
    await page.getByRole('menuitem', { name: 'Set a password' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set a password' });
    const password = dialog.getByRole('textbox', { name: 'New password' });
    const repeat = dialog.getByRole('textbox', { name: 'Repeat password' });
    await dialog.getByRole('button', { name: 'Set password' }).click();
    await expect.poll(() => password.evaluate(describedText)).toContain('Use at least 12 characters.');
    expect(await isFocused(password)).toBe(true);
    await password.fill('a road through the hills');
    await repeat.fill('a road through the dales');
    await page.keyboard.press('Enter');
    await expect.poll(() => repeat.evaluate(describedText)).toBe('The passwords don’t match.');
    expect(await isFocused(repeat)).toBe(true);
    expect([await password.inputValue(), await repeat.inputValue()]).toEqual([
      'a road through the hills',
      'a road through the dales',
    ]);
    await password.fill('unbelievable');
    await repeat.fill('unbelievable');
    await page.keyboard.press('Enter');
    await expect.poll(() => isFocused(password)).toBe(true);
    await expect.poll(() => password.evaluate(describedText)).toContain('known data leaks');
    await expect.poll(() => password.inputValue()).toBe('unbelievable');
    await password.fill('a road through the hills');
    await repeat.fill('a road through the hills');
    await page.keyboard.press('Enter');
    await page.getByText('Omar Haddad has a new password.').waitFor();
    const told = await visit(browser, milepost.url);
    await told.page.goto('/login');
    await signIn(told.page, { name: 'o.haddad', password: 'a road through the hills' });
    await told.page.getByText('Someone else set your password.').waitFor();
  });

  it('[R7.06] changes a role, and asks before unsaved changes are lost', async () => {
    const page = await openUsers();
    await page
      .getByRole('button', { name: /Gus Kline/ })
      .first()
      .click();
    const drawer = page.getByRole('complementary', { name: 'Gus Kline' });
    await drawer.getByText('Viewer can').waitFor();
    await drawer.getByLabel('Role').selectOption('dispatcher');
    await drawer.getByText('Dispatcher can').waitFor();
    await drawer.getByText('1 unsaved change').waitFor();

    await page.evaluate(() => history.back());
    const ask = page.getByRole('dialog', { name: 'Leave without saving?' });
    await ask.getByRole('button', { name: 'Stay here' }).click();
    await expect.poll(() => drawer.getByLabel('Role').inputValue()).toBe('dispatcher');
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await ask.getByRole('button', { name: 'Stay here' }).click();

    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Gus Kline saved.').waitFor();
    await row(page, 'Gus Kline').getByText('Dispatcher').waitFor();
    await drawer.getByLabel('Role').selectOption('viewer');
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    await ask.getByRole('button', { name: 'Leave without saving' }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
  });

  it('deactivates, and [R7.07] deletes only after the user name is typed, saying what else is deleted', async () => {
    const page = await openUsers();
    await row(page, 'Ben Ocampo').getByRole('button', { name: 'Actions for Ben Ocampo' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await row(page, 'Ben Ocampo').getByText('deactivated').waitFor();
    const shut = await visit(browser, milepost.url);
    await shut.page.goto('/login');
    await signIn(shut.page, { name: 'b.ocampo', password: PASSWORD });
    await shut.page.getByText('User name or password is incorrect.').waitFor();

    await row(page, 'Ben Ocampo').getByRole('button', { name: 'Actions for Ben Ocampo' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Ben Ocampo?' });
    await dialog.getByText('What they did stays in the audit log').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Delete' });
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type b.ocampo to confirm').fill('b.ocamp');
    await expect.poll(() => confirm.isDisabled()).toBe(true);
    await dialog.getByLabel('Type b.ocampo to confirm').fill('b.ocampo');
    await confirm.click();
    await page.getByText('Ben Ocampo deleted.').waitFor();
    await expect.poll(() => row(page, 'Ben Ocampo').count()).toBe(0);
  });

  it('creates a custom role and assigns it to a user', async () => {
    const page = await openUsers();
    await page.getByRole('button', { name: 'Roles' }).click();
    await page.getByRole('button', { name: 'New role' }).click();
    const form = page.getByRole('complementary', { name: 'New role' });
    await form.getByRole('checkbox', { name: 'Audit log: See' }).check();
    await form.getByRole('button', { name: 'Save' }).click();
    const name = form.getByLabel('Name of the role');
    await expect.poll(() => name.evaluate(describedText)).toContain('Enter a name');
    expect(await isFocused(name)).toBe(true);
    await name.fill('Safety and compliance');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Safety and compliance saved.').waitFor();

    const roles = page.getByRole('complementary', { name: 'Roles' });
    await roles.getByText('Safety and compliance', { exact: true }).click();
    await roles.getByRole('button', { name: 'Edit Safety and compliance' }).click();
    const edit = page.getByRole('complementary', { name: 'Safety and compliance' });
    await edit.getByRole('checkbox', { name: 'Audit log: See' }).uncheck();
    const ask = page.getByRole('dialog', { name: 'Leave without saving?' });
    for (const leave of [() => page.keyboard.press('Escape'), () => edit.getByLabel('Close').click()]) {
      await leave();
      await ask.getByRole('button', { name: 'Stay here' }).click();
    }
    const sent = page.waitForRequest(request => request.method() === 'PATCH');
    await edit.getByRole('button', { name: 'Save' }).click();
    expect(Object.keys((await sent).postDataJSON())).toEqual(['permissions']);
    await roles.getByText('Safety and compliance', { exact: true }).waitFor();
    await page
      .getByRole('button', { name: /Omar Haddad/ })
      .first()
      .click();
    const drawer = page.getByRole('complementary', { name: 'Omar Haddad' });
    await drawer.getByLabel('Role').selectOption({ label: 'Safety and compliance' });
    await drawer.getByRole('button', { name: 'Save' }).click();
    await row(page, 'Omar Haddad').getByText('Safety and compliance').waitFor();
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
    expect(await chosen.evaluate(describedText)).toContain('Use at least 12 characters.');
    expect(await isFocused(current)).toBe(true);
    await current.fill('not this one');
    await chosen.fill('a road of my own choice');
    await repeat.fill('a road of my own');
    await page.keyboard.press('Enter');
    await expect.poll(() => repeat.evaluate(describedText)).toBe('The passwords don’t match.');
    expect(await isFocused(repeat)).toBe(true);
    await repeat.fill('a road of my own choice');
    await page.keyboard.press('Enter');
    await expect.poll(() => current.evaluate(describedText)).toBe('Your current password is incorrect.');
    expect(await isFocused(current)).toBe(true);
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
    expect(new URL(page.url()).pathname).toBe('/assets');
  });

  it('by keyboard alone: rows with arrow keys, the drawer with Enter and Escape', async () => {
    const page = await openUsers();
    await row(page, 'Gus Kline').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowDown');
    const second = page.getByRole('row').nth(2).getByRole('button').first();
    await expect.poll(() => isFocused(second)).toBe(true);
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('complementary').filter({ hasText: 'Access ends' });
    await expect.poll(() => drawer.evaluate(element => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await expect.poll(() => drawer.count()).toBe(0);
    await expect.poll(() => isFocused(second)).toBe(true);
  });

  it('axe finds nothing in drawers, light and dark, also on a phone', async () => {
    const page = await openUsers();
    await page.setViewportSize({ width: 390, height: 900 });
    await page
      .getByRole('button', { name: /Gus Kline/ })
      .first()
      .click();
    await page.getByText('Access ends').waitFor();
    await expectAccessibleInBoth(page);
    await page.setViewportSize({ width: 1440, height: 900 });
    await expectAccessibleInBoth(page);
    await page.evaluate(goTo, '/users?open=roles');
    await page.getByRole('button', { name: 'New role' }).click();
    await page.getByLabel('Name of the role').waitFor();
    await expectAccessibleInBoth(page);
  });
});
