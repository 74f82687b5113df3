import { meSchema } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { auditOf, PASSWORD, type Person, person, signIn } from '../../../testing/people.ts';

const NEW_PASSWORD = 'another sentence nobody guesses';
let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

const readMe = async (who: Pick<Person, 'call'>) => meSchema.parse((await who.call('GET', 'read_me')).body);
const withToken = (token: string, method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/${path}`, { token, ...(body !== undefined && { body }) });

describe('[R7.03] one’s own profile', () => {
  it('is changed, and read again', async () => {
    const ann = await person(server);
    const preferences = { language: 'fr', timeZone: 'Europe/Paris', distanceUnit: 'km', startPage: '/fleet' } as const;
    const change = { displayName: '  Ann Novák ', gender: 2, preferences };
    expect((await ann.call('PATCH', 'update_me', change)).body).toEqual({ ok: true, pendingEmail: null });
    expect(await readMe(ann)).toMatchObject({
      displayName: 'Ann Novák',
      gender: 2,
      preferences: { ...preferences, appearance: null, volumeUnit: null, temperatureUnit: null },
    });
    await ann.call('PATCH', 'update_me', { preferences: { appearance: 'dark', language: null } });
    expect((await readMe(ann)).preferences).toMatchObject({ appearance: 'dark', language: null, startPage: '/fleet' });
    expect((await auditOf(server, ann.accountId)).at(-1)).toMatchObject({
      action: 'profile.changed',
      user_name: ann.userName,
      changes: expect.arrayContaining([{ field: 'displayName', from: ann.userName, to: 'Ann Novák' }]),
    });
  });

  it('says how someone is reached only with the password', async () => {
    const ann = await person(server);
    const email = `new-${ann.email}`;
    for (const change of [{ email }, { phone: '+44 20 7946 0000' }, { email: null }, { email, password: 'wrong' }]) {
      const { status, body } = await ann.call('PATCH', 'update_me', change);
      expect([change, status, body]).toMatchObject([
        change,
        400,
        { code: 'wrong-password', errors: [{ field: 'password', message: 'Your current password is incorrect.' }] },
      ]);
    }
    // Unchanged fields need no password: a form sends all of its fields.
    expect((await ann.call('PATCH', 'update_me', { email: ann.email, displayName: 'Ann' })).status).toBe(200);
    const change = { email, phone: '+44 (20) 7946-0000', password: PASSWORD };
    expect((await ann.call('PATCH', 'update_me', change)).status).toBe(200);
    expect(await readMe(ann)).toMatchObject({ email, phone: '+442079460000' });
  });

  it('reports errors by field', async () => {
    const ann = await person(server);
    const { status, body } = await ann.call('PATCH', 'update_me', {
      displayName: 'a\nb',
      gender: 7,
      email: 'ann@',
      phone: '0207 946',
      preferences: { timeZone: 'Mars/Olympus' },
    });
    const { errors } = body as { errors: { field: string }[] };
    expect([status, errors.map(error => error.field)]).toEqual([
      400,
      ['displayName', 'gender', 'email', 'phone', 'preferences.timeZone'],
    ]);
  });

  it('ignores fields that users can’t set themselves', async () => {
    const ann = await person(server, { role: 'viewer' });
    const before = await server.context.db.system
      .selectFrom('app_user')
      .selectAll()
      .where('id', '=', ann.userId)
      .executeTakeFirst();
    for (const field of [
      'role',
      'permissions',
      'accountId',
      'account_id',
      'userName',
      'active',
      'customRoleId',
      'scope',
    ]) {
      const { status, body } = await ann.call('PATCH', 'update_me', { displayName: 'X', [field]: 'owner' });
      expect([field, status, body]).toMatchObject([field, 400, { errors: [{ code: 'unknown-field' }] }]);
    }
    const after = await server.context.db.system
      .selectFrom('app_user')
      .selectAll()
      .where('id', '=', ann.userId)
      .executeTakeFirst();
    expect(after).toEqual({ ...before, last_seen_at: after?.last_seen_at });
  });

  it('has a unique email address', async () => {
    const [ann, bob] = [await person(server), await person(server)];
    const { status, body } = await bob.call('PATCH', 'update_me', {
      email: ann.email.toUpperCase(),
      password: PASSWORD,
    });
    expect([status, body]).toMatchObject([409, { code: 'email-taken', errors: [{ field: 'email' }] }]);
  });

  it('stores markup as plain text', async () => {
    const ann = await person(server);
    const displayName = `<script>alert(1)</script>"'&`;
    await ann.call('PATCH', 'update_me', { displayName });
    const answer = await ann.call('GET', 'read_me');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect((answer.body as { displayName: string }).displayName).toBe(displayName);
  });
});

