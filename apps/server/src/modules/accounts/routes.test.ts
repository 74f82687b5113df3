import { randomUUID } from 'node:crypto';
import { meSchema } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { createAccount, createOwner, createUser, OwnerError } from './accounts.ts';
import { hashOf } from './email-changes.ts';

const PASSWORD = 'a long enough password';
let server: TestHttpServer;

beforeAll(async () => {
  server = await startHttpServer();
  await createOwner(server.context.db, 'Ann', PASSWORD);
});
afterAll(() => server.close());

const signIn = (userName: string, password = PASSWORD, more: object = {}) =>
  server.call('POST', '/api/v1/signin', { body: { userName, password, ...more } });
const tokenOf = ({ body }: { readonly body: unknown }) => (body as { token: string }).token;

describe('signing in', () => {
  it('[R7.01] returns a token for the correct password, ignoring the name’s case', async () => {
    const { status, headers, body } = await signIn('aNN');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/), expiresAt: expect.any(String) });
  });

  it('takes the e-mail address, too', async () => {
    const { db } = server.context;
    await db.system.updateTable('app_user').set({ email: 'ann@example.com' }).where('user_name', '=', 'Ann').execute();
    expect((await signIn('ANN@example.com')).status).toBe(200);
    expect((await signIn('bob@example.com')).status).toBe(401);
  });

  it('keeps a user signed in for 30 days if requested', async () => {
    const { body } = await signIn('Ann', PASSWORD, { keepSignedIn: true });
    const days = (Date.parse((body as { expiresAt: string }).expiresAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
  });

  it('[R8.05] gives the same answer for a wrong password, an unknown user and a user without a password', async () => {
    const accountId = await createAccount(server.context.db, { name: 'B' });
    await createUser(server.context.db, { accountId, userName: 'visitor', role: 'viewer', password: null });
    const answers = [await signIn('Ann', 'wrong'), await signIn('nobody'), await signIn('visitor', 'null')];
    for (const { status, body } of answers) {
      expect([status, body]).toMatchObject([
        401,
        { code: 'wrong-credentials', title: 'User name or password is incorrect. Check both, or reset your password.' },
      ]);
      expect(Object.keys(body as object)).toEqual(Object.keys(answers[0]?.body as object));
    }
  });

  it('refuses with a wait after five wrong passwords, even the right one', async () => {
    await createOwner(server.context.db, 'guessed', PASSWORD);
    for (let i = 0; i < 5; i++) expect((await signIn('guessed', 'wrong')).status).toBe(401);
    const { status, headers, body } = await signIn('guessed');
    expect([status, body]).toMatchObject([
      429,
      { code: 'too-many-tries', title: 'Too many attempts. Try again in 1 minute.', params: { waitS: 60 } },
    ]);
    expect(headers.get('retry-after')).toBe('60');
  });

  it('counts the tries at one user together, by name and by email address', async () => {
    const { db } = server.context;
    await createOwner(db, 'twofold', PASSWORD);
    const email = 'twofold@example.com';
    await db.system.updateTable('app_user').set({ email }).where('user_name', '=', 'twofold').execute();
    for (const name of ['twofold', email, 'TWOFOLD', 'TwoFold@example.com', email]) {
      expect((await signIn(name, 'wrong')).status).toBe(401);
    }
    for (const name of ['twofold', email]) expect([name, (await signIn(name)).status]).toEqual([name, 429]);
  });

  it('hashes again, at the next sign-in, what was hashed at another cost', async () => {
    const { db } = server.context;
    const old = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    const accountId = await createAccount(db, { name: 'C' });
    const id = await createUser(db, { accountId, userName: 'carl', role: 'owner', password: null });
    await db.system.updateTable('app_user').set({ password_hash: old }).where('id', '=', id).execute();
    expect((await signIn('carl', 'password')).status).toBe(200);
    const after = await db.system
      .selectFrom('app_user')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirst();
    expect(after?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,/);
    expect((await signIn('carl', 'password')).status).toBe(200);
  });

  it('handles input that no form sends', async () => {
    for (const userName of ['a\0b', '\ud800', "' or 1=1 --", 'x'.repeat(254), '@', '%']) {
      expect([userName, (await signIn(userName)).status]).toEqual([
        userName,
        ['a\0b', '\ud800'].includes(userName) ? 400 : 401,
      ]);
    }
    expect((await signIn('x'.repeat(255))).status).toBe(400);
    expect((await server.call('POST', '/api/v1/signin')).status).toBe(400);
  });
});

