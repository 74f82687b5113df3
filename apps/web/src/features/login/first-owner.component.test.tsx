import { createFirstOwner, readClientSettings } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleInBoth } from '../../../testing/accessible.ts';
import { refused, sent, when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';

const TOKEN = 'o'.repeat(43);
const PASSWORD = 'interstate 81 northbound';

describe('[R2.02] the owner of a new installation', () => {
  it('is created with the link, after what is wrong has been said', async () => {
    let answers = 0;
    await open(
      `/login#owner=${TOKEN}`,
      [
        when(createFirstOwner, () => {
          answers++;
          return answers === 1
            ? refused('invalid-input', { fields: [{ field: 'password', code: 'common-password' }] })
            : refused('owner-link-over');
        }),
      ],
      { me: null },
    );
    await expect.element(page.getByRole('heading', { name: 'Create the owner' })).toBeVisible();
    await expectAccessibleInBoth();
    await page.getByLabelText('User name').fill('a b');
    await page.getByRole('button', { name: 'Create the owner' }).click();
    await expect.element(page.getByText('Use 3–32 letters, digits, dots, dashes or underscores.')).toBeVisible();
    expect(sent(createFirstOwner)).toEqual([]);

    await page.getByLabelText('User name').fill('ann');
    await page.getByLabelText('New password', { exact: true }).fill(PASSWORD);
    await page.getByLabelText('Repeat password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create the owner' }).click();
    await expect.element(page.getByText('This password appears in known data leaks. Choose another.')).toBeVisible();
    expect(sent(createFirstOwner)).toMatchObject([{ body: { token: TOKEN, userName: 'ann', password: PASSWORD } }]);
    await expect.element(page.getByLabelText('User name')).toHaveValue('ann');

    await page.getByRole('button', { name: 'Create the owner' }).click();
    await expect.element(page.getByText(/This link is no longer valid/)).toBeVisible();
  });

  it('is asked for on the sign-in page while there is none', async () => {
    const settings = {
      version: '0.0.0',
      appName: 'Milepost',
      demo: false,
      demoVisit: false,
      needsOwner: true,
      signOn: null,
    };
    await open('/login', [when(readClientSettings, settings)], { me: null });
    await expect.element(page.getByText(/Nobody can sign in yet\. Open the link.*“owner-link”/)).toBeVisible();
  });
});
