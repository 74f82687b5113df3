import { type TOTP, URI } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut, type Visit, visit } from './support/browser.ts';
import { describedText, isFocused } from './support/fields.ts';
import { type Milepost, OWNER, signIn, startMilepost } from './support/milepost.ts';
import { samePage } from './support/same-page.ts';
import { visitSignedIn } from './support/session.ts';

leaveMapsOut();

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const openHere = samePage(() => ({ browser, milepost }));

async function openProfile(section = ''): Promise<Visit> {
  const visitor = await openHere(`/profile${section}`);
  await visitor.page.getByRole('heading', { level: 1 }).waitFor();
  return visitor;
}

const password = (page: Page) => page.getByRole('textbox', { name: 'Current password' });

describe('the profile', () => {
  it('accepts a picture, crops it by keyboard, and refuses a file that is no picture', async () => {
    const { page } = await openProfile();
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer });
    await choose('drawing.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await page.getByText(/Use a PNG, JPEG or WebP image up to 2(\.0)?\sMB and 4,000 pixels wide or high\./).waitFor();
    await choose('broken.png', 'image/png', Buffer.from('no picture'));
    await page.getByText(/Use a PNG, JPEG or WebP image up to 2(\.0)?\sMB and 4,000 pixels wide or high\./).waitFor();
    await choose('me.png', 'image/png', await page.getByRole('heading', { level: 1 }).screenshot());
    const dialog = page.getByRole('dialog', { name: 'Choose the part to show' });
    await expect.poll(() => isFocused(dialog.getByRole('group'))).toBe(true);
    await expectAccessible(page);
    await page.keyboard.press('ArrowLeft');
    await dialog.getByRole('slider').fill('2');
    await dialog.getByRole('button', { name: 'Use this picture' }).click();
    await page.getByText('Picture saved.').waitFor();
    const picture = page.getByRole('region', { name: 'Picture' }).locator('img');
    await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => picture.count()).toBe(0);
  });

  it('sets up an authenticator app; sign-in then asks for its code or a recovery code', async () => {
    const { page } = await openProfile('/security');
    await page.getByRole('button', { name: 'Set up' }).click();
    const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' });
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => password(dialog.page()).last().evaluate(describedText)).toContain('Enter your current');
    const started = page.waitForResponse('**/api/v1/second_factor/totp');
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
    await page.keyboard.press('Enter');
    const app = URI.parse(((await (await started).json()) as { uri: string }).uri) as TOTP;
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await expectAccessible(page);
    const code = dialog.getByLabel('Code from the app');
    await code.fill(app.generate() === '000000' ? '111111' : '000000');
    await page.keyboard.press('Enter');
    await expect.poll(() => code.evaluate(describedText)).toContain('That code is incorrect.');
    await code.fill(app.generate());
    await page.keyboard.press('Enter');
    const shown = page.getByRole('dialog', { name: 'Your recovery codes' });
    await shown.waitFor();
    const codes = await shown.getByRole('listitem').allTextContents();
    expect(new Set(codes).size).toBe(10);
    await shown.getByRole('button', { name: 'I’ve saved them' }).click();
    await page.getByText('10 left').waitFor();

    const other = (await visit(browser, milepost.url)).page;
    await other.goto('/login');
    await signIn(other);
    const asked = other.getByLabel('Code');
    await asked.waitFor();
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.poll(() => asked.evaluate(describedText)).toContain('Enter the code from your app');
    await asked.fill('12345');
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect.poll(() => asked.evaluate(describedText)).toContain('That code is incorrect.');
    await expect.poll(() => isFocused(asked)).toBe(true);
    await expectAccessible(other);
    await asked.fill(codes[0] ?? '');
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.getByRole('navigation', { name: 'Main' }).first().waitFor();

    await page.getByRole('button', { name: 'Remove the app' }).click();
    const remove = page.getByRole('dialog', { name: 'Remove the app' });
    await remove.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
    await remove.getByRole('button', { name: 'Remove the app' }).click();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
  });

  it('creates a passkey for this device, signs in with it alone, renames it, and removes it', async () => {
    // A passkey needs a host name; an IP address is not one.
    const baseURL = milepost.url.replace('127.0.0.1', 'localhost');
    const { page } = await visit(browser, baseURL);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto('/login');
    await signIn(page);
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    await page.goto('/profile/security');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByLabel('Name').fill('Dispatch desk');
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    await page.getByText('Dispatch desk').waitFor();

    await page
      .getByRole('button', { name: /^Account/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();

    await page.goto('/profile/security');
    await page.getByRole('button', { name: 'Rename Dispatch desk' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename Dispatch desk' });
    const name = rename.getByLabel('Name');
    await name.fill('  ');
    await rename.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => name.evaluate(describedText)).toBe('Enter a name of up to 60 characters.');
    await expect.poll(() => isFocused(name)).toBe(true);
    await name.fill('x'.repeat(61));
    await page.keyboard.press('Enter');
    await expect.poll(() => name.evaluate(describedText)).toBe('Use at most 60 characters.');
    await expect.poll(() => isFocused(name)).toBe(true);
    await expect.poll(() => name.inputValue()).toBe('x'.repeat(61));
    await name.fill('Night desk');
    await page.keyboard.press('Enter');

    await page.getByRole('button', { name: 'Remove Night desk' }).click();
    const remove = page.getByRole('dialog', { name: 'Remove Night desk' });
    await remove.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
    await remove.getByRole('button', { name: 'Remove Night desk' }).click();
    await expect.poll(() => page.getByText('Night desk').count()).toBe(0);
  });

  it('shows an API token once', async () => {
    const { page } = await openProfile('/tokens');
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByLabel('Name', { exact: true }).fill('Night report');
    await dialog.getByRole('checkbox', { name: 'Vehicles and their positions: See' }).check();
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
    await dialog.getByRole('button', { name: 'Create token' }).click();
    const token = (await dialog.locator('code').textContent()) ?? '';
    const asToken = (path: string) =>
      fetch(`${milepost.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect((await asToken('device')).status).toBe(200);
    expect((await asToken('read_my_users')).status).toBe(403);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => page.getByText(token).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete Night report' }).click();
    const remove = page.getByRole('dialog', { name: 'Delete Night report' });
    await remove.getByLabel('Type Night report to confirm').fill('Night report');
    await remove.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No API tokens yet.').waitFor();
    expect((await asToken('device')).status).toBe(401);
  });

  it('each preference applies at once: the appearance changes, and is kept for the next visit', async () => {
    const { page } = await openProfile('/preferences');
    const scheme = () => page.evaluate(() => document.documentElement.dataset.colorScheme);
    await page.getByLabel('Appearance', { exact: true }).selectOption({ label: 'Dark' });
    await expect.poll(scheme).toBe('dark');
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await expect.poll(scheme).toBe('dark');
    await expect.poll(() => page.getByLabel('Appearance', { exact: true }).inputValue()).toBe('dark');
    await page.getByLabel('Appearance', { exact: true }).selectOption('');
    await page.getByText('Saved.').waitFor();
  });

  it('ends another session at once', async () => {
    const other = await visitSignedIn(browser, milepost.url);
    await other.page.goto('/profile');
    await other.page.getByRole('heading', { level: 1 }).waitFor();
    const { page } = await openProfile('/sessions');
    await page.getByText('this device').waitFor();
    await page.getByRole('button', { name: 'End all others' }).click();
    await page.getByText('All other sessions ended.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^End / }).count()).toBe(0);
    await other.page.reload();
    await other.page.getByText('Your session has ended. Sign in again.').waitFor();
  });

  // The last test: it changes the password that the others sign in with.
  it('[R7.11] [R7.12] changes the password only with the old one, and the user stays signed in', async () => {
    const { page } = await openProfile('/security');
    const card = page.getByRole('region', { name: 'Password', exact: true });
    await card.getByRole('button', { name: 'Change password' }).click();
    await expect.poll(() => password(page).evaluate(describedText)).toBe('Enter your current password.');
    await password(page).fill('not this one');
    await card.getByRole('textbox', { name: 'New password' }).fill('a longer night on I-81');
    await card.getByText('Strong').waitFor();
    await card.getByRole('textbox', { name: 'Repeat password' }).fill('a longer night on I-81');
    await card.getByRole('button', { name: 'Change password' }).click();
    await expect.poll(() => password(page).evaluate(describedText)).toBe('Your current password is incorrect.');
    await expect.poll(() => isFocused(password(page))).toBe(true);
    await expect
      .poll(() => card.getByRole('textbox', { name: 'New password' }).inputValue())
      .toBe('a longer night on I-81');
    const before = await page.evaluate(() => localStorage.getItem('token'));
    await password(page).fill(OWNER.password);
    await card.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).not.toBe(before);
    await page.reload();
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    const fresh = (await visit(browser, milepost.url)).page;
    await fresh.goto('/login');
    await signIn(fresh, { name: OWNER.name, password: 'a longer night on I-81' });
    await fresh.getByRole('navigation', { name: 'Main' }).first().waitFor();
  });
});
