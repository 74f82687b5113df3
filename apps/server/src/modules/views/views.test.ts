import { type SavedView, savedViewSchema, VIEWS_MAX } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { type Caller, callerOf } from '../../../testing/organisation.ts';

let server: TestHttpServer;
let owner: SignedIn;
let asOwner: Caller;
let dispatcher: SignedIn;
let asDispatcher: Caller;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await signedIn(server);
  dispatcher = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
  [asOwner, asDispatcher] = [callerOf(server, owner), callerOf(server, dispatcher)];
});

const keep = async (as: Caller, name: string, shared = false): Promise<SavedView> => {
  const answer = await as('POST', '/view', { page: 'fleet', name, query: `q=${name}`, shared });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return savedViewSchema.parse(answer.body);
};
const listed = async (as: Caller) => (await as('GET', '/view?page=fleet')).body as SavedView[];
const names = async (as: Caller) => (await listed(as)).map(({ name }) => name);

describe('saved views', () => {
  it('are private or shared, and each user orders them as they like', async () => {
    const mine = await keep(asDispatcher, 'Reefers');
    const [silent, idle] = [await keep(asOwner, 'Silent', true), await keep(asOwner, 'Idle', true)];
    await keep(asOwner, 'Owner’s');
    expect(await names(asDispatcher)).toEqual(['Reefers', 'Silent', 'Idle']);
    const order = { page: 'fleet', ids: [idle.id, '2000000000', mine.id, idle.id] };
    expect((await asDispatcher('PATCH', '/view_order', order)).body).toMatchObject([idle, mine, silent]);
    expect(await names(asDispatcher)).toEqual(['Idle', 'Reefers', 'Silent']);
    expect(await names(asOwner)).toEqual(['Silent', 'Idle', 'Owner’s']);
  });

  it('that are shared can only be changed with the right to share views', async () => {
    const { id } = await keep(asOwner, 'Silent', true);
    const mine = await keep(asDispatcher, 'Mine');
    const refused = [
      await asDispatcher('POST', '/view', { page: 'fleet', name: 'X', query: '', shared: true }),
      await asDispatcher('PATCH', `/view/${mine.id}`, { shared: true }),
      await asDispatcher('PATCH', `/view/${id}`, { name: 'Quiet' }),
      await asDispatcher('DELETE', `/view/${id}`),
    ];
    expect(refused.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual(
      refused.map(() => [403, 'not-allowed']),
    );
    // Another user's private view is not found, not even by an owner.
    expect((await asOwner('PATCH', `/view/${mine.id}`, { name: 'Theirs' })).status).toBe(404);
    expect((await asOwner('PATCH', `/view/${id}`, { name: 'Quiet', query: 'sort=-age' })).body).toMatchObject({
      name: 'Quiet',
      query: 'sort=-age',
      shared: true,
      createdBy: owner.userName,
    });
    await asOwner('PATCH', `/view/${id}`, { shared: false });
    expect(await names(asDispatcher)).toEqual(['Mine']);
  });

  it('have unique names, among one’s own and among shared ones', async () => {
    await keep(asOwner, 'Silent', true);
    await keep(asOwner, 'Silent');
    await keep(asDispatcher, 'Silent');
    const again = await asOwner('POST', '/view', { page: 'fleet', name: 'SILENT', query: '' });
    expect([again.status, again.body]).toMatchObject([
      409,
      { code: 'view-name-taken', errors: [{ field: 'name', message: 'A view with this name already exists.' }] },
    ]);
    const other = await keep(asDispatcher, 'Other');
    expect((await asDispatcher('PATCH', `/view/${other.id}`, { name: 'silent' })).status).toBe(409);
    const bad = { page: 'fleet', name: '', query: 'a\nb' };
    expect((await asOwner('POST', '/view', bad)).body).toMatchObject({
      errors: [{ field: 'name', message: 'Enter a name of up to 40 characters.' }, { field: 'query' }],
    });
  });

  it('are limited to what a page can show', async () => {
    for (let n = 0; n < VIEWS_MAX; n++) await keep(asDispatcher, `View ${n}`);
    const oneMore = await asDispatcher('POST', '/view', { page: 'fleet', name: 'One more', query: '' });
    expect([oneMore.status, oneMore.body]).toMatchObject([409, { code: 'too-many-views' }]);
    await keep(asOwner, 'Not theirs');
  });

  it('are recorded in the audit log when changed, and deleted with their owner', async () => {
    const { id } = await keep(asDispatcher, 'Reefers');
    await asDispatcher('PATCH', `/view/${id}`, { name: 'Cold' });
    await asDispatcher('PATCH', `/view/${id}`, { name: 'Cold' });
    await asDispatcher('DELETE', `/view/${id}`);
    const { system } = server.context.db;
    const entries = await system
      .selectFrom('audit_entry')
      .select(['action', 'target_name', 'changes'])
      .where('account_id', '=', owner.accountId)
      .orderBy('id')
      .execute();
    expect(entries).toMatchObject([
      { action: 'view.created', target_name: 'Reefers' },
      { action: 'view.changed', target_name: 'Cold', changes: [{ field: 'name', from: 'Reefers', to: 'Cold' }] },
      { action: 'view.deleted', target_name: 'Cold' },
    ]);
    await keep(asDispatcher, 'Own');
    await asOwner('POST', '/view', { page: 'fleet', name: 'All', query: '', shared: true });
    await system.deleteFrom('app_user').where('id', '=', dispatcher.userId).execute();
    const left = await system
      .selectFrom('saved_view')
      .select('name')
      .where('account_id', '=', owner.accountId)
      .execute();
    expect(left).toEqual([{ name: 'All' }]);
  });
});
