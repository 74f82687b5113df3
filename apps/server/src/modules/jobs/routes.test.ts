import type { Job, RepeatedJob } from '@milepost/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { auditOf, type Person, person } from '../../../testing/people.ts';
import { JobProblem } from '../../jobs/one-off.ts';

const patient = { timeout: 30_000, interval: 25 };
let server: TestHttpServer;
let owner: Person;
let isBroken = true;
let finishStep = Promise.resolve();
beforeAll(async () => {
  server = await startHttpServer();
  const { jobs } = server.context;
  jobs.oneOffs.define({
    kind: 'breaking',
    run: async () => {
      if (isBroken) throw new Error('The disk is full');
    },
  });
  jobs.oneOffs.define({ kind: 'long', run: () => finishStep });
  jobs.oneOffs.define({
    kind: 'hopeless',
    run: async () => {
      const title = 'There is no such thing.';
      throw new JobProblem({ type: '/problems/not-found', title, status: 404, code: 'not-found' });
    },
  });
  jobs.repeat({ name: 'counting', everySeconds: 3600, run: async () => {} });
  jobs.start();
  owner = await person(server);
});
afterAll(() => server.close());

async function add(kind: string, { begins = true } = {}): Promise<string> {
  const { db, jobs } = server.context;
  const { accountId, userId } = owner;
  const id = await db.asAccount(accountId, trx =>
    jobs.oneOffs.add(trx, { accountId, userId, kind, about: {}, work: { secret: 's3cret' }, total: 5 }),
  );
  if (begins) await jobs.oneOffs.begin(id);
  return id;
}
/** As after many failed tries. */
const postpone = (id: string) =>
  server.context.db.pool.query(`update jobs.job set start_after = now() + interval '1 hour' where id = $1`, [id]);
const list = async () => (await owner.call('GET', 'job')).body as readonly Job[];
const find = async (id: string) => (await list()).find(job => job.id === id);

it('lists a job that failed with when it is tried again, and tries it at once on request', async () => {
  const id = await add('breaking');
  await vi.waitFor(async () => expect((await find(id))?.retryAt).toEqual(expect.any(String)), patient);
  expect(await find(id)).toMatchObject({ kind: 'breaking', done: 0, total: 5, endedAt: null, problem: null });
  expect(JSON.stringify(await list())).not.toMatch(/s3cret|disk/);
  isBroken = false;
  expect((await owner.call('POST', `job/${id}/run`)).status).toBe(200);
  await vi.waitFor(async () => expect(await find(id)).toMatchObject({ state: 'done', retryAt: null }), patient);
  // What has ended stays as it is, and nobody is said to have changed it.
  const before = await auditOf(server, owner.accountId);
  expect((await owner.call('POST', `job/${id}/cancel`)).body).toMatchObject({ id, state: 'done' });
  expect((await owner.call('POST', `job/${id}/run`)).body).toMatchObject({ id, state: 'done' });
  expect(await auditOf(server, owner.accountId)).toEqual(before);
});

it('says why a job failed for good, and cancels one that waits', async () => {
  const id = await add('hopeless');
  await vi.waitFor(async () => {
    expect(await find(id)).toMatchObject({ state: 'failed', problem: { title: 'There is no such thing.' } });
  }, patient);
  const waiting = await add('hopeless', { begins: false });
  expect((await owner.call('POST', `job/${waiting}/cancel`)).body).toMatchObject({ state: 'cancelled' });
});

it('is stopping from cancel to its end, and one that waits for another try ends at once', async () => {
  const step = Promise.withResolvers<void>();
  finishStep = step.promise;
  const id = await add('long');
  await vi.waitFor(async () => expect(await find(id)).toMatchObject({ state: 'running', isStopping: false }), patient);
  const asked = await owner.call('POST', `job/${id}/cancel`);
  expect(asked.body).toMatchObject({ state: 'running', isStopping: true });
  step.resolve();
  await vi.waitFor(
    async () => expect(await find(id)).toMatchObject({ state: 'cancelled', isStopping: false }),
    patient,
  );

  isBroken = true;
  const broken = await add('breaking');
  await vi.waitFor(async () => expect((await find(broken))?.retryAt).toEqual(expect.any(String)), patient);
  await postpone(broken);
  await owner.call('POST', `job/${broken}/cancel`);
  await vi.waitFor(async () => expect(await find(broken)).toMatchObject({ state: 'cancelled' }), patient);
});

it('shows jobs to those who may see the account’s settings, and changes them for those who may change these', async () => {
  const id = await add('breaking');
  const dispatcher = await person(server, { accountId: owner.accountId, role: 'dispatcher' });
  for (const [method, path] of [
    ['GET', 'job'],
    ['POST', `job/${id}/run`],
    ['POST', `job/${id}/cancel`],
    ['GET', 'repeated_job'],
    ['POST', 'repeated_job/counting/run'],
  ] as const) {
    expect((await dispatcher.call(method, path)).status, path).toBe(403);
  }
  const stranger = await person(server);
  expect((await stranger.call('GET', 'job')).body).toEqual([]);
  expect((await stranger.call('POST', `job/${id}/cancel`)).status).toBe(404);
  expect((await stranger.call('POST', `job/${id}/run`)).status).toBe(404);
});

it('shows recurring work only to the account that runs the installation', async () => {
  expect((await owner.call('GET', 'repeated_job')).status).toBe(403);
  expect((await owner.call('POST', 'repeated_job/counting/run')).status).toBe(403);
  await server.context.db.system
    .updateTable('account')
    .set({ operator: true })
    .where('id', '=', owner.accountId)
    .execute();
  const counting = async () =>
    ((await owner.call('GET', 'repeated_job')).body as readonly RepeatedJob[]).find(({ name }) => name === 'counting');
  await vi.waitFor(async () => expect((await counting())?.nextAt).toEqual(expect.any(String)), patient);
  expect(await counting()).toMatchObject({ everySeconds: 3600, state: 'waiting', last: null });
  expect((await owner.call('POST', 'repeated_job/counting/run')).status).toBe(200);
  await vi.waitFor(async () => expect((await counting())?.last).not.toBeNull(), patient);
  expect((await owner.call('POST', 'repeated_job/unheard-of/run')).status).toBe(404);
});

it('tells a visitor of a public demo neither who started jobs nor what the server’s errors say', async () => {
  const { db, jobs } = server.context;
  jobs.repeat({
    name: 'leaking',
    everySeconds: 3600,
    run: async () => {
      throw new Error('connect ECONNREFUSED db.internal:5432');
    },
  });
  await db.system.updateTable('account').set({ operator: true }).where('id', '=', owner.accountId).execute();
  await db.pool.query(
    `insert into jobs.job (name, state, singleton_key, output, start_after)
     values ('repeated', 'retry', 'leaking', '{"message": "connect ECONNREFUSED db.internal:5432"}', now() + interval '1 hour')`,
  );
  await add('hopeless', { begins: false });
  const { token } = await server.sessions.open({ ...owner, readOnly: true });
  const asVisitor = (path: string) => server.call('GET', `/api/v1/${path}`, { token });
  const leaking = ({ body }: { readonly body: unknown }) =>
    (body as readonly RepeatedJob[]).find(({ name }) => name === 'leaking');
  expect(leaking(await owner.call('GET', 'repeated_job'))).toMatchObject({
    state: 'failed',
    failure: expect.stringContaining('ECONNREFUSED'),
  });
  expect(leaking(await asVisitor('repeated_job'))).toMatchObject({ state: 'failed', failure: null });
  expect((await list()).length).toBeGreaterThan(0);
  expect((await asVisitor('job')).body).toEqual([]);
});
