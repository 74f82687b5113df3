import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { CLIENT, IdentityProvider, signOn, signOnSettings } from '../../../testing/identity-provider.ts';

/** What an owner sets up for single sign-on, and who else sees it. */

let server: TestHttpServer;
let provider: IdentityProvider;
let owner: SignedIn;

beforeAll(async () => {
  [server, provider] = await Promise.all([startHttpServer(), IdentityProvider.start()]);
  owner = await signedIn(server, { operator: true });
});
afterAll(() => Promise.all([server?.close(), provider?.close()]));
beforeEach(() => set());

async function set(more: object = {}) {
  const body = signOnSettings(provider, more);
  const answer = await server.call('PUT', '/api/v1/sign_on', { token: owner.token, body });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
}
let people = 0;
/** Someone new signs in. */
async function enter() {
  const sub = `newcomer-${++people}`;
  provider.visitor = { sub, email: `${sub}@acme.example`, email_verified: true };
  return { email: provider.visitor.email ?? '', ...(await signOn(server)) };
}

describe('the settings', () => {
  const read = (token = owner.token) => server.call('GET', '/api/v1/sign_on', { token });

  it('never show the secret, keep it when it is left empty, and want it again for another issuer', async () => {
    const answer = await read();
    expect(answer.text).not.toContain(CLIENT.secret);
    expect(answer.body).toMatchObject({
      settings: { hasSecret: true, issuer: provider.issuer },
      redirectUris: ['http://localhost:8080/sign-on'],
      signOutUris: ['http://localhost:8080/login'],
    });
    await set({ clientSecret: '', label: 'Renamed' });
    expect((await enter()).status).toBe(200);
    const elsewhere = await server.call('PUT', '/api/v1/sign_on', {
      token: owner.token,
      body: signOnSettings({ issuer: 'https://id.attacker.example' }, { clientSecret: '' }),
    });
    expect(elsewhere.body).toMatchObject({ errors: [{ field: 'clientSecret', code: 'sign-on-secret-again' }] });
    const { rows } = await server.context.db.pool.query('select changes::text as text from audit_entry');
    expect(JSON.stringify(rows)).not.toContain(CLIENT.secret);
  });

  it('no request can read the secret from the database', async () => {
    const reading = server.context.db.asAccount(owner.accountId, trx =>
      trx.selectFrom('sign_on_secret').select('secret').execute(),
    );
    await expect(reading).rejects.toThrow('permission denied');
  });

  it.each([
    'http://id.example',
    'https://id.example/?a=b',
    'https://id.example/#x',
    'https://u:p@id.example',
    'nothing',
  ])('refuse the issuer %s', async issuer => {
    const { body } = await server.call('PUT', '/api/v1/sign_on', {
      token: owner.token,
      body: signOnSettings({ issuer }),
    });
    expect(body).toMatchObject({ errors: [{ field: 'issuer', code: 'sign-on-issuer' }] });
  });

  it('name the group whose role does not exist', async () => {
    const groups = [
      { group: 'a', role: 'viewer' },
      { group: 'b', role: 'viewer', customRoleId: '99999' },
    ];
    const { body } = await server.call('PUT', '/api/v1/sign_on', {
      token: owner.token,
      body: signOnSettings(provider, { groups }),
    });
    expect(body).toMatchObject({ errors: [{ field: 'groups.1.customRoleId' }] });
  });

  it('show what the provider says when they are tried, and why nothing came', async () => {
    const tried = async (issuer: string, token = owner.token) =>
      (await server.call('POST', '/api/v1/sign_on/try', { token, body: { issuer } })).body;
    expect(await tried(provider.issuer)).toMatchObject({
      failure: null,
      found: { issuer: provider.issuer, signOut: true, scopes: expect.arrayContaining(['groups']) },
    });
    expect(await tried(`${provider.issuer}/elsewhere`)).toMatchObject({ failure: 'no-provider' });
    expect(await tried(provider.issuer.replace('127.0.0.1', 'localhost'))).toMatchObject({ failure: 'other-issuer' });
    expect(await tried('https://127.0.0.1:1')).toMatchObject({ failure: 'unreachable' });
    expect(await tried('https://nowhere.invalid')).toMatchObject({ failure: 'no-host' });
    // Only who runs the installation may name an address in its network.
    const other = await signedIn(server);
    expect(await tried(provider.issuer, other.token)).toMatchObject({ failure: 'address-refused' });
    expect(await tried('https://10.0.0.1', other.token)).toMatchObject({ failure: 'address-refused' });
  });

  it('are gone with the connections when they are removed; users stay', async () => {
    const { email } = await enter();
    const removed = await server.call('DELETE', '/api/v1/sign_on', { token: owner.token });
    expect(removed.body).toMatchObject({ settings: null, link: null, users: 0 });
    const users = server.context.db.system.selectFrom('app_user').select('active').where('email', '=', email);
    expect(await users.execute()).toEqual([{ active: true }]);
  });

  it('are for owners only', async () => {
    const { token } = await signedIn(server, { accountId: owner.accountId, role: 'admin' });
    expect((await read(token)).status).toBe(403);
  });
});
