import { createSign, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import {
  beginSignOn,
  CLIENT,
  finish,
  IdentityProvider,
  type ProviderPerson,
  signingKey,
  signOn,
  signOnSettings,
  throughProvider,
} from '../../../testing/identity-provider.ts';

/** Who tries to get in by single sign-on, as someone else or at all, at a real provider. */

let server: TestHttpServer;
let provider: IdentityProvider;
let owner: SignedIn;

beforeAll(async () => {
  [server, provider] = await Promise.all([startHttpServer(), IdentityProvider.start()]);
  owner = await signedIn(server, { operator: true });
});
afterAll(() => Promise.all([server?.close(), provider?.close()]));
beforeEach(async () => {
  provider.forge = null;
  provider.visitor = person();
  await set();
});

let people = 0;
const person = (more: Partial<ProviderPerson> = {}): ProviderPerson => ({
  ...{ sub: `visitor-${++people}`, email: `visitor-${people}@acme.example`, email_verified: true },
  ...more,
});
const set = (more: object = {}) =>
  server.call('PUT', '/api/v1/sign_on', { token: owner.token, body: signOnSettings(provider, more) });
const codeOf = ({ body }: { readonly body: unknown }) => (body as { code?: string }).code ?? 'in';
const users = () => server.context.db.system.selectFrom('app_user').select(['id', 'account_id', 'role']).execute();

describe('the way back', () => {
  it('works once', async () => {
    const { cookie, url } = await beginSignOn(server);
    const answer = await throughProvider(url);
    expect(codeOf(await finish(server, answer, cookie))).toBe('in');
    expect(codeOf(await finish(server, answer, cookie))).toBe('sign-on-over');
  });

  it('works only in the browser that began it', async () => {
    const [mine, theirs] = [await beginSignOn(server), await beginSignOn(server)];
    const answer = await throughProvider(theirs.url);
    for (const cookie of [mine.cookie, '', 'milepost_sign_on=guessed']) {
      expect(codeOf(await finish(server, answer, cookie))).toBe('sign-on-over');
    }
    // Trying did not use it up.
    expect(codeOf(await finish(server, answer, theirs.cookie))).toBe('in');
  });

  it('refuses another state, none, and a code of another sign-in', async () => {
    const [first, second] = [await beginSignOn(server), await beginSignOn(server)];
    const [one, two] = [await throughProvider(first.url), await throughProvider(second.url)];
    const swapped = new URLSearchParams(one);
    swapped.set('state', new URLSearchParams(two).get('state') ?? '');
    expect(codeOf(await finish(server, swapped.toString(), first.cookie))).toBe('sign-on-over');
    swapped.delete('state');
    expect(codeOf(await finish(server, swapped.toString(), first.cookie))).toBe('sign-on-over');
    // The code of one sign-in with the state and the cookie of the other: its PKCE verifier and nonce are others.
    const mixed = new URLSearchParams(two);
    mixed.set('code', new URLSearchParams(one).get('code') ?? '');
    expect(codeOf(await finish(server, mixed.toString(), second.cookie))).toBe('sign-on-untrusted');
  });

  it('refuses an answer that says it comes from another issuer, or has no code', async () => {
    for (const change of [{ iss: 'https://id.attacker.example' }, { iss: null }, { code: null }]) {
      const { cookie, url } = await beginSignOn(server);
      const answer = new URLSearchParams(await throughProvider(url));
      for (const [name, value] of Object.entries(change)) {
        if (value === null) answer.delete(name);
        else answer.set(name, value);
      }
      expect(codeOf(await finish(server, answer.toString(), cookie))).toBe('sign-on-untrusted');
    }
  });

  it('is over after fifteen minutes, and when the issuer has changed meanwhile', async () => {
    const { cookie, url } = await beginSignOn(server);
    const answer = await throughProvider(url);
    const { system } = server.context.db;
    await system
      .updateTable('sign_on_attempt')
      .set({ expires_at: new Date(Date.now() - 1) })
      .execute();
    expect(codeOf(await finish(server, answer, cookie))).toBe('sign-on-over');
    const next = await beginSignOn(server);
    const late = await throughProvider(next.url);
    await set({ issuer: 'https://id.attacker.example' });
    expect(codeOf(await finish(server, late, next.cookie))).toBe('sign-on-over');
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example', 'javascript:alert(1)', ''])(
    'never goes on to %j',
    async from => {
      expect(codeOf(await beginSignOn(server, { from }))).toBe('invalid-input');
    },
  );

  it('has to wait after many wrong tries from an address', async () => {
    const forwarded = await startHttpServer();
    let code = '';
    for (let i = 0; i < 21; i++) code = codeOf(await finish(forwarded, 'state=x&code=y', 'milepost_sign_on=z'));
    expect(code).toBe('too-many-tries');
    await forwarded.close();
  });
});

describe('the ID token', () => {
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const decoded = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  /** The token with other claims, signed by a key. */
  const forged = (token: string, key: KeyObject, claims: object, header: object = {}) => {
    const [head, body] = token.split('.');
    const signed = `${encoded({ ...decoded(head), ...header })}.${encoded({ ...decoded(body), ...claims })}`;
    return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
  };
  const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;
  const stranger = signingKey('one');
  const own = () => provider.key.privateKey;
  const enter = async (forge: (token: string) => string) => {
    provider.forge = forge;
    const before = await users();
    const code = codeOf(await signOn(server));
    if (code !== 'in') expect(await users()).toEqual(before);
    return code;
  };

  it('is accepted as the provider signs it', async () => {
    expect(await enter(token => forged(token, own(), {}))).toBe('in');
  });

  it.each<[string, (token: string) => string]>([
    ['signed by another key with the same name', token => forged(token, stranger.privateKey, {})],
    [
      'signed by a key that the provider does not have',
      token => forged(token, stranger.privateKey, {}, { kid: 'two' }),
    ],
    [
      'changed, with the signature of before',
      token => token.replace(/\.[^.]+\./, `.${encoded({ ...decoded(token.split('.')[1]), sub: 'boss' })}.`),
    ],
    ['without a signature, alg none', token => `${encoded({ alg: 'none' })}.${token.split('.')[1]}.`],
    ['with its signature cut off', token => `${token.slice(0, token.lastIndexOf('.'))}.`],
    [
      'signed by the public key as if it were a secret',
      token => forged(token, stranger.privateKey, {}, { alg: 'HS256' }),
    ],
    ['of another issuer', token => forged(token, own(), { iss: 'https://id.attacker.example' })],
    ['for another client', token => forged(token, own(), { aud: 'another' })],
    ['with another nonce', token => forged(token, own(), { nonce: 'another' })],
    ['without a nonce', token => forged(token, own(), { nonce: undefined })],
    ['that has expired', token => forged(token, own(), { exp: Math.floor(Date.now() / 1000) - 120 })],
    ['that is not valid yet', token => forged(token, own(), { nbf: inAnHour() })],
    ['without a subject', token => forged(token, own(), { sub: undefined })],
    ['of another subject than the provider says when asked', token => forged(token, own(), { sub: 'boss' })],
  ])('is refused %s', async (_, forge) => {
    expect(await enter(forge)).toBe('sign-on-untrusted');
  });

  it('may be a little behind or ahead of our clock', async () => {
    expect(await enter(token => forged(token, own(), { exp: Math.floor(Date.now() / 1000) - 30 }))).toBe('in');
  });
});

describe('taking over a user', () => {
  const existing = async (email: string, columns: object = {}) => {
    const user = await signedIn(server, { accountId: owner.accountId, role: 'admin' });
    await server.context.db.system
      .updateTable('app_user')
      .set({ email, confirmed_email: email, password_hash: 'x', ...columns })
      .where('id', '=', user.userId)
      .execute();
    return user;
  };

  it('by their email address fails where the account does not match by it, or nobody verified it', async () => {
    const visitor = person();
    await existing(visitor.email ?? '');
    provider.visitor = visitor;
    expect(codeOf(await signOn(server))).toBe('sign-on-email-taken');
    await set({ matchByEmail: true });
    provider.visitor = { ...visitor, email_verified: false };
    // Someone new, without the address.
    expect(codeOf(await signOn(server))).toBe('in');
  });

  it('by an address that a colleague entered as theirs and never confirmed fails', async () => {
    await set({ matchByEmail: true });
    const visitor = person();
    await existing(visitor.email ?? '', { confirmed_email: null });
    provider.visitor = visitor;
    expect(codeOf(await signOn(server))).toBe('sign-on-email-taken');
  });

  it('by an address that has changed hands at the provider fails', async () => {
    await set({ matchByEmail: true });
    const visitor = person();
    await existing(visitor.email ?? '');
    provider.visitor = visitor;
    expect(codeOf(await signOn(server))).toBe('in');
    provider.visitor = { ...visitor, sub: 'a new colleague' };
    expect(codeOf(await signOn(server))).toBe('sign-on-email-taken');
  });

  it('of another account fails: neither by email nor by the same person at the same provider', async () => {
    await set({ matchByEmail: true });
    const other = await signedIn(server);
    const { system } = server.context.db;
    const visitor = person();
    await system
      .updateTable('app_user')
      .set({ email: visitor.email ?? '', confirmed_email: visitor.email ?? '' })
      .where('id', '=', other.userId)
      .execute();
    provider.visitor = visitor;
    expect(codeOf(await signOn(server))).toBe('sign-on-email-taken');
    // The same subject is connected there; here it is someone new.
    await system.updateTable('app_user').set({ email: null }).where('id', '=', other.userId).execute();
    await system
      .insertInto('sign_on_identity')
      .values({ account_id: other.accountId, user_id: other.userId, issuer: provider.issuer, subject: visitor.sub })
      .execute();
    const { token } = (await signOn(server)).body as { token: string };
    const me = (await server.call('GET', '/api/v1/read_me', { token })).body;
    expect(me).toMatchObject({ account: { id: String(owner.accountId) }, role: 'viewer' });
  });

  it('of another account by the state of that account fails: the code goes to its own provider only', async () => {
    const other = await signedIn(server);
    const theirs = await IdentityProvider.start();
    const { system } = server.context.db;
    const row = await system
      .selectFrom('sign_on')
      .selectAll()
      .where('account_id', '=', owner.accountId)
      .executeTakeFirstOrThrow();
    const { link } = await system
      .insertInto('sign_on')
      .values({
        ...{ ...row, groups: '[]', account_id: other.accountId, link: crypto.randomUUID(), issuer: theirs.issuer },
      })
      .returning('link')
      .executeTakeFirstOrThrow();
    // Without the operator's right to name addresses in this network, it can't even begin.
    expect(codeOf(await beginSignOn(server, { key: link }))).toBe('sign-on-down');
    await system.updateTable('account').set({ operator: false }).where('id', '=', owner.accountId).execute();
    await system.updateTable('account').set({ operator: true }).where('id', '=', other.accountId).execute();
    const begun = await beginSignOn(server, { key: link });
    await system.updateTable('account').set({ operator: false }).where('id', '=', other.accountId).execute();
    await system.updateTable('account').set({ operator: true }).where('id', '=', owner.accountId).execute();
    const mine = await beginSignOn(server);
    const answer = new URLSearchParams(await throughProvider(mine.url));
    answer.set('state', new URL(begun.url).searchParams.get('state') ?? '');
    const before = await users();
    expect(codeOf(await finish(server, answer.toString(), begun.cookie))).not.toBe('in');
    expect(await users()).toEqual(before);
    await theirs.close();
  });
});

describe('a provider that leads elsewhere', () => {
  it.each([
    ['javascript:alert(document.domain)//', 'sign-on-down'],
    ['http://elsewhere.example/auth', 'sign-on-down'],
    ['https://elsewhere.example/auth', 'in'],
  ])('to %s: %s', async (address, expected) => {
    const impostor = createServer((_, response) => {
      const issuer = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`;
      const metadata = {
        issuer,
        authorization_endpoint: address,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
    });
    await new Promise<void>(resolve => impostor.listen(0, '127.0.0.1', resolve));
    await set({ issuer: `http://127.0.0.1:${(impostor.address() as AddressInfo).port}` });
    expect(codeOf(await beginSignOn(server))).toBe(expected);
    await new Promise(resolve => impostor.close(resolve));
  });
});

describe('the log', () => {
  it('says why a sign-in failed, and nothing that the provider sent', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'warn' }, { write: line => void lines.push(line) });
    const logged = await startHttpServer({ log });
    const { token } = await signedIn(logged, { operator: true });
    await logged.call('PUT', '/api/v1/sign_on', { token, body: signOnSettings(provider) });
    let idToken = '';
    provider.forge = sent => {
      idToken = sent;
      return `${sent.slice(0, -4)}AAAA`;
    };
    const { cookie, url } = await beginSignOn(logged);
    const answer = await throughProvider(url);
    expect(codeOf(await finish(logged, answer, cookie))).toBe('sign-on-untrusted');
    const said = lines.filter(line => line.includes('A single sign-on failed'));
    expect(said.map(line => JSON.parse(line))).toMatchObject([
      { code: 'sign-on-untrusted', reason: expect.stringContaining('signature') },
    ]);
    const { code = '', state = '' } = Object.fromEntries(new URLSearchParams(answer));
    for (const secret of [code, state, idToken, cookie.split('=')[1] ?? '', CLIENT.secret]) {
      expect(secret).not.toBe('');
      expect(lines.join()).not.toContain(secret);
    }
    await logged.close();
  });
});
