import { createHttpClient } from '@milepost/client';
import { registerUser, signIn as signInRoute } from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { describedText, isFocused } from './support/fields.ts';
import { linkToken, type Mailbox, openMailbox, textOf } from './support/mailbox.ts';
import { type Milepost, OWNER, signIn, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';

leaveMapsOut();

const FIRST = 'nora@rockfish.example';
const SECOND = 'nora.kessler@rockfish.example';
const TAKEN = 'gus@rockfish.example';

let browser: Browser;
let mailbox: Mailbox;
let milepost: Milepost;

beforeAll(async () => {
  mailbox = await openMailbox();
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ smtpUrl: mailbox.url })]);
  let token: string | null = null;
  const { call } = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  ({ token } = await call(signInRoute, { body: { userName: OWNER.name, password: OWNER.password } }));
  await call(registerUser, {
    body: {
      userName: 'g.kline',
      displayName: 'Gus Kline',
      role: 'viewer',
      email: TAKEN,
      password: 'interstate 81 northbound',
    },
  });
});
afterAll(async () => {
  await Promise.all([browser?.close(), milepost?.close()]);
  await mailbox?.close();
});

const mailsTo = (address: string) => mailbox.mails.map(textOf).filter(mail => mail.includes(`To: ${address}`));
async function newestLink(address: string, after = 0): Promise<string> {
  await expect.poll(() => mailsTo(address).filter(mail => linkToken(mail) !== '').length).toBeGreaterThan(after);
  return linkToken(mailsTo(address).findLast(mail => linkToken(mail) !== ''));
}

async function openProfile(options = {}): Promise<Page> {
  const { page } = await visitSignedIn(browser, milepost.url, options);
  await page.goto('/profile/you');
  await page.getByLabel('Email').waitFor();
  return page;
}

async function askFor(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`A link is on its way to ${email}.`).waitFor();
}

async function confirm(page: Page, token: string): Promise<void> {
  await page.goto(`/login#email=${token}`);
  await page.getByRole('button', { name: 'Confirm the address' }).click();
}

describe('[R7.03] a new e-mail address', () => {
  it('stays unconfirmed in the profile until its link is followed, even by someone who is not signed in', async () => {
    const page = await openProfile();
    await page.getByLabel('Email').fill('nora@');
    await page.getByRole('textbox', { name: 'Current password' }).fill(OWNER.password);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByLabel('Email').evaluate(describedText)).toContain('Enter a valid email address');
    await expect.poll(() => isFocused(page.getByLabel('Email'))).toBe(true);
    await askFor(page, FIRST);
    await page.getByText(`${FIRST} is waiting for confirmation. Link sent just now.`).waitFor();
    await page.getByText('You have no email address until you open the link.').waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('');

    const reader = await visit(browser, milepost.url);
    await confirm(reader.page, await newestLink(FIRST));
    await reader.page.getByText(`Your email address is now ${FIRST}.`).waitFor();
    await expectAccessible(reader.page);
    await reader.page.getByRole('link', { name: 'Go to sign-in' }).click();
    await signIn(reader.page, { name: FIRST, password: OWNER.password });
    await reader.page.getByRole('navigation', { name: 'Main' }).first().waitFor();

    await page.reload();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(FIRST);
    await expect.poll(() => page.getByText('is waiting for confirmation').count()).toBe(0);
  });

  it('can be sent again, which ends the previous link, or canceled; both dead links look the same', async () => {
    const page = await openProfile();
    await askFor(page, SECOND);
    await page.getByText(`${FIRST} stays in use until you open the link.`).waitFor();
    const first = await newestLink(SECOND);
    await page.getByRole('button', { name: 'Send again' }).click();
    const second = await newestLink(SECOND, 1);
    expect(second).not.toBe(first);
    await expect.poll(() => mailsTo(FIRST).some(mail => mail.includes('If you did not do this'))).toBe(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Address change canceled.').waitFor();
    await expect.poll(() => page.getByText('is waiting for confirmation').count()).toBe(0);
    for (const token of [first, second, 'made-up']) {
      const reader = await visit(browser, milepost.url);
      await confirm(reader.page, token);
      await reader.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
      await reader.page.getByText('This link has been used, has expired or was replaced.').waitFor();
    }
  });

  it('that another user has is answered like any other; too many links at once are refused and no input is lost', async () => {
    // A restart resets the limit on sent links.
    await milepost.restart();
    const page = await openProfile();
    await askFor(page, TAKEN);
    await page.getByText(`${TAKEN} is waiting for confirmation.`).waitFor();
    await expect.poll(() => mailsTo(TAKEN).some(mail => mail.includes('It belongs to your user'))).toBe(true);
    expect(mailsTo(TAKEN).filter(mail => linkToken(mail) !== '')).toEqual([]);
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) {
      const answered = page.waitForResponse(
        answer => answer.url().endsWith('/email_change') && answer.request().method() === 'POST',
      );
      await page.getByRole('button', { name: 'Send again' }).click();
      statuses.push((await answered).status());
    }
    expect(statuses).toEqual([200, 200, 429]);
    await page.getByRole('alert').getByText('Too many attempts.').waitFor();
    await page.getByText(`${TAKEN} is waiting for confirmation.`).waitFor();
  });

  it('can be requested by anyone who manages users', async () => {
    await milepost.restart();
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/users');
    await page
      .getByRole('button', { name: /Gus Kline/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Person' }).click();
    const drawer = page.getByRole('complementary', { name: 'Gus Kline' });
    await drawer.getByLabel('Email').fill('g.kline@rockfish.example');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A link to confirm the address is on its way to g.kline@rockfish.example.').waitFor();
    await drawer.getByText('g.kline@rockfish.example is waiting for them to confirm it.').waitFor();
    await expect.poll(() => drawer.getByLabel('Email').inputValue()).toBe(TAKEN);
  });
});
