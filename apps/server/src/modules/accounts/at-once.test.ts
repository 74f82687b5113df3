import { randomBytes, randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { type Person, person } from '../../../testing/people.ts';
import type { Database } from '../../db/schema.ts';
import { hashOf } from './email-changes.ts';
import { lockUser } from './lock-user.ts';

const PASSWORD = 'another sentence nobody guesses';
let server: TestHttpServer;
let system: Kysely<Database>;
let owner: Person;
let ann: Person;
let token: string;
beforeAll(async () => {
  // In development, links work without a mail server: they are logged.
  server = await startHttpServer({ config: { development: true } });
  ({ system } = server.context.db);
});
afterAll(() => server.close());

const inAnHour = () => new Date(Date.now() + 3_600_000);
const post = (path: string, body: object) => server.call('POST', `/api/v1/${path}`, { body });
const end = (table: 'email_change' | 'invitation' | 'password_recovery') => (trx: Kysely<Database>) =>
  trx.deleteFrom(table).where('user_id', '=', ann.userId).execute();
const nothing = async () => {};

/** A transaction waits for a row that another one has locked. */
const oneWaits = () =>
  expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(system);
      return rows.length;
    })
    .toBe(1);

interface Meeting {
  /** Runs before the other transaction starts. */
  readonly before?: (trx: Kysely<Database>) => Promise<unknown>;
  /** Runs while the other transaction waits. */
  readonly meanwhile?: (trx: Kysely<Database>) => Promise<unknown>;
  readonly other: () => ReturnType<TestHttpServer['call']>;
}

/** Changes a user while another request for the user comes in; returns that request's answer. */
async function meet({ before = nothing, meanwhile = nothing, other }: Meeting) {
  const { answer } = await system.transaction().execute(async trx => {
    await lockUser(trx, ann.userId);
    await before(trx);
    const answer = other();
    await oneWaits();
    await meanwhile(trx);
    return { answer };
  });
  return answer;
}

async function newAnn({ hasCome = true } = {}) {
  token = randomBytes(32).toString('base64url');
  owner = await person(server);
  ann = await person(server, { accountId: owner.accountId, role: 'viewer' });
  if (!hasCome)
    await system.updateTable('app_user').set({ password_hash: null }).where('id', '=', ann.userId).execute();
}
/** The update of `last_seen_at` runs beside the call; after it there is no other for a minute. */
async function isSeen() {
  await ann.call('GET', 'read_me');
  const seen = system.selectFrom('app_user').select('last_seen_at').where('id', '=', ann.userId);
  await expect.poll(() => seen.executeTakeFirst()).toEqual({ last_seen_at: expect.any(Date) });
}
const row = () => ({
  user_id: ann.userId,
  account_id: ann.accountId,
  token_hash: hashOf(token),
  expires_at: inAnHour(),
});
const changing = () =>
  system
    .insertInto('email_change')
    .values({ ...row(), email: 'eve@example.com', sent_at: new Date() })
    .execute();

it('a confirmation link waits for the change that ends it, and is then refused', async () => {
  await newAnn();
  await changing();
  const other = () => post('confirm_email', { token });
  expect((await meet({ other, meanwhile: end('email_change') })).body).toMatchObject({ code: 'email-link-over' });
});

it('an invitation waits for the change that ends it, and is then refused', async () => {
  await newAnn({ hasCome: false });
  await system.insertInto('invitation').values(row()).execute();
  const other = () => post('accept_invitation', { token, password: PASSWORD });
  expect((await meet({ other, meanwhile: end('invitation') })).body).toMatchObject({ code: 'invitation-over' });
});

it('a password reset waits for the change that ends it, and is then refused', async () => {
  await newAnn();
  const code = { token: randomUUID(), code_hash: '', proof_hash: hashOf(token), expires_at: inAnHour() };
  const { id } = await system
    .insertInto('password_recovery')
    .values({ ...code, user_id: ann.userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const body = { proof: token, password: PASSWORD };
  const other = () => server.call('PATCH', `/api/v1/user-reset-password/${id}`, { body });
  expect((await meet({ other, meanwhile: end('password_recovery') })).body).toMatchObject({
    code: 'recovery-code-wrong',
  });
});

it('a link is not sent again for an address that has just been dropped', async () => {
  await newAnn();
  await changing();
  await isSeen();
  const answer = await meet({ before: end('email_change'), other: () => ann.call('POST', 'email_change') });
  // Their current address is not confirmed yet, and still can be.
  expect(answer.body).toMatchObject({ pending: { email: ann.email } });
});

it('a code is not sent to an address that has just been changed', async () => {
  await newAnn();
  const before = (trx: Kysely<Database>) =>
    trx.updateTable('app_user').set({ email: 'now@example.com' }).where('id', '=', ann.userId).execute();
  const other = () => post('user-forgot-password', { userName: ann.email });
  expect(await meet({ before, other })).toMatchObject({ status: 200 });
  const codes = await system.selectFrom('password_recovery').select('id').where('user_id', '=', ann.userId).execute();
  expect(codes).toEqual([]);
});

it('a user who has just joined is not invited again', async () => {
  await newAnn({ hasCome: false });
  const before = (trx: Kysely<Database>) =>
    trx.updateTable('app_user').set({ password_hash: '' }).where('id', '=', ann.userId).execute();
  const other = () => owner.call('POST', `invite_my_user/${ann.userId}`);
  expect((await meet({ before, other })).body).toMatchObject({ code: 'already-joined' });
});
