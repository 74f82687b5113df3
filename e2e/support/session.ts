import { createHttpClient, type HttpClient } from '@milepost/client';
import { signIn } from '@milepost/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type Visit, visit } from './browser.ts';
import { type Milepost, OWNER } from './milepost.ts';

/** An API client, signed in as the owner. */
export async function ownerApi(milepost: Pick<Milepost, 'url'>): Promise<HttpClient> {
  let token: string | null = null;
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  ({ token } = await http.call(signIn, { body: { userName: OWNER.name, password: OWNER.password } }));
  return http;
}

/** A visitor who signed in earlier: with a stored token, and the sign-in toast already seen. */
export async function visitSignedIn(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
  user: SignsIn = OWNER,
): Promise<Visit & { readonly token: string }> {
  const token = await tokenOf(baseURL, user);
  const visitor = await visit(browser, baseURL, options);
  await storeToken(visitor.page, token);
  return { ...visitor, token };
}

interface SignsIn {
  readonly name: string;
  readonly password: string;
  readonly keepSignedIn?: boolean;
}

export async function tokenOf(baseURL: string, { name, password, keepSignedIn }: SignsIn): Promise<string> {
  const answer = await fetch(`${baseURL}/api/v1/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: name, password, keepSignedIn }),
  });
  return ((await answer.json()) as { token: string }).token;
}

export const storeToken = (page: Page, token: string): Promise<unknown> =>
  page.addInitScript(stored => {
    // Only once per browser, so that signing out lasts.
    if (sessionStorage.getItem('loginNotified') !== null) return;
    localStorage.setItem('token', stored);
    sessionStorage.setItem('loginNotified', '1');
  }, token);