describe('being signed in', () => {
  it('[R7.02] [R3.01] reads the user, with what live messaging needs', async () => {
    const token = tokenOf(await signIn('Ann'));
    const { status, body } = await server.call('GET', '/api/v1/read_me', { token });
    expect(status).toBe(200);
    const me = meSchema.parse(body);
    expect(me).toMatchObject({
      userName: 'Ann',
      gender: 0,
      image: null,
      role: 'owner',
      readOnly: false,
      account: { name: 'My fleet', operator: true, demo: false },
      messaging: { path: '/mqtt', clientIdPrefix: me.id, userName: 'Ann' },
    });
    const { userName, password } = me.messaging;
    expect(await server.sessions.findByMessaging(me.id, userName, password)).toMatchObject({ userId: me.id });
    expect(JSON.stringify(body)).not.toContain('argon2');
  });

  it('[R4.03] ends the session on the server: the token and live messaging are refused at once', async () => {
    const token = tokenOf(await signIn('Ann'));
    const me = meSchema.parse((await server.call('GET', '/api/v1/read_me', { token })).body);
    expect(await server.call('POST', '/api/v1/signout', { token })).toMatchObject({ status: 200, body: { ok: true } });
    const after = await server.call('GET', '/api/v1/read_me', { token });
    expect([after.status, after.body]).toMatchObject([401, { code: 'session-ended' }]);
    expect(await server.sessions.findByMessaging(me.id, 'Ann', me.messaging.password)).toBeNull();
  });

  it('lets every role sign out, the visitor of the demo too', async () => {
    const { token } = await signedIn(server, { role: 'driver', readOnly: true });
    expect((await server.call('POST', '/api/v1/signout', { token })).status).toBe(200);
  });
});

describe('before anybody signs in', () => {
  it('[R7.39] reads what the app needs', async () => {
    expect((await server.call('GET', '/api/v1/client_settings')).body).toEqual({
      version: '0.0.0-test',
      appName: 'Milepost',
      demo: false,
      demoVisit: false,
      needsOwner: false,
      signOn: null,
    });
  });

  it('[R7.13] answers the connectivity poll', async () => {
    expect(await server.call('GET', '/api/v1/check_internet_status')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
  });
});

describe('making an owner', () => {
  it('lets an owner in again who has lost everything, and takes no password that people try first', async () => {
    const { db } = server.context;
    const { accountId, userId } = await createOwner(db, 'hugo', PASSWORD);
    const factor = { user_id: userId, account_id: accountId, secret: Buffer.alloc(20), confirmed_at: new Date() };
    await db.system.insertInto('totp').values(factor).execute();
    await db.system.updateTable('app_user').set({ active: false }).where('id', '=', userId).execute();
    for (const password of ['qwertyqwerty', 'hugo and hugo']) {
      await expect(createOwner(db, 'hugo', password)).rejects.toThrow(OwnerError);
    }
    await createOwner(db, 'hugo', 'another long password');
    expect((await signIn('hugo', 'another long password')).status).toBe(200);
  });

  it('gives an owner a new password and ends the sessions of the old one', async () => {
    await createOwner(server.context.db, 'dora', PASSWORD);
    const token = tokenOf(await signIn('dora'));
    expect(await createOwner(server.context.db, 'DORA', 'another long password')).toMatchObject({ created: false });
    expect((await signIn('dora')).status).toBe(401);
    expect((await signIn('dora', 'another long password')).status).toBe(200);
    await server.sessions.endExpired();
    expect((await server.call('GET', '/api/v1/read_me', { token })).status).toBe(401);
  });

  it('ends earlier links and codes that would give others access', async () => {
    const { system } = server.context.db;
    const { accountId, userId } = await createOwner(server.context.db, 'mallory', PASSWORD);
    const [token, hour] = ['t'.repeat(43), new Date(Date.now() + 3_600_000)];
    const link = { user_id: userId, account_id: accountId, token_hash: hashOf(token), expires_at: hour };
    await system.insertInto('invitation').values(link).execute();
    await system
      .insertInto('email_change')
      .values({ ...link, email: 'eve@example.com', sent_at: new Date() })
      .execute();
    const code = { token: randomUUID(), user_id: userId, code_hash: '', proof_hash: hashOf(token), expires_at: hour };
    const { id } = await system.insertInto('password_recovery').values(code).returning('id').executeTakeFirstOrThrow();

    await createOwner(server.context.db, 'mallory', 'another long password');
    const password = 'a password of someone else';
    expect((await server.call('POST', '/api/v1/confirm_email', { body: { token } })).body).toMatchObject({
      code: 'email-link-over',
    });
    expect((await server.call('POST', '/api/v1/accept_invitation', { body: { token, password } })).body).toMatchObject({
      code: 'invitation-over',
    });
    const proof = { proof: token, password };
    expect((await server.call('PATCH', `/api/v1/user-reset-password/${id}`, { body: proof })).body).toMatchObject({
      code: 'recovery-code-wrong',
    });
    expect((await signIn('mallory', 'another long password')).status).toBe(200);
  });

  it('puts every owner into the account that runs the installation', async () => {
    const [one, other] = [
      await createOwner(server.context.db, 'eve', PASSWORD),
      await createOwner(server.context.db, 'fay', PASSWORD),
    ];
    expect(one.created && other.created).toBe(true);
    expect(one.accountId).toBe(other.accountId);
  });

  it('says in a sentence why a name or a password will not do', async () => {
    const { db } = server.context;
    await expect(createOwner(db, 'a', PASSWORD)).rejects.toThrow(OwnerError);
    await expect(createOwner(db, 'gus', 'short')).rejects.toThrow('Use at least 12 characters.');
    await expect(createOwner(db, 'visitor', PASSWORD)).rejects.toThrow(/the role viewer/);
  });
});
