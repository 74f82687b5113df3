import { type User, userSchema } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { type Mailbox, startMailbox } from '../../../testing/mailbox.ts';
import { auditOf, PASSWORD, type Person, person, signIn } from '../../../testing/people.ts';
import { hashPassword } from '../accounts/password.ts';

const NEW_PASSWORD = 'another sentence nobody guesses';
let mailbox: Mailbox;
let server: TestHttpServer;
beforeAll(async () => {
  mailbox = await startMailbox();
  const http = { host: '127.0.0.1', port: 0, publicUrl: 'http://localhost:8080', trustedProxies: ['127.0.0.1'] };
  server = await startHttpServer({ config: { smtpUrl: mailbox.url, http } });
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});

let count = 0;
const newUser = (more: object = {}) => ({
  userName: `made-${++count}`,
  displayName: `Made ${count}`,
  role: 'viewer',
  ...more,
});
const register = (who: Person, more: object = {}) => who.call('POST', 'register_user', newUser(more));
const dataOf = ({ body }: { readonly body: unknown }) => (body as { data: User }).data;
const list = async (who: Person, query = '') =>
  z.array(userSchema).parse((await who.call('GET', `read_my_users${query}`)).body);
const update = (who: Person, id: string, change: object) => who.call('PATCH', `update_my_user/${id}`, change);
const tokenIn = (url: string) => url.split('#invitation=')[1] ?? '';
const call = (path: string, body: unknown) => server.call('POST', `/api/v1/${path}`, { body });

