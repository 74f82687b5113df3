import { ROLES, type User, userSchema } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';
import { type Mailbox, startMailbox } from '../../testing/mailbox.ts';
import { auditOf, PASSWORD, type Person, person, signIn } from '../../testing/people.ts';

const NEW_PASSWORD = 'another sentence nobody guesses';
let mailbox: Mailbox;
let server: TestHttpServer;
beforeAll(async () => {
  mailbox = await startMailbox();
  server = await startHttpServer({ config: { smtpUrl: mailbox.url } });
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
  it('[R7.04] [R7.05] are registered with an invitation, which lets them choose a password', async () => {
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

  it('[R7.04] are registered with a password, which they change first', async () => {
    const owner = await person(server);
    const answer = await register(owner, { password: NEW_PASSWORD });
    expect((answer.body as { invitation: unknown }).invitation).toBeNull();
    const { userName } = dataOf(answer);
    const { token } = (await signIn(server, userName, { password: NEW_PASSWORD })).body as { token: string };
    expect((await server.call('GET', '/api/v1/device', { token })).body).toMatchObject({
      code: 'must-change-password',
    });
    const { status, body } = await register(owner, { userName: 'rockstar', password: 'rockstar rockstar' });
    expect([status, body]).toMatchObject([400, { errors: [{ field: 'password', code: 'telling-password' }] }]);
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

  it('[R7.06] are changed, at once for whoever is signed in', async () => {
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

  it('[R7.07] are deleted, and it is said before and after what that ends', async () => {
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

  it('have names that are nobody else’s, which the form says beside the field', async () => {
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
  it('ends at once when somebody is deactivated, and begins again', async () => {
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

  it('ends everywhere when somebody is signed out, API tokens included', async () => {
    const owner = await person(server);
    const bob = await person(server, { accountId: owner.accountId, role: 'viewer' });
    await signIn(server, bob.userName);
    expect((await owner.call('POST', `sign_out_my_user/${bob.userId}`)).body).toEqual({ ended: 2 });
    expect((await bob.call('GET', 'read_me')).status).toBe(401);
  });

  it('with a password that an admin sets is theirs again once they have changed it', async () => {
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

  it('comes back without the second factor that was lost', async () => {
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
});

describe('nobody gives more than they hold', () => {
  it('whatever their role and the role that they give', async () => {
    const owner = await person(server);
    for (const role of ROLES) {
      expect([role, (await register(owner, { role })).status]).toEqual([role, 201]);
    }
    const admin = await person(server, { accountId: owner.accountId, role: 'admin' });
    for (const role of ROLES) {
      const { status } = await register(admin, { role });
      expect([role, status]).toEqual([role, role === 'owner' ? 403 : 201]);
    }
    const dispatcher = await person(server, { accountId: owner.accountId, role: 'dispatcher' });
    expect((await register(dispatcher)).body).toMatchObject({ code: 'not-allowed' });
  });

  it('nor changes whoever holds more', async () => {
    const owner = await person(server);
    const admin = await person(server, { accountId: owner.accountId, role: 'admin' });
    const refused = { code: 'more-than-you-hold' };
    for (const answer of [
      await update(admin, owner.userId, { displayName: 'X' }),
      await update(admin, owner.userId, { password: NEW_PASSWORD }),
      await admin.call('DELETE', `delete_my_user/${owner.userId}`),
      await admin.call('POST', `sign_out_my_user/${owner.userId}`),
      await admin.call('POST', `reset_second_factor_of_my_user/${owner.userId}`),
    ]) {
      expect(answer.body).toMatchObject(refused);
    }
    expect((await list(admin)).find(({ id }) => id === owner.userId)?.editable).toBe(false);
    expect((await list(owner)).find(({ id }) => id === admin.userId)?.editable).toBe(true);
  });

  it('nor makes themselves more, nor takes their own access', async () => {
    const owner = await person(server);
    const admin = await person(server, { accountId: owner.accountId, role: 'admin' });
    for (const change of [{ role: 'owner' }, { active: false }, { displayName: 'X' }]) {
      expect((await update(admin, admin.userId, change)).body).toMatchObject({ code: 'that-is-you' });
    }
    expect((await owner.call('DELETE', `delete_my_user/${owner.userId}`)).body).toMatchObject({ code: 'that-is-you' });
  });

  it('through a custom role, an API token or a wider scope', async () => {
    const owner = await person(server);
    const { system } = server.context.db;
    const folders = await Promise.all(
      ['North', 'South'].map(name =>
        system
          .insertInto('folder')
          .values({ account_id: owner.accountId, name })
          .returning('id')
          .executeTakeFirstOrThrow(),
      ),
    );
    server.context.signals.emit('organisation-changed', { accountId: owner.accountId });
    await server.organisation.roster.settled();
    const [north, south] = folders.map(({ id }) => String(id));
    const scope = { folderIds: [north], departmentIds: [] };
    const made = await owner.call('POST', 'role', {
      name: 'Yard',
      basedOn: 'admin',
      permissions: ['vehicles.read', 'users.read', 'users.write', 'roles.write'],
    });
    const { id: customRoleId } = made.body as { id: string };
    const user = newUser({ role: 'admin', customRoleId, scope, password: PASSWORD });
    await owner.call('POST', 'register_user', user);
    await system
      .updateTable('app_user')
      .set({ must_change_password: false })
      .where('user_name', '=', user.userName)
      .execute();
    const { token } = (await signIn(server, user.userName)).body as { token: string };
    const yard = (method: string, path: string, body: unknown) =>
      server.call(method, `/api/v1/${path}`, { token, body });

    const refused = { code: 'more-than-you-hold' };
    const viewer = { name: 'V', basedOn: 'viewer', permissions: ['vehicles.read'] };
    expect((await yard('POST', 'role', viewer)).status).toBe(201);
    expect((await yard('POST', 'role', { ...viewer, name: 'W', permissions: ['audit.read'] })).body).toMatchObject(
      refused,
    );
    expect((await yard('PATCH', `role/${customRoleId}`, { permissions: ['data.read'] })).body).toMatchObject(refused);
    const give = (rights: object) => yard('POST', 'register_user', newUser({ role: 'admin', customRoleId, ...rights }));
    expect((await give({ scope })).status).toBe(201);
    expect((await give({ scope: { folderIds: [], departmentIds: [] } })).status).toBe(201);
    for (const rights of [
      {},
      { scope: null },
      { scope: { folderIds: [south], departmentIds: [] } },
      { scope, customRoleId: null },
    ]) {
      expect([rights, (await give(rights)).body]).toMatchObject([rights, refused]);
    }
  });

  it('of a folder, department or role that is another account’s', async () => {
    const [owner, stranger] = [await person(server), await person(server)];
    const { system } = server.context.db;
    const folder = await system
      .insertInto('folder')
      .values({ account_id: stranger.accountId, name: 'Theirs' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const theirs = await stranger.call('POST', 'role', { name: 'T', basedOn: 'viewer', permissions: [] });
    const scope = { folderIds: [String(folder.id)], departmentIds: [] };
    expect((await register(owner, { scope })).body).toMatchObject({ errors: [{ field: 'scope.folderIds' }] });
    const { id: customRoleId } = theirs.body as { id: string };
    expect((await register(owner, { customRoleId })).body).toMatchObject({ errors: [{ field: 'customRoleId' }] });
  });
});

describe('the last owner', () => {
  it('can be neither deleted, deactivated, demoted nor made to expire', async () => {
    const owner = await person(server);
    const other = await person(server, { accountId: owner.accountId });
    // The caller’s own access would end: of the two, only the other may be touched, and then the caller is the last.
    await server.context.db.system
      .updateTable('app_user')
      .set({ expires_at: new Date(Date.now() + 86_400_000) })
      .where('id', '=', owner.userId)
      .execute();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    for (const answer of [
      await update(owner, other.userId, { role: 'admin' }),
      await update(owner, other.userId, { active: false }),
      await update(owner, other.userId, { expiresAt: tomorrow }),
      await owner.call('DELETE', `delete_my_user/${other.userId}`),
    ]) {
      expect([answer.status, answer.body]).toMatchObject([409, { code: 'last-owner' }]);
    }
    expect((await other.call('GET', 'read_my_users')).status).toBe(200);
  });

  it('remains when two remove each other at once', async () => {
    for (let i = 0; i < 5; i++) {
      const ann = await person(server);
      const bob = await person(server, { accountId: ann.accountId });
      await Promise.all([update(ann, bob.userId, { role: 'viewer' }), update(bob, ann.userId, { role: 'viewer' })]);
      const owners = await server.context.db.system
        .selectFrom('app_user')
        .select('id')
        .where('account_id', '=', ann.accountId)
        .where('role', '=', 'owner')
        .execute();
      expect(owners).toHaveLength(1);
    }
  });
});

describe('custom roles', () => {
  it('hold at once for everybody who has them, and go only when nobody does', async () => {
    const owner = await person(server);
    const bob = await person(server, { accountId: owner.accountId, role: 'viewer' });
    const made = await owner.call('POST', 'role', { name: 'Night', basedOn: 'viewer', permissions: ['drivers.read'] });
    const { id: customRoleId } = made.body as { id: string };
    const given = dataOf(await update(owner, bob.userId, { customRoleId }));
    expect(given).toMatchObject({ role: 'viewer', customRole: { name: 'Night' } });
    expect((await bob.call('GET', 'device')).status).toBe(403);
    expect((await bob.call('GET', 'driver')).status).toBe(200);
    await owner.call('PATCH', `role/${customRoleId}`, { permissions: ['vehicles.read'] });
    expect((await bob.call('GET', 'device')).status).toBe(200);
    expect((await bob.call('GET', 'driver')).status).toBe(403);
    expect((await owner.call('DELETE', `role/${customRoleId}`)).body).toMatchObject({
      code: 'role-in-use',
      params: { count: 1 },
    });
    expect(dataOf(await update(owner, bob.userId, { role: 'viewer' })).customRole).toBeNull();
    expect((await owner.call('DELETE', `role/${customRoleId}`)).status).toBe(200);
  });

  it('are listed after the built-in ones, with what whoever asks may give', async () => {
    const owner = await person(server);
    const admin = await person(server, { accountId: owner.accountId, role: 'admin' });
    await owner.call('POST', 'role', { name: 'Night', basedOn: 'viewer', permissions: ['owners.write'] });
    const roles = (await admin.call('GET', 'role')).body as { id: string; name: string; grantable: boolean }[];
    expect(roles.map(({ name, grantable }) => [name, grantable])).toEqual([
      ['owner', false],
      ['admin', true],
      ['dispatcher', true],
      ['viewer', true],
      ['driver', true],
      ['Night', false],
    ]);
    const taken = await owner.call('POST', 'role', { name: 'NIGHT', basedOn: 'viewer', permissions: [] });
    expect(taken.body).toMatchObject({ code: 'role-name-taken', errors: [{ field: 'name' }] });
    expect((await owner.call('POST', 'role', { name: 'O', basedOn: 'owner', permissions: [] })).status).toBe(400);
  });
});

it('takes no field that a form does not have', async () => {
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
