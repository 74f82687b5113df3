import { ROLES, type User, userSchema } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { PASSWORD, type Person, person, signIn } from '../../../testing/people.ts';

const NEW_PASSWORD = 'another sentence nobody guesses';
let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

let count = 0;
const newUser = (more: object = {}) => ({
  userName: `given-${++count}`,
  displayName: `Given ${count}`,
  role: 'viewer',
  ...more,
});
const register = (who: Person, more: object = {}) => who.call('POST', 'register_user', newUser(more));
const dataOf = ({ body }: { readonly body: unknown }) => (body as { data: User }).data;
const list = async (who: Person) => z.array(userSchema).parse((await who.call('GET', 'read_my_users')).body);
const update = (who: Person, id: string, change: object) => who.call('PATCH', `update_my_user/${id}`, change);

describe('nobody can grant more than they hold', () => {
  it('whatever their role and the role they grant', async () => {
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

  it('or change users who hold more', async () => {
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

  it('or raise their own rights, or end their own access', async () => {
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
    await server.context.feed.settled();
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
    // Roles belong to the whole account.
    expect((await yard('POST', 'role', viewer)).body).toMatchObject({ code: 'not-allowed' });
    const clerk = await person(server, { accountId: owner.accountId, role: 'admin' });
    const held = { customRoleId, role: 'admin', scope: null };
    expect((await update(owner, clerk.userId, held)).status).toBe(200);
    expect((await clerk.call('POST', 'role', viewer)).status).toBe(201);
    const more = { ...viewer, name: 'W', permissions: ['audit.read'] };
    expect((await clerk.call('POST', 'role', more)).body).toMatchObject(refused);
    expect((await clerk.call('PATCH', `role/${customRoleId}`, { permissions: ['data.read'] })).body).toMatchObject(
      refused,
    );
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

  it('with a folder, department or role of another account', async () => {
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
    // The caller’s own access would end, so they can only change the other owner and are then the last one.
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

  it('remains when two remove each other at the same time', async () => {
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
  it('apply immediately to everyone who has them, and can only be deleted when nobody does', async () => {
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

  it('are listed after the built-in ones, with what the caller may grant', async () => {
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
