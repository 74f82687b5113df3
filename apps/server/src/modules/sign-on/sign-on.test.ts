import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TEST_CONFIG } from '../../../testing/context.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import {
  beginSignOn,
  finish,
  IdentityProvider,
  type ProviderPerson,
  signOn,
  signOnSettings,
  throughProvider,
} from '../../../testing/identity-provider.ts';

/** Whole sign-ins at a real provider: who gets in, as whom, with which rights. `attacks.test.ts` has who must not, `settings.test.ts` how it is set up. */

let server: TestHttpServer;
let provider: IdentityProvider;
let owner: SignedIn;

beforeAll(async () => {
  [server, provider] = await Promise.all([startHttpServer(), IdentityProvider.start()]);
  owner = await signedIn(server, { operator: true });
});
afterAll(() => Promise.all([server?.close(), provider?.close()]));
beforeEach(async () => {
  provider.isDown = false;
  await set();
});

let people = 0;
const person = (more: Partial<ProviderPerson> = {}): ProviderPerson => {
  const sub = `newcomer-${++people}`;
  return { sub, email: `${sub}@acme.example`, email_verified: true, name: `Person ${people}`, ...more };
};
async function set(more: object = {}) {
  const answer = await server.call('PUT', '/api/v1/sign_on', {
    token: owner.token,
    body: signOnSettings(provider, more),
  });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer;
}
async function enter(visitor: ProviderPerson, body: object = {}) {
  provider.visitor = visitor;
  const answer = await signOn(server, body);
  return {
    ...answer,
    code: (answer.body as { code?: string }).code,
    token: (answer.body as { token?: string }).token ?? '',
  };
}
const meOf = async (token: string) =>
  (await server.call('GET', '/api/v1/read_me', { token })).body as Record<string, unknown>;
const actionsOf = async (userId: unknown) =>
  (
    await server.context.db.system
      .selectFrom('audit_entry')
      .select(['action', 'changes'])
      .where('target_id', '=', String(userId))
      .orderBy('id')
      .execute()
  ).map(({ action, changes }) => [action, JSON.stringify(changes)] as const);
const colleague = (role: 'dispatcher' | 'viewer' = 'viewer') => signedIn(server, { accountId: owner.accountId, role });
const change = (userId: string, columns: object) =>
  server.context.db.system.updateTable('app_user').set(columns).where('id', '=', userId).execute();

describe('the first sign-in', () => {
  it('creates a user who can do what their first group says, and says so in the audit log', async () => {
    await set({
      groups: [
        { group: 'dispatch', role: 'dispatcher' },
        { group: 'staff', role: 'viewer' },
      ],
    });
    const visitor = person({ preferred_username: 'maria.lopez@acme.example', groups: ['staff', 'dispatch'] });
    const { body, status, token } = await enter(visitor, { from: '/alerts?open=3' });
    expect([status, body]).toEqual([200, { token, expiresAt: expect.any(String), from: '/alerts?open=3' }]);
    const me = await meOf(token);
    expect(me).toMatchObject({
      userName: 'maria.lopez',
      displayName: visitor.name,
      email: visitor.email,
      role: 'dispatcher',
    });
    expect(await actionsOf(me.id)).toEqual([
      ['user.created', expect.stringContaining('"dispatcher"')],
      ['session.opened', expect.stringContaining('single sign-on')],
    ]);
    const sessions = await server.call('GET', '/api/v1/session', { token });
    expect(sessions.body).toMatchObject([{ current: true, signedOnWith: 'Acme ID' }]);
    // The same person, later: the same user.
    expect((await meOf((await enter(visitor)).token)).id).toBe(me.id);
  });

  it('gives a free user name, and no address that nobody has verified', async () => {
    const names = [];
    for (let i = 0; i < 3; i++) {
      const { token } = await enter(person({ preferred_username: 'Zoë', email_verified: false }));
      const { email, userName } = await meOf(token);
      expect(email).toBeNull();
      names.push(userName);
    }
    expect(names).toEqual(['Zoe', 'Zoe2', 'Zoe3']);
  });

  it('is refused where users are added by hand, until there is one with the address', async () => {
    await set({ createUsers: false, matchByEmail: true });
    const visitor = person();
    expect((await enter(visitor)).code).toBe('sign-on-unknown');
    const body = { userName: 'by.hand', displayName: 'By Hand', email: visitor.email, role: 'dispatcher' };
    expect((await server.call('POST', '/api/v1/register_user', { token: owner.token, body })).status).toBe(201);
    const me = await meOf((await enter(visitor)).token);
    expect(me).toMatchObject({ userName: 'by.hand', role: 'dispatcher' });
    expect((await actionsOf(me.id)).map(([action]) => action)).toContain('sign-on.connected');
    const [user] = (await server.call('GET', '/api/v1/read_my_users?q=by.hand', { token: owner.token }))
      .body as object[];
    expect(user).toMatchObject({ state: 'active' });
  });

  it.each([
    ['sign-on-domain', { email: 'a@elsewhere.example', email_verified: true }],
    ['sign-on-domain', { email: 'a@sub.acme.example', email_verified: true }],
    ['sign-on-unverified', { email: 'a@acme.example', email_verified: false }],
    ['sign-on-unverified', {}],
  ])('is refused with %s for %o, where only one domain is allowed', async (code, claims) => {
    await set({ domains: ['ACME.example'] });
    expect((await enter({ sub: `d-${++people}`, ...claims })).code).toBe(code);
    expect((await enter(person())).status).toBe(200);
  });
});