describe('my users', () => {
  it('[R7.04] [R7.05] are created with an invitation, which lets them choose a password', async () => {
    const owner = await person(server);
    const answer = await register(owner, { email: `guest-${owner.email}`, phone: '+1 555 123 4567' });
    expect(answer.status).toBe(201);
    const { data, invitation } = answer.body as { data: User; invitation: { url: string; sent: boolean } };
    expect(data).toMatchObject({ state: 'invited', role: 'viewer', createdBy: owner.userName, phone: '+15551234567' });
    expect(invitation).toMatchObject({ sent: true, url: expect.stringContaining('http://localhost:8080/login#') });
    const mail = await mailbox.take();
    expect(mail.to).toEqual([`guest-${owner.email}`]);

    const token = tokenIn(invitation.url);
    expect((await call('read_invitation', { token })).body).toMatchObject({ userName: data.userName });
    expect((await call('accept_invitation', { token, password: 'qwertyqwerty' })).status).toBe(400);
    const accepted = await call('accept_invitation', { token, password: NEW_PASSWORD });
    expect(accepted.body).toMatchObject({ token: expect.any(String) });
    expect((await call('accept_invitation', { token, password: NEW_PASSWORD })).body).toMatchObject({
      code: 'invitation-over',
    });
    expect((await signIn(server, data.userName, { password: NEW_PASSWORD })).status).toBe(200);
    expect((await list(owner)).find(({ id }) => id === data.id)?.state).toBe('active');
    const actions = (await auditOf(server, owner.accountId)).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['user.created', 'user.joined']));
  });

  it('[R7.04] are created with a password, which they must change first', async () => {
    const owner = await person(server);
    const answer = await register(owner, { password: NEW_PASSWORD });
    expect((answer.body as { invitation: unknown }).invitation).toBeNull();
    const { userName } = dataOf(answer);
    const { token } = (await signIn(server, userName, { password: NEW_PASSWORD })).body as { token: string };
    expect((await server.call('GET', '/api/v1/device', { token })).body).toMatchObject({
      code: 'must-change-password',
    });
    const { status, body } = await register(owner, { userName: 'rockstar', password: 'rockstar rockstar' });
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'password', code: 'name-in-password' }] }]);
  });

  it('[R7.05] [R3.02] are a plain array without oneself, searched and limited', async () => {
    const owner = await person(server);
    await register(owner, { displayName: 'Zoë Ångström', email: `zoe-${owner.email}` });
    await register(owner, { displayName: '100% Bob' });
    const names = async (query?: string) => (await list(owner, query)).map(user => user.displayName);
    expect(await names()).toEqual(['100% Bob', 'Zoë Ångström']);
    expect(await names('?q=ZOE-')).toEqual(['Zoë Ångström']);
    expect(await names('?q=%25')).toEqual(['100% Bob']);
    expect(await names('?limit=1')).toEqual(['100% Bob']);
    expect((await owner.call('GET', 'read_my_users?limit=0')).status).toBe(400);
  });

  it('[R7.06] are changed, with immediate effect on open sessions', async () => {
    const owner = await person(server);
    const bob = await person(server, { accountId: owner.accountId, role: 'admin' });
    expect((await bob.call('GET', 'read_my_users')).status).toBe(200);
    const { status, body } = await update(owner, bob.userId, { role: 'viewer', displayName: 'Bob', email: '' });
    expect([status, body]).toMatchObject([200, { data: { role: 'viewer', displayName: 'Bob', email: null } }]);
    expect((await bob.call('GET', 'read_my_users')).body).toMatchObject({ code: 'not-allowed' });
    expect((await auditOf(server, owner.accountId))[0]).toMatchObject({
      action: 'user.changed',
      user_name: owner.userName,
      target_name: bob.userName,
      changes: expect.arrayContaining([{ field: 'role', from: 'admin', to: 'viewer' }]),
    });
  });

  it('[R7.07] are deleted, and the answers before and after say what ends with them', async () => {
    const owner = await person(server);
    const bob = await person(server, { accountId: owner.accountId, role: 'driver' });
    await server.context.db.system
      .insertInto('driver')
      .values({ account_id: owner.accountId, name: 'Bob at the wheel', user_id: bob.userId })
      .execute();
    const dependents = { sessions: 1, apiTokens: 0, drivers: [{ name: 'Bob at the wheel' }], usersMade: 0 };
    expect((await owner.call('GET', `read_my_user_dependents/${bob.userId}`)).body).toMatchObject(dependents);
    const deleted = await owner.call('DELETE', `delete_my_user/${bob.userId}`);
    expect(deleted.body).toMatchObject({ deleted: true, id: bob.userId, dependents });
    expect((await bob.call('GET', 'read_me')).status).toBe(401);
    expect((await signIn(server, bob.userName)).status).toBe(401);
    const driver = await server.context.db.system
      .selectFrom('driver')
      .select('user_id')
      .where('account_id', '=', owner.accountId)
      .executeTakeFirst();
    expect(driver?.user_id).toBeNull();
    expect((await auditOf(server, owner.accountId))[0]).toMatchObject({
      action: 'user.deleted',
      target_name: bob.userName,
    });
  });

  it('[R6.01] are those of one’s own account', async () => {
    const [owner, stranger] = [await person(server), await person(server)];
    for (const answer of [
      await update(owner, stranger.userId, { displayName: 'Mine' }),
      await owner.call('DELETE', `delete_my_user/${stranger.userId}`),
      await owner.call('POST', `sign_out_my_user/${stranger.userId}`),
    ]) {
      expect(answer.body).toMatchObject({ code: 'not-found' });
    }
    expect(await list(owner)).toEqual([]);
  });

  it('have unique names, with errors by field', async () => {
    const owner = await person(server);
    const { userName } = newUser();
    await register(owner, { userName });
    for (const [field, value] of [
      ['userName', userName.toUpperCase()],
      ['email', owner.email.toUpperCase()],
    ] as const) {
      const { status, body } = await register(owner, { [field]: value });
      expect([field, status, body]).toMatchObject([field, 409, { errors: [{ field }] }]);
    }
  });
});

