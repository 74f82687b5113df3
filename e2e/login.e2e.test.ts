import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TEST_CONFIG } from '../apps/server/testing/context.ts';
import { IdentityProvider, signOnSettings } from '../apps/server/testing/identity-provider.ts';
import { ownPort } from '../apps/server/testing/own-port.ts';
import { expectAccessible, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { isFocused } from './support/fields.ts';
import { type Milepost, OWNER, signIn, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';

leaveMapsOut();

let browser: Browser;
let milepost: Milepost;
let provider: IdentityProvider;

beforeAll(async () => {
  // A provider sends back to an address that it knows.
  const port = await ownPort();
  const origin = `http://127.0.0.1:${port}`;
  [browser, milepost, provider] = await Promise.all([
    launchBrowser(),
    startMilepost({ http: { ...TEST_CONFIG.http, port, publicUrl: origin } }),
    IdentityProvider.start({ origins: [origin] }),
  ]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close(), provider?.close()]));

describe('the sign-in page', () => {
  it('[R2.02] [R2.25] is open to everyone, in one root element, with nothing blocked or broken; [R4.01] [R7.01] [R7.02] it stores the token, sends it with every request and loads the user', async () => {
    const { page, complaints } = await visit(browser, milepost.url);
    const answer = await page.goto('/login');
    expect(answer?.status()).toBe(200);
    await expect.poll(() => page.title()).toBe('Sign in · Milepost');
    await expect.poll(() => page.locator('body > *:not(script)').count()).toBe(1);
    await page.getByText('All services are running').waitFor();
    await page.getByText('Milepost 0.0.0-test').waitFor();
    await expect.poll(() => isFocused(page.getByLabel('User name or email'))).toBe(true);

    // The session lasts 30 days only if the user asks for it.
    await page.getByLabel('Keep me signed in on this device').check();
    const [signedIn, readMe] = [page.waitForResponse('**/api/v1/signin'), page.waitForRequest('**/api/v1/read_me')];
    await signIn(page);
    const { expiresAt } = (await (await signedIn).json()) as { expiresAt: string };
    const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
    const token = await page.evaluate(() => localStorage.getItem('token'));
    expect(token).toBeTruthy();
    expect((await (await readMe).allHeaders()).authorization).toBe(`Bearer ${token}`);
    await page
      .getByRole('button', { name: `Account: ${OWNER.name}` })
      .first()
      .waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');

    // What the sign-in page says in one line about the services is in the settings in detail.
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('link', { name: /^System/ }).click();
    await page.getByRole('definition').filter({ hasText: 'OK' }).first().waitFor();

    // A user who is already signed in goes on at once.
    await page.goto('/login');
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    expect(complaints).toEqual([]);
  });

  it('[R9.09] uses the chosen language, also in errors, and remembers it', async () => {
    const { page } = await visit(browser, milepost.url);
    await page.goto('/login');
    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitemradio', { name: 'Español' }).click();
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.lang)).toBe('es');
    await page.reload();
    await page.getByLabel('Nombre de usuario o correo').fill('nobody');
    await page.getByRole('textbox', { name: 'Contraseña' }).fill('not the password');
    await page.getByRole('button', { name: 'Iniciar sesión', exact: true }).click();
    await page.getByText('El usuario o la contraseña no es correcto.').waitFor();
    await expectAccessible(page);
  });

  it('[R2.18] [R5.01] visitors who are not signed in come here, and go where they wanted after signing in', async () => {
    const { page } = await visit(browser, milepost.url);
    await page.goto('/?vehicle=4127#map');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expect.poll(() => page.url()).toBe(`${milepost.url}/login?from=${encodeURIComponent('/?vehicle=4127#map')}`);
    await signIn(page);
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    await expect.poll(() => page.url()).toContain('vehicle=4127');
  });

  it('a session that ends leads here and says so: at once while the page is open, otherwise when it is opened', async () => {
    const { page, token } = await visitSignedIn(browser, milepost.url);
    await page.goto('/');
    await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    await endSession(token);
    const ended = page.getByText('Your session has ended. Sign in again.');
    await ended.waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();

    await page.evaluate(old => localStorage.setItem('token', old), token);
    await page.goto('/');
    await ended.waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  });

  it('signs in at the organization’s identity provider, goes where the user wanted, and signs out of both', async () => {
    const owner = await visitSignedIn(browser, milepost.url);
    const set = await fetch(`${milepost.url}/api/v1/sign_on`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(signOnSettings(provider, { label: 'Continue with Acme ID', signOutToo: true })),
    });
    expect(set.status).toBe(200);
    const { page, complaints } = await visit(browser, milepost.url);
    await page.goto('/login?from=%2Falerts');
    provider.visitor = null;
    await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
    await page.getByText('The identity provider did not sign you in.').waitFor();
    provider.visitor = { sub: 'nora', name: 'Nora Acme', preferred_username: 'nora.acme' };
    await page.goto('/login?from=%2Falerts');
    await page.getByRole('link', { name: 'Continue with Acme ID' }).click();
    await page.getByRole('button', { name: 'Account: Nora Acme' }).first().click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/alerts');
    // By then the code has left the address.
    expect(page.url()).not.toContain('code=');
    const ended = page.waitForRequest(request => request.url().startsWith(`${provider.issuer}/session/end?`));
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await ended;
    await page.waitForURL(`${milepost.url}/login`);
    expect(complaints.filter(complaint => !complaint.includes('400'))).toEqual([]);
  });

  async function endSession(token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${milepost.url}/api/v1/signout`, { method: 'POST', headers })).ok).toBe(true);
  }
});