describe('later sign-ins', () => {
  it('change the role with the groups, at once in sessions that are open', async () => {
    await set({
      defaultRole: null,
      groups: [
        { group: 'admins', role: 'admin' },
        { group: 'staff', role: 'viewer', scope: { folderIds: [], departmentIds: [] } },
      ],
    });
    const visitor = person({ groups: ['admins'] });
    const { token } = await enter(visitor);
    expect(await meOf(token)).toMatchObject({ role: 'admin', scope: null });
    const { id } = await meOf(token);
    await enter({ ...visitor, groups: ['staff'] });
    expect(await meOf(token)).toMatchObject({ role: 'viewer', scope: { folderIds: [], departmentIds: [] } });
    expect((await actionsOf(id)).map(([action]) => action)).toContain('user.changed');
    // In none of the groups: no way in, and what was open is over.
    expect((await enter({ ...visitor, groups: ['chess'] })).code).toBe('sign-on-no-role');
    expect((await server.call('GET', '/api/v1/read_me', { token })).status).toBe(401);
    expect((await actionsOf(id)).at(-1)).toEqual(['session.refused', expect.stringContaining('sign-on-no-role')]);
  });

  it('leave roles alone where no groups are set up', async () => {
    const visitor = person({ groups: ['admins'] });
    const { id } = await meOf((await enter(visitor)).token);
    await change(String(id), { role: 'dispatcher' });
    expect(await meOf((await enter(visitor)).token)).toMatchObject({ role: 'dispatcher' });
  });

  it('never take the last owner’s rights away', async () => {
    await set({ matchByEmail: true, groups: [{ group: 'staff', role: 'viewer' }] });
    const visitor = person({ groups: ['staff'] });
    await change(owner.userId, { email: visitor.email, confirmed_email: visitor.email, password_hash: 'x' });
    expect(await meOf((await enter(visitor)).token)).toMatchObject({ id: owner.userId, role: 'owner' });
  });

  it('keep deactivated users and those whose access has ended out', async () => {
    const visitor = person();
    const { id } = await meOf((await enter(visitor)).token);
    await change(String(id), { active: false });
    expect((await enter(visitor)).code).toBe('sign-on-deactivated');
    await change(String(id), { active: true, expires_at: new Date(Date.now() - 1000) });
    expect((await enter(visitor)).code).toBe('sign-on-deactivated');
    expect((await actionsOf(id)).at(-1)?.[0]).toBe('session.refused');
  });
});

describe('a second factor that the account requires', () => {
  it('must have been asked for by the provider, or the account trusts that it is', async () => {
    // By the database: an owner without a second factor of their own could not go on.
    const { system } = server.context.db;
    const policy = (secondFactor: 'everybody' | 'optional') =>
      system.updateTable('account').set({ second_factor_policy: secondFactor }).execute();
    const trust = (isTrusted: boolean) =>
      system.updateTable('sign_on').set({ trust_second_factor: isTrusted }).execute();
    await policy('everybody');
    const visitor = person();
    expect((await enter(visitor)).code).toBe('sign-on-second-factor');
    await trust(true);
    expect(await meOf((await enter(visitor)).token)).toMatchObject({ duty: null });
    await policy('optional');
    const other = await IdentityProvider.start({ inIdToken: true });
    await set({ issuer: other.issuer });
    await policy('everybody');
    for (const [amr, token] of [
      [['pwd'], ''],
      [['pwd', 'mfa'], expect.any(String)],
    ] as const) {
      other.visitor = { ...visitor, sub: 'other', email: 'other@acme.example', amr };
      const { body } = await signOn(server);
      expect(body).toMatchObject(token === '' ? { code: 'sign-on-second-factor' } : { token });
    }
    await policy('optional');
    await other.close();
  });
});

