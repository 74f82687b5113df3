import { finishSignOn, readClientSettings, readSignOnLink, signIn, startSignOn } from '@milepost/contract';
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

describe('single sign-on', () => {
  const CLIENT = { version: '0.0.0', appName: 'Milepost', demo: false, demoVisit: false, needsOwner: false };

  it('has a button with the account’s own words, which leads on and keeps where the user wanted to go', async () => {
    await open('/login?from=/alerts', [when(readClientSettings, { ...CLIENT, signOn: 'Continue with Acme ID' })], {
      me: null,
    });
    const link = page.getByRole('link', { name: 'Continue with Acme ID' });
    await expect.element(link).toHaveAttribute('href', '/sign-on?from=%2Falerts');
    await expectAccessibleInBoth();
  });

  it('says why the provider’s answer was refused, and starts again', async () => {
    await open(
      '/sign-on?code=a&state=b',
      [
        when(finishSignOn, refused('sign-on-no-role')),
        when(startSignOn, refused('sign-on-elsewhere', { params: { address: 'https://fleet.example/login' } })),
      ],
      { me: null },
    );
    await expect
      .element(page.getByRole('main').getByRole('alert'))
      .toHaveTextContent('None of your groups has a role here. Ask an owner, or the person who manages your groups.');
    expect(sent(finishSignOn)[0]?.body).toEqual({ answer: 'code=a&state=b' });
    await expectAccessibleInBoth();
    await page.getByRole('button', { name: 'Start again' }).click();
    await expect
      .element(page.getByRole('main').getByRole('alert'))
      .toHaveTextContent('Single sign-on works at a different address. Open https://fleet.example/login to sign in.');
    await expect.element(page.getByRole('link', { name: 'Go to sign-in' })).toBeVisible();
  });

  it('by a link says whose it is, and goes on only after a click', async () => {
    const key = '2f0c1e7e-5f0e-4c8e-9a44-2f7c4ad6c0b1';
    await open(
      `/sign-on?with=${key}`,
      [when(readSignOnLink, { organization: 'Acme', label: 'Acme ID' }), when(startSignOn, refused('sign-on-down'))],
      { me: null },
    );
    await expect.element(page.getByRole('heading', { name: 'Sign in to Acme' })).toBeVisible();
    expect(sent(startSignOn)).toEqual([]);
    await page.getByRole('button', { name: 'Acme ID' }).click();
    await expect
      .element(page.getByRole('main').getByRole('alert'))
      .toHaveTextContent('The identity provider can’t be reached. Try again in a few minutes.');
    expect(sent(startSignOn)[0]?.body).toEqual({ key, from: '/' });
  });

  it('goes on only after a click, too, where its address was opened from elsewhere', async () => {
    await open('/sign-on', [when(startSignOn, refused('sign-on-off'))], { me: null });
    await expect.element(page.getByRole('heading', { name: 'Single sign-on' })).toBeVisible();
    expect(sent(startSignOn)).toEqual([]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect
      .element(page.getByRole('main').getByRole('alert'))
      .toHaveTextContent('Single sign-on is not available here. Sign in with your password.');
  });
});
