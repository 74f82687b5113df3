import { createHttpClient } from '@milepost/client';
import { confirmEmail, signIn as signInRoute, updateMe } from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { expectAccessibleInBoth, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { describedText, isFocused } from './support/fields.ts';
import { linkToken, type Mailbox, openMailbox } from './support/mailbox.ts';
import { type Milepost, OWNER, signIn, startMilepost } from './support/milepost.ts';

leaveMapsOut();

const EMAIL = 'nora@rockfish.example';
const NEW_PASSWORD = 'a short day on I-66 east';

let browser: Browser;
let mailbox: Mailbox;
let milepost: Milepost;

beforeAll(async () => {
  mailbox = await openMailbox();
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ smtpUrl: mailbox.url })]);
  let token: string | null = null;
  const { call } = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  ({ token } = await call(signInRoute, { body: { userName: OWNER.name, password: OWNER.password } }));
  await call(updateMe, { body: { email: EMAIL, password: OWNER.password } });
  await vi.waitUntil(() => linkToken(mailbox.mails[0]) !== '', { timeout: 60_000 });
  await call(confirmEmail, { body: { token: linkToken(mailbox.mails[0]) } });
});
afterAll(async () => {
  await Promise.all([browser?.close(), milepost?.close()]);
  await mailbox?.close();
});

/** The code as written in the e-mail: `854 711`. */
const codeOf = (mail: string | undefined): string => /password reset code is (\d{3} \d{3})/.exec(mail ?? '')?.[1] ?? '';

async function askFor(page: Page, name: string): Promise<void> {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  // Until then, a field with the same name belongs to the sign-in form.
  await page.getByText('Step 1 of 3').waitFor();
  await page.getByLabel('User name or email').fill(name);
  await page.getByRole('button', { name: 'Send the code' }).click();
  await page.getByRole('heading', { name: 'Enter the code' }).waitFor();
}

describe('a forgotten password', () => {
  it('[R4.15] [R7.08] [R7.09] [R7.10] is replaced in three steps, by keyboard alone, and the new one signs in', async () => {
    const { page, complaints } = await visit(browser, milepost.url);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot password?' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Step 1 of 3').waitFor();
    await expect.poll(() => isFocused(page.getByLabel('User name or email'))).toBe(true);
    await page.keyboard.type(EMAIL);
    await page.keyboard.press('Enter');

    await page.getByText('If an account matches, a code is on its way. It is valid for 10 minutes.').waitFor();
    await expect.poll(() => codeOf(mailbox.mails.at(-1))).not.toBe('');
    const code = codeOf(mailbox.mails.at(-1));
    await expect.poll(() => isFocused(page.getByLabel('Code'))).toBe(true);
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');

    await page.getByText('Step 3 of 3').waitFor();
    await expect.poll(() => isFocused(page.getByRole('textbox', { name: 'New password' }))).toBe(true);
    await page.keyboard.type('too short');
    await page.keyboard.press('Enter');
    const password = page.getByRole('textbox', { name: 'New password' });
    await expect.poll(() => password.evaluate(describedText)).toContain('Use at least 12 characters.');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Repeat password' }).evaluate(describedText))
      .toBe('The passwords don’t match.');
    await expect.poll(() => isFocused(password)).toBe(true);
    await expect.poll(() => password.inputValue()).toBe('too short');
    await password.fill(NEW_PASSWORD);
    await page.getByRole('textbox', { name: 'Repeat password' }).fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');

    await page.getByText('Your password is changed. Sign in with the new one.').waitFor();
    await expect.poll(() => page.getByLabel('User name or email').inputValue()).toBe(EMAIL);
    await signIn(page, { name: EMAIL, password: NEW_PASSWORD });
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('[R3.02] a wrong code is reported beside the field, and the request survives a reload', async () => {
    const { page } = await visit(browser, milepost.url);
    await askFor(page, OWNER.name);
    const kept = () => page.evaluate(() => sessionStorage.getItem('myVerifyData'));
    await expect
      .poll(async () => Object.keys(JSON.parse((await kept()) ?? '{}')).sort())
      .toEqual(['expiresAt', 'id', 'token']);
    await page.reload();
    const code = page.getByLabel('Code');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect.poll(() => code.evaluate(describedText)).toBe('Enter the 6-digit code.');
    const sent = codeOf(mailbox.mails.at(-1));
    await code.fill(sent === '123 456' ? '654321' : '123456');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect
      .poll(() => code.evaluate(describedText))
      .toBe('That code is incorrect or has expired. Request a new one.');
    await expect.poll(() => isFocused(code)).toBe(true);
    await expect.poll(() => code.inputValue()).toMatch(/^\d{6}$/);
    await page.getByRole('button', { name: 'Request a new code' }).click();
    await page.getByText('Step 1 of 3').waitFor();
    await expect.poll(kept).toBeNull();
  });

  it('axe finds nothing, light and dark, at 1440 and 390 px; whether a user exists is not revealed', async () => {
    const { page } = await visit(browser, milepost.url);
    await page.goto('/login?recover=1');
    await page.getByRole('button', { name: 'Send the code' }).click();
    await page.getByText('Enter your user name or email.').waitFor();
    await expectAccessibleInBoth(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await askFor(page, 'nobody.at.all');
    await page.getByText('If an account matches, a code is on its way. It is valid for 10 minutes.').waitFor();
    await expectAccessibleInBoth(page);
  });
});