describe('passwords beside it', () => {
  it('open sessions for owners only, if the account wants that', async () => {
    const PASSWORD = 'a long enough password';
    const body = { userName: 'pat.doe', displayName: 'Pat Doe', role: 'viewer', password: PASSWORD };
    await server.call('POST', '/api/v1/register_user', { token: owner.token, body });
    const signIn = () => server.call('POST', '/api/v1/signin', { body: { userName: 'pat.doe', password: PASSWORD } });
    expect((await signIn()).status).toBe(200);
    await set({ passwords: 'owners' });
    expect(await signIn()).toMatchObject({ status: 403, body: { code: 'sign-on-only' } });
    // Turned off, it keeps nobody out.
    await set({ passwords: 'owners', enabled: false });
    expect((await signIn()).status).toBe(200);
  });
});

describe('the sign-in page', () => {
  it('shows the button of its account, and nothing when it is off', async () => {
    const offered = async () => (await server.call('GET', '/api/v1/client_settings')).body;
    expect(await offered()).toMatchObject({ signOn: 'Acme ID' });
    await set({ enabled: false });
    expect(await offered()).toMatchObject({ signOn: null });
    expect((await beginSignOn(server)).body).toMatchObject({ code: 'sign-on-off' });
  });

  it('goes to the provider with PKCE, state and nonce, and binds them to the browser', async () => {
    const { headers, url } = await beginSignOn(server);
    const asked = new URL(url).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost:8080/sign-on',
      scope: 'openid email profile groups',
    });
    for (const secret of ['state', 'nonce', 'code_challenge']) expect(asked.get(secret)).toMatch(/^[\w-]{43}$/);
    expect(headers.get('set-cookie')).toMatch(
      /^milepost_sign_on=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('lets only this host set the cookie, over TLS, where users open it with TLS', async () => {
    const publicUrl = 'https://fleet.example';
    const secure = await startHttpServer({ config: { http: { ...TEST_CONFIG.http, publicUrl } } });
    const { token } = await signedIn(secure, { operator: true });
    await secure.call('PUT', '/api/v1/sign_on', { token, body: signOnSettings(provider) });
    const { headers } = await beginSignOn(secure);
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-milepost_sign_on=[\w-]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    await secure.close();
  });

  it('says where to go from an address that is not registered at the provider', async () => {
    const answer = await server.call('POST', '/api/v1/sign_on/start', {
      body: {},
      headers: { origin: 'http://10.0.0.1' },
    });
    expect(answer.body).toMatchObject({
      code: 'sign-on-elsewhere',
      params: { address: 'http://localhost:8080/login' },
    });
  });

  it('leads other accounts’ users by the link of their account', async () => {
    const other = await signedIn(server);
    // Another account's owner can't name an address in the server's network, so the row is written for them.
    await server.context.db.system
      .insertInto('sign_on')
      .values({
        ...{ account_id: other.accountId, is_on: true, label: 'Other ID', issuer: 'https://id.other.example' },
        ...{ client_id: 'x', scopes: '', groups_claim: 'groups', groups: '[]', default_role: null, domains: [] },
        ...{ create_users: true, match_by_email: false, passwords: 'everyone', trust_second_factor: false },
        sign_out_too: false,
      })
      .execute();
    const { link } = (await server.call('GET', '/api/v1/sign_on', { token: other.token })).body as { link: string };
    const key = new URL(link).searchParams.get('with');
    expect((await server.call('GET', `/api/v1/sign_on/link/${key}`)).body).toMatchObject({ label: 'Other ID' });
    expect((await server.call('GET', `/api/v1/sign_on/link/${crypto.randomUUID()}`)).status).toBe(404);
  });
});

describe('what the provider does wrong', () => {
  it('is told in words of its own', async () => {
    provider.visitor = null;
    expect((await signOn(server)).body).toMatchObject({ code: 'sign-on-canceled' });
    await set({ clientSecret: 'not the secret' });
    expect((await enter(person())).code).toBe('sign-on-client');
    await set();
    const { cookie, url } = await beginSignOn(server);
    const answer = await throughProvider(url);
    provider.isDown = true;
    expect((await finish(server, answer, cookie)).body).toMatchObject({ code: 'sign-on-down' });
  });
});

describe('signing out', () => {
  it('ends the provider’s session too, if the account wants that', async () => {
    const out = async (token: string) => (await server.call('POST', '/api/v1/signout', { token })).body;
    expect(await out((await enter(person())).token)).toEqual({ ok: true, next: null });
    await set({ signOutToo: true });
    const { token } = await enter(person());
    const { next } = (await out(token)) as { next: string };
    expect(next.startsWith(`${provider.issuer}/session/end?`)).toBe(true);
    expect(new URL(next).searchParams.get('post_logout_redirect_uri')).toBe('http://localhost:8080/login');
    expect((await fetch(next)).status).toBe(200);
    expect((await server.call('GET', '/api/v1/read_me', { token })).status).toBe(401);
    expect(await out((await colleague()).token)).toEqual({ ok: true, next: null });
  });
});