describe('access', () => {
  it('ends immediately when a user is deactivated, and can be restored', async () => {
    const owner = await person(server);
    const bob = await person(server, { accountId: owner.accountId, role: 'viewer' });
    expect(dataOf(await update(owner, bob.userId, { active: false })).state).toBe('deactivated');
    expect((await bob.call('GET', 'read_me')).status).toBe(401);
    expect((await signIn(server, bob.userName)).body).toMatchObject({ code: 'wrong-credentials' });
    expect(dataOf(await update(owner, bob.userId, { active: true })).state).toBe('active');
    expect((await signIn(server, bob.userName)).status).toBe(200);
    expect((await auditOf(server, owner.accountId)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.deactivated', 'user.activated', 'session.refused']),
    );
  });

  it('ends on its day, for sessions, API tokens and messaging', async () => {
    const owner = await person(server);
    const bob = await person(server, { accountId: owner.accountId, role: 'viewer' });
    const made = await bob.call('POST', 'api_token', {
      password: PASSWORD,
      name: 'x',
      scopes: ['vehicles.read'],
      expiresInDays: 9,
    });
    const { token } = made.body as { token: string };
    const soon = new Date(Date.now() + 1500);
    expect(dataOf(await update(owner, bob.userId, { expiresAt: soon.toISOString() })).state).toBe('active');
    const session = await server.sessions.findByToken(token);
    expect(session?.expiresAt).toEqual(soon);
    const past = new Date(Date.now() - 1000).toISOString();
    expect(dataOf(await update(owner, bob.userId, { expiresAt: past })).state).toBe('expired');
    expect((await bob.call('GET', 'read_me')).status).toBe(401);
    expect((await server.call('GET', '/api/v1/device', { token })).status).toBe(401);
    expect((await signIn(server, bob.userName)).status).toBe(401);
  });

  it('ends everywhere when someone is signed out, API tokens included', async () => {
    const owner = await person(server);
    const bob = await person(server, { accountId: owner.accountId, role: 'viewer' });
    await signIn(server, bob.userName);
    expect((await owner.call('POST', `sign_out_my_user/${bob.userId}`)).body).toEqual({ ended: 2 });
    expect((await bob.call('GET', 'read_me')).status).toBe(401);
  });

  it('with a password set by an admin is limited until they change it', async () => {
    const owner = await person(server);
    const bob = await person(server, { accountId: owner.accountId, role: 'viewer' });
    await update(owner, bob.userId, { password: NEW_PASSWORD });
    expect((await bob.call('GET', 'read_me')).status).toBe(401);
    const { token } = (await signIn(server, bob.userName, { password: NEW_PASSWORD })).body as { token: string };
    expect((await server.call('GET', '/api/v1/device', { token })).body).toMatchObject({
      code: 'must-change-password',
    });
    expect(JSON.stringify(await auditOf(server, owner.accountId))).not.toContain(NEW_PASSWORD);
  });

  it('is restored by removing a lost second factor', async () => {
    const owner = await person(server);
    const bob = await person(server, { accountId: owner.accountId, role: 'viewer' });
    await server.context.db.system
      .insertInto('totp')
      .values({ user_id: bob.userId, account_id: bob.accountId, secret: Buffer.alloc(20), confirmed_at: new Date() })
      .execute();
    expect((await list(owner))[0]?.secondFactor).toEqual({ totp: true, passkeys: 0 });
    expect((await signIn(server, bob.userName)).body).toMatchObject({ code: 'second-factor-needed' });
    expect((await owner.call('POST', `reset_second_factor_of_my_user/${bob.userId}`)).status).toBe(200);
    expect((await bob.call('GET', 'read_me')).status).toBe(401);
    expect((await signIn(server, bob.userName)).status).toBe(200);
  });

  it('by an invitation ends with a newer one, on its day, and with the user', async () => {
    const owner = await person(server);
    const made = (await register(owner)).body as { data: User; invitation: { url: string } };
    const first = tokenIn(made.invitation.url);
    const again = await owner.call('POST', `invite_my_user/${made.data.id}`);
    const second = tokenIn((again.body as { url: string }).url);
    const over = { code: 'invitation-over' };
    expect((await call('read_invitation', { token: first })).body).toMatchObject(over);
    expect((await call('read_invitation', { token: second })).status).toBe(200);
    await update(owner, made.data.id, { active: false });
    expect((await call('accept_invitation', { token: second, password: NEW_PASSWORD })).body).toMatchObject(over);
    await update(owner, made.data.id, { active: true });
    await server.context.db.system
      .updateTable('invitation')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('user_id', '=', made.data.id)
      .execute();
    expect((await call('accept_invitation', { token: second, password: NEW_PASSWORD })).body).toMatchObject(over);
    const joined = await person(server, { accountId: owner.accountId, role: 'viewer' });
    expect((await owner.call('POST', `invite_my_user/${joined.userId}`)).body).toMatchObject({
      code: 'already-joined',
    });
  });

  it('by an invitation goes to the corrected address, and ends for the previous one', async () => {
    const owner = await person(server);
    const [wrong, right] = [`wrong-${owner.email}`, `right-${owner.email}`];
    const made = (await register(owner, { email: wrong })).body as { data: User; invitation: { url: string } };
    const { id } = made.data;
    const invitationOf = ({ body }: { readonly body: unknown }) =>
      (body as { invitation: { url: string; sent: boolean } | null }).invitation;
    expect(invitationOf(await update(owner, id, { displayName: 'Guest', email: wrong }))).toBeNull();
    expect((await call('read_invitation', { token: tokenIn(made.invitation.url) })).status).toBe(200);

    const changed = await update(owner, id, { email: right });
    expect(changed.body).toMatchObject({ data: { email: right, state: 'invited' }, invitation: { sent: true } });
    await expect
      .poll(() => mailbox.mails.filter(({ to }) => to.includes(right)).map(({ text }) => text))
      .toEqual([expect.stringContaining('Subject: You are invited to Milepost')]);
    expect((await call('read_invitation', { token: tokenIn(made.invitation.url) })).body).toMatchObject({
      code: 'invitation-over',
    });
    expect(
      (await auditOf(server, owner.accountId))
        .map(({ action }) => action)
        .slice(0, 2)
        .sort(),
    ).toEqual(['user.changed', 'user.invited']);

    // Without an email address, the user who changes it passes the link on.
    const none = invitationOf(await update(owner, id, { email: '' }));
    expect(none).toMatchObject({ sent: false });
    const token = tokenIn(none?.url ?? '');
    expect((await call('accept_invitation', { token, password: NEW_PASSWORD })).status).toBe(200);
    expect(invitationOf(await update(owner, id, { email: wrong }))).toBeNull();
  });

  it('by an invitation ends when a password is set, without another for a new address', async () => {
    const owner = await person(server);
    const { data } = (await register(owner, { email: `wrong-${owner.email}` })).body as { data: User };
    const body = { email: `right-${owner.email}`, password: NEW_PASSWORD };
    expect((await update(owner, data.id, body)).body).toMatchObject({ data: { state: 'active' }, invitation: null });
  });

  it('by an invitation is limited for an address that guesses, and for no others', async () => {
    const made = (await register(await person(server))).body as { invitation: { url: string } };
    const from = (address: string, token: string) =>
      server.call('POST', '/api/v1/read_invitation', { body: { token }, headers: { 'x-forwarded-for': address } });
    const strangers = Array.from({ length: 6 }, (_, i) => `203.0.113.${i}`);
    for (const address of strangers) {
      const statuses: number[] = [];
      for (let i = 0; i < 21; i++) statuses.push((await from(address, `${i}`.padEnd(43, 'x'))).status);
      expect(statuses.filter(status => status === 400)).toHaveLength(20);
      expect(statuses.at(-1)).toBe(429);
    }
    const token = tokenIn(made.invitation.url);
    expect((await from(strangers[0] ?? '', token)).status).toBe(429);
    expect((await from('198.51.100.7', token)).status).toBe(200);
  });

  it('by an invitation is only for users without a password', async () => {
    const owner = await person(server);
    const made = (await register(owner)).body as { data: User; invitation: { url: string } };
    const token = tokenIn(made.invitation.url);
    await server.context.db.system
      .updateTable('app_user')
      .set({ password_hash: await hashPassword(PASSWORD) })
      .where('id', '=', made.data.id)
      .execute();
    for (const path of ['read_invitation', 'accept_invitation']) {
      const body = path === 'read_invitation' ? { token } : { token, password: NEW_PASSWORD };
      expect((await call(path, body)).body).toMatchObject({ code: 'invitation-over' });
    }
    expect((await signIn(server, made.data.userName)).status).toBe(200);
  });
});

it('accepts no unknown fields', async () => {
  const owner = await person(server);
  const bob = await person(server, { accountId: owner.accountId, role: 'viewer' });
  for (const field of [
    'account_id',
    'accountId',
    'id',
    'password_hash',
    'permissions',
    'createdBy',
    'must_change_password',
  ]) {
    expect([field, (await register(owner, { [field]: 1 })).status]).toEqual([field, 400]);
    expect([field, (await update(owner, bob.userId, { [field]: 1 })).status]).toEqual([field, 400]);
  }
});
