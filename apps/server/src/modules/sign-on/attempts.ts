import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/schema.ts';
import type { Checks } from './provider.ts';

/** Between the button and the way back; a second factor at the provider takes a while. */
const ATTEMPT_S = 15 * 60;
const COOKIE = 'milepost_sign_on';

export interface Attempt extends Checks {
  readonly accountId: number;
  readonly issuer: string;
  readonly returnTo: string;
}

const secret = (): string => randomBytes(32).toString('base64url');
const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Notes a sign-in that goes to the provider now, and makes the cookie that binds it to the browser: who brings the
 * provider's answer without it, such as a page that wants its visitor to be someone else, gets nothing.
 */
export async function beginAttempt(
  system: Kysely<Database>,
  of: Pick<Attempt, 'accountId' | 'issuer' | 'redirectUri' | 'returnTo'>,
): Promise<{ readonly checks: Checks; readonly cookie: string }> {
  const { accountId, issuer, redirectUri, returnTo } = of;
  const [state, nonce, codeVerifier, browser] = [secret(), secret(), secret(), secret()];
  await system.deleteFrom('sign_on_attempt').where('expires_at', '<', new Date()).execute();
  await system
    .insertInto('sign_on_attempt')
    .values({
      ...{ state_hash: hash(state), browser_hash: hash(browser), account_id: accountId, issuer, nonce },
      ...{ code_verifier: codeVerifier, redirect_uri: redirectUri, return_to: returnTo },
      expires_at: new Date(Date.now() + ATTEMPT_S * 1000),
    })
    .execute();
  const isSecure = redirectUri.startsWith('https:');
  // Sent by our own page only, so Strict does not keep it from coming back.
  const cookie = `${cookieName(isSecure)}=${browser}; Max-Age=${ATTEMPT_S}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return { checks: { state, nonce, codeVerifier, redirectUri }, cookie };
}

/** RFC 6265bis, 4.1.3.2: only this host can set it, over TLS. */
const cookieName = (isSecure: boolean): string => (isSecure ? `__Host-${COOKIE}` : COOKIE);

/** Takes the attempt that the answer belongs to; once, and only in the browser that began it. */
export async function takeAttempt(
  system: Kysely<Database>,
  answer: string,
  cookies: string | undefined,
): Promise<Attempt> {
  const state = new URLSearchParams(answer).get('state') ?? '';
  for (const browser of browsersOf(cookies)) {
    const row = await system
      .deleteFrom('sign_on_attempt')
      .where('state_hash', '=', hash(state))
      .where('browser_hash', '=', hash(browser))
      .where('expires_at', '>', new Date())
      .returningAll()
      .executeTakeFirst();
    if (!row) continue;
    return {
      ...{ accountId: row.account_id, issuer: row.issuer, returnTo: row.return_to },
      ...{ state, nonce: row.nonce, codeVerifier: row.code_verifier, redirectUri: row.redirect_uri },
    };
  }
  throw new AppError('sign-on-over');
}

const browsersOf = (cookies = ''): string[] =>
  cookies
    .split(';')
    .map(each => each.trim().split('='))
    .filter(([name]) => name === cookieName(true) || name === cookieName(false))
    .map(([, value = '']) => value);