describe('one’s own password', () => {
  it('[R7.11] is confirmed, and can’t be guessed there either', async () => {
    const ann = await person(server);
    const isOld = (oldPassword: string) => ann.call('POST', 'is_old', { oldPassword });
    expect((await isOld(PASSWORD)).body).toEqual({ ok: true });
    for (let i = 0; i < 5; i++) {
      expect((await isOld(`guess ${i}`)).body).toMatchObject({
        code: 'wrong-password',
        errors: [{ field: 'oldPassword', message: 'Your current password is incorrect.' }],
      });
    }
    expect((await isOld(PASSWORD)).body).toMatchObject({ code: 'too-many-tries' });
    // Other calls that ask for the password share the limit.
    const body = { oldPassword: PASSWORD, newPassword: NEW_PASSWORD };
    expect((await ann.call('PATCH', 'new_pass', body)).status).toBe(429);
    expect((await ann.call('POST', 'second_factor/totp', { password: PASSWORD })).status).toBe(429);
  });

  it('[R7.12] is changed; the session goes on under a new token, and the old token is nobody’s', async () => {
    const ann = await person(server);
    const other = await signIn(server, ann.userName);
    const otherToken = (other.body as { token: string }).token;
    const messaging = (await readMe(ann)).messaging.password;
    const answer = await ann.call('PATCH', 'new_pass', { oldPassword: PASSWORD, newPassword: NEW_PASSWORD });
    const { token } = answer.body as { token: string };
    expect(token).not.toBe(ann.token);
    expect((await ann.call('GET', 'read_me')).status).toBe(401);
    expect(await server.sessions.findByMessaging(ann.userId, ann.userName, messaging)).toBeNull();
    expect((await withToken(token, 'GET', 'read_me')).status).toBe(200);
    // Other sessions continue unless the user ends them.
    expect((await withToken(otherToken, 'GET', 'read_me')).status).toBe(200);
    expect((await signIn(server, ann.userName)).status).toBe(401);
    expect((await signIn(server, ann.userName, { password: NEW_PASSWORD })).status).toBe(200);
    const [entry] = (await auditOf(server, ann.accountId)).filter(({ action }) => action === 'password.changed');
    expect(entry?.changes).toEqual([{ field: 'password', from: null, to: '•••' }]);
  });

  it('ends the other sessions if requested', async () => {
    const ann = await person(server);
    const { token: other } = (await signIn(server, ann.userName)).body as { token: string };
    const change = { oldPassword: PASSWORD, newPassword: NEW_PASSWORD, endOtherSessions: true };
    const { token } = (await ann.call('PATCH', 'new_pass', change)).body as { token: string };
    expect((await withToken(other, 'GET', 'read_me')).status).toBe(401);
    expect((await withToken(token, 'GET', 'read_me')).status).toBe(200);
  });

  it('can’t be one of the most common passwords', async () => {
    const ann = await person(server);
    for (const newPassword of ['short', 'unbelievable', `${ann.userName} 12345`]) {
      const { status, body } = await ann.call('PATCH', 'new_pass', { oldPassword: PASSWORD, newPassword });
      expect([newPassword, status, body]).toMatchObject([newPassword, 400, { errors: [{ field: 'newPassword' }] }]);
    }
  });

  it('that another user has set must be changed first', async () => {
    const ann = await person(server);
    await server.context.db.system
      .updateTable('app_user')
      .set({ must_change_password: true })
      .where('id', '=', ann.userId)
      .execute();
    server.context.signals.emit('users-changed', { userIds: [ann.userId] });
    expect((await ann.call('GET', 'device')).body).toMatchObject({ code: 'must-change-password' });
    expect((await readMe(ann)).duty).toBe('change-password');
    const answer = await ann.call('PATCH', 'new_pass', { oldPassword: PASSWORD, newPassword: NEW_PASSWORD });
    const { token } = answer.body as { token: string };
    expect((await withToken(token, 'GET', 'device')).status).toBe(200);
  });
});

describe('one’s own sessions', () => {
  it('are listed, and end one by one or all but this one', async () => {
    const ann = await person(server);
    const tokens = await Promise.all(
      [1, 2, 3].map(async () => ((await signIn(server, ann.userName)).body as { token: string }).token),
    );
    const list = async () => (await ann.call('GET', 'session')).body as { id: string; current: boolean }[];
    const all = await list();
    expect(all).toHaveLength(4);
    expect(all.filter(({ current }) => current)).toMatchObject([{ id: ann.sessionId }]);
    const [first] = all.filter(({ current }) => !current);
    expect((await ann.call('DELETE', `session/${first?.id}`)).body).toEqual({ deleted: true, id: first?.id });
    const alive = await Promise.all(tokens.map(async token => (await withToken(token, 'GET', 'read_me')).status));
    expect(alive.sort()).toEqual([200, 200, 401]);
    expect((await ann.call('DELETE', 'session')).body).toEqual({ ended: 2 });
    expect(await list()).toMatchObject([{ current: true }]);
  });

  it('can’t be ended by another user, not even a colleague', async () => {
    const ann = await person(server);
    const bob = await person(server, { accountId: ann.accountId, role: 'viewer' });
    expect((await ann.call('DELETE', `session/${bob.sessionId}`)).status).toBe(404);
    expect((await bob.call('GET', 'read_me')).status).toBe(200);
  });

  it('begin with a token that only the server chooses', async () => {
    const ann = await person(server);
    const chosen = 'x'.repeat(43);
    const answer = await server.call('POST', '/api/v1/signin', {
      token: chosen,
      body: { userName: ann.userName, password: PASSWORD },
      headers: { cookie: `token=${chosen}` },
    });
    expect((answer.body as { token: string }).token).not.toBe(chosen);
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect((await withToken(chosen, 'GET', 'read_me')).status).toBe(401);
    const refused = { body: { userName: ann.userName, password: PASSWORD, token: chosen, sessionId: ann.sessionId } };
    const again = await server.call('POST', '/api/v1/signin', refused);
    expect((again.body as { token?: string }).token).not.toBe(chosen);
  });
});

