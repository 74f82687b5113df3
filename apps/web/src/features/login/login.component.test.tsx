import { signIn } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessibleInBoth } from '../../../testing/accessible.ts';
import { type Answer, refused, sent, when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';

const name = page.getByLabelText('User name or email');
const password = page.getByRole('textbox', { name: 'Password' });
const enter = () => page.getByRole('button', { name: 'Sign in', exact: true }).click();

async function openLogin(...answers: readonly Answer[]): Promise<void> {
  await open('/login', answers, { me: null });
  await expect.element(name).toBeVisible();
}

describe('the sign-in page', () => {
  it('[R5.03] says beside each empty field what to do and focuses the first; axe finds nothing, light and dark', async () => {
    await openLogin();
    await page.viewport(390, 844);
    await enter();
    await expect.element(name).toHaveAttribute('aria-invalid', 'true');
    await expect.element(name).toHaveAccessibleDescription('Enter your user name or email.');
    await expect.element(password).toHaveAccessibleDescription('Enter your password.');
    await expect.element(name).toHaveFocus();
    await expectAccessibleInBoth();

    await name.fill('someone');
    await enter();
    await expect.element(password).toHaveFocus();
    expect(page.getByText('Enter your user name or email.').elements()).toEqual([]);
    expect(sent(signIn)).toEqual([]);
  });

  it('[R8.05] says clearly that the credentials are wrong, and keeps what was typed', async () => {
    await openLogin(when(signIn, refused('wrong-credentials')));
    await name.fill('nora.kessler');
    await password.fill('not this one');
    await enter();
    const alert = page.getByRole('alert').filter({ hasText: 'User name or password is incorrect.' });
    await expect.element(alert).toHaveFocus();
    await expect.element(name).toHaveValue('nora.kessler');
    await expect.element(password).toHaveValue('not this one');
  });

  it('says how long to wait after too many attempts', async () => {
    await openLogin(when(signIn, refused('too-many-tries', { params: { waitS: 60 } })));
    await name.fill('nobody.at.all');
    await password.fill('guess 12');
    await enter();
    await expect.element(page.getByText(/Too many attempts\. Try again in \d+ (second|minute)s?\./)).toBeVisible();
  });

  it('shows and hides the password', async () => {
    await openLogin();
    await expect.element(password).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect.element(password).toHaveAttribute('type', 'text');
  });
});
