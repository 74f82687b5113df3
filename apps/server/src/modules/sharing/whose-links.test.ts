import type { Permission } from '@milepost/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, callerOf, limit } from '../../../testing/organisation.ts';
import { auditOf } from '../../../testing/people.ts';
import { shareLink } from '../../../testing/share-link.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

/** An owner, a dispatcher with two links, and a vehicle for each link. */
async function fleet() {
  const owner = await signedIn(server);
  const { accountId } = owner;
  const dispatcher = await signedIn(server, { accountId, role: 'dispatcher' });
  const truck = await addNamedVehicle(server, accountId, 'Unit 4127');
  const van = await addNamedVehicle(server, accountId, 'Unit 4118');
  const add = (by: SignedIn, { id }: typeof truck, name: string) => shareLink(server, by, Number(id), name);
  await add(owner, truck, 'of the owner');
  return { owner, dispatcher, truck, van, add };
}

/** Gives the user these permissions in place of a dispatcher's. */
async function permit({ accountId, userId }: SignedIn, permissions: readonly Permission[]): Promise<void> {
  const { system } = server.context.db;
  const { id } = await system
    .insertInto('custom_role')
    .values({ account_id: accountId, name: `for ${userId}`, based_on: 'dispatcher', permissions: [...permissions] })
    .returning('id')
    .executeTakeFirstOrThrow();
  await system.updateTable('app_user').set({ custom_role_id: id }).where('id', '=', userId).execute();
  server.context.signals.emit('users-changed', { userIds: [userId] });
}

async function listed(by: SignedIn, path = '/share'): Promise<readonly string[]> {
  const { body } = await callerOf(server, by)('GET', path);
  return (body as { shares: { name: string; state: string }[] }).shares.map(({ name, state }) => `${name}: ${state}`);
}

it('users who may only create links see, change and end their own', async () => {
  const { owner, dispatcher, truck, add } = await fleet();
  const theirs = await add(owner, truck, 'another of the owner');
  const own = await add(dispatcher, truck, 'their own');
  await permit(dispatcher, ['vehicles.read', 'shares.write']);
  expect(await listed(dispatcher, '/share/own')).toEqual(['their own: open']);
  const call = callerOf(server, dispatcher);
  expect(await call('GET', '/share')).toMatchObject({ status: 403, body: { code: 'not-allowed' } });
  expect((await call('PATCH', `/share/${theirs.id}`, { name: 'Mine' })).status).toBe(404);
  expect((await call('DELETE', `/share/${theirs.id}`)).status).toBe(404);
  expect(await call('DELETE', `/share?createdBy=${owner.userId}`)).toMatchObject({ status: 200, body: { shares: [] } });
  expect(await call('DELETE', `/share/${own.id}`)).toMatchObject({ body: { share: { state: 'revoked' } } });
});

it('all links of a user can be ended together, each in the audit log', async () => {
  const { owner, dispatcher, truck, van, add } = await fleet();
  await add(dispatcher, truck, 'one');
  const over = await add(dispatcher, van, 'over');
  await add(dispatcher, van, 'two');
  const call = callerOf(server, owner);
  await call('DELETE', `/share/${over.id}`);
  const before = (await auditOf(server, owner.accountId)).length;
  const { status, body } = await call('DELETE', `/share?createdBy=${dispatcher.userId}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ shares: [{ name: 'two', state: 'revoked' }, { name: 'one' }] });
  expect((body as { shares: unknown[] }).shares).toHaveLength(2);
  expect(await listed(owner)).toEqual(['two: revoked', 'over: revoked', 'one: revoked', 'of the owner: open']);
  const deeds = (await auditOf(server, owner.accountId)).map(({ action }) => action);
  expect(deeds).toHaveLength(before + 2);
  expect(await call('DELETE', `/share?createdBy=${dispatcher.userId}`)).toMatchObject({ body: { shares: [] } });
});

it('nobody can end links that they can’t see', async () => {
  const { owner, dispatcher, van, add } = await fleet();
  const folder = await callerOf(server, owner)('POST', '/folder', { name: 'North' });
  const { id } = folder.body as { id: string };
  await callerOf(server, owner)('PATCH', `/folder/assign/${id}`, { devices: [van.id] });
  await add(owner, van, 'the van');
  await limit(server.context, dispatcher, { folders: [id] });
  expect(await listed(dispatcher)).toEqual(['the van: open']);
  const answer = await callerOf(server, dispatcher)('DELETE', `/share?createdBy=${owner.userId}`);
  expect(answer.body).toMatchObject({ shares: [{ name: 'the van', state: 'revoked' }] });
  expect(await listed(owner)).toEqual(['the van: revoked', 'of the owner: open']);
});