describe('API tokens', () => {
  const make = (who: Person, scopes: readonly string[], more: object = {}) =>
    who.call('POST', 'api_token', { password: PASSWORD, name: 'Export', scopes, expiresInDays: 30, ...more });
  const tokenOf = ({ body }: { readonly body: unknown }) => (body as { token: string }).token;

  it('do what their scopes say and nothing else', async () => {
    const ann = await person(server);
    const made = await make(ann, ['vehicles.read']);
    expect(made.status).toBe(201);
    const token = tokenOf(made);
    expect(token).toMatch(/^milepost_[\w-]{43}$/);
    expect((await withToken(token, 'GET', 'device')).status).toBe(200);
    expect((await withToken(token, 'GET', 'read_my_users')).body).toMatchObject({ code: 'token-not-allowed' });
    const { messaging, permissions } = meSchema.parse((await withToken(token, 'GET', 'read_me')).body);
    expect(permissions).toEqual(['vehicles.read']);
    expect(await server.sessions.findByMessaging(ann.userId, ann.userName, messaging.password)).toMatchObject({
      permissions: ['vehicles.read'],
    });
  });

  it('never touch their owner’s security', async () => {
    const ann = await person(server);
    const token = tokenOf(await make(ann, ['vehicles.read', 'users.write', 'users.read']));
    for (const [method, path, body] of [
      ['PATCH', 'new_pass', { oldPassword: PASSWORD, newPassword: NEW_PASSWORD }],
      ['PATCH', 'update_me', { displayName: 'X' }],
      ['GET', 'session', undefined],
      ['DELETE', 'session', undefined],
      ['POST', 'api_token', { password: PASSWORD, name: 'More', scopes: ['vehicles.read'], expiresInDays: 1 }],
      ['POST', 'second_factor/totp', { password: PASSWORD }],
      ['POST', 'signout', undefined],
    ] as const) {
      const answer = await withToken(token, method, path, body);
      expect([path, answer.body]).toMatchObject([path, { code: 'sign-in-needed' }]);
    }
    expect((await make(ann, ['profile.write'])).status).toBe(400);
  });

  it('never have more rights than their owner, then or later', async () => {
    const ann = await person(server, { role: 'admin' });
    expect((await make(ann, ['owners.write'])).body).toMatchObject({ code: 'more-than-you-hold' });
    const token = tokenOf(await make(ann, ['vehicles.read', 'users.read']));
    expect((await withToken(token, 'GET', 'read_my_users')).status).toBe(200);
    await server.context.db.system
      .updateTable('app_user')
      .set({ role: 'viewer' })
      .where('id', '=', ann.userId)
      .execute();
    server.context.signals.emit('users-changed', { userIds: [ann.userId] });
    expect((await withToken(token, 'GET', 'read_my_users')).status).toBe(403);
    expect((await withToken(token, 'GET', 'device')).status).toBe(200);
  });

  it('are shown once, listed without their secret, and deleted at once', async () => {
    const ann = await person(server);
    const made = await make(ann, ['vehicles.read']);
    const token = tokenOf(made);
    const { id } = made.body as { id: string };
    const listed = await ann.call('GET', 'api_token');
    expect(listed.body).toMatchObject([{ id, name: 'Export', scopes: ['vehicles.read'], lastSeenAt: null }]);
    const stored = await server.context.db.system.selectFrom('session').selectAll().where('id', '=', id).execute();
    expect(listed.text + JSON.stringify(stored)).not.toContain(token);
    expect((await ann.call('DELETE', `api_token/${id}`)).status).toBe(200);
    expect((await withToken(token, 'GET', 'device')).status).toBe(401);
  });

  it('are made with the password only, and end on their day', async () => {
    const ann = await person(server);
    expect((await make(ann, ['vehicles.read'], { password: 'wrong' })).body).toMatchObject({ code: 'wrong-password' });
    for (const expiresInDays of [0, 731, 1.5]) {
      expect((await make(ann, ['vehicles.read'], { expiresInDays })).status).toBe(400);
    }
    const { expiresAt } = (await make(ann, ['vehicles.read'])).body as { expiresAt: string };
    expect(Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000)).toBe(30);
  });
});
