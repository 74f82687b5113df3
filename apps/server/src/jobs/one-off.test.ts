import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import pino from 'pino';
import { expect, it, type TestContext, vi } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { createAccount, createUser } from '../modules/accounts/accounts.ts';
import { createJobs, type Jobs, type JobsPace } from './jobs.ts';
import { JobProblem, type OneOffJob } from './one-off.ts';

const RUN_ONE_OFFS = join(import.meta.dirname, '../../testing/run-one-offs.ts');
const PACE: JobsPace = { lookEverySeconds: 0.5, superviseEverySeconds: 1, heartbeatSeconds: 10 };
const patient = { timeout: 90_000, interval: 25 };

const log = pino({ level: 'silent' });

/** A database of its own for each test: they wait side by side for what is due. */
async function place({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const database = await testDatabase();
  const { databases } = database;
  const accountId = await createAccount(databases, { name: 'Jobs' });
  const userId = await createUser(databases, { accountId, userName: 'worker', role: 'owner', password: null });
  await databases.pool.query('create table counted (job uuid, number integer, primary key (job, number))');
  const started: Jobs[] = [];
  const children = new Set<ChildProcess>();
  const kill = async (victim: ChildProcess): Promise<void> => {
    children.delete(victim);
    if (victim.exitCode !== null || victim.signalCode !== null) return;
    const gone = once(victim, 'exit');
    victim.kill('SIGKILL');
    await gone;
  };
  onTestFinished(async () => {
    await Promise.all(started.map(jobs => jobs.stop()));
    await Promise.all([...children].map(kill));
    await database.close();
  });
  return {
    databases,
    accountId,
    kill,
    /** Jobs of a server that doesn't run them. */
    idle: (pace = PACE): Jobs => {
      const jobs = createJobs(databases, log, pace);
      started.push(jobs);
      return jobs;
    },
    runner: (...defined: OneOffJob[]): Jobs => {
      const jobs = createJobs(databases, log, PACE);
      for (const job of defined) jobs.oneOffs.define(job);
      jobs.start();
      started.push(jobs);
      return jobs;
    },
    ask: async ({ oneOffs }: Jobs, kind: string, work: object = { secret: 's3cret' }, total = 10): Promise<string> => {
      const job = { accountId, userId, kind, about: {}, work, total };
      const id = await databases.asAccount(accountId, trx => oneOffs.add(trx, job));
      await oneOffs.begin(id);
      return id;
    },
    rowOf: async (id: string) =>
      (await databases.pool.query('select state, done, total, work, problem from job where id = $1', [id])).rows[0],
    child: (): ChildProcess => {
      const made = spawn(process.execPath, [RUN_ONE_OFFS, database.url], { stdio: 'ignore' });
      children.add(made);
      return made;
    },
  };
}

it.concurrent('runs a job once on one of two servers, and forgets what only the runner reads', {
  timeout: 120_000,
}, async test => {
  const { ask, rowOf, runner } = await place(test);
  const runs: string[] = [];
  const job: OneOffJob = {
    kind: 'once',
    run: async ({ id, progress }) => {
      runs.push(id);
      await progress(4);
    },
  };
  const [one, other] = [runner(job), runner(job)];
  const ids = await Promise.all(Array.from({ length: 6 }, (_, at) => ask(at % 2 === 0 ? one : other, 'once')));
  for (const id of ids) {
    await vi.waitFor(async () => {
      expect(await rowOf(id)).toEqual({ state: 'done', done: 10, total: 10, work: {}, problem: null });
    }, patient);
  }
  expect(runs.toSorted()).toEqual(ids.toSorted());
  await Promise.all([one.stop(), other.stop()]);
});

it.concurrent('begins at once what was asked for before the runner was there', async test => {
  const { ask, idle, rowOf } = await place(test);
  const run = vi.fn(async () => {});
  const slow = { lookEverySeconds: 600, superviseEverySeconds: 600, heartbeatSeconds: 60 };
  const jobs = idle(slow);
  jobs.oneOffs.define({ kind: 'early', run });
  const id = await ask(jobs, 'early');
  expect(await rowOf(id)).toMatchObject({ state: 'waiting' });
  jobs.start();
  await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ state: 'done' }), { timeout: 30_000 });
  expect(run).toHaveBeenCalledTimes(1);
  await jobs.stop();
});

it.concurrent('tries again after a failure, and tells what no other try can mend', { timeout: 120_000 }, async test => {
  const { ask, rowOf, runner } = await place(test);
  let tries = 0;
  const jobs = runner(
    {
      kind: 'unlucky',
      run: async () => {
        tries += 1;
        if (tries === 1) throw new Error('The disk is full');
      },
    },
    {
      kind: 'refused',
      run: async () => {
        throw new JobProblem({ type: '/problems/not-allowed', title: 'No.', status: 403, code: 'not-allowed' });
      },
    },
  );
  const [unlucky, refused] = [await ask(jobs, 'unlucky'), await ask(jobs, 'refused')];
  await vi.waitFor(async () => {
    expect(await rowOf(refused)).toMatchObject({ state: 'failed', work: {}, problem: { code: 'not-allowed' } });
  }, patient);
  await vi.waitFor(async () => expect(await rowOf(unlucky)).toMatchObject({ state: 'done' }), patient);
  expect(tries).toBe(2);
  await jobs.stop();
});

it.concurrent('cancels a job that waits at once, and one that runs on whichever server it runs', {
  timeout: 120_000,
}, async test => {
  const { accountId, ask, idle, rowOf, runner } = await place(test);
  const elsewhere = idle();
  const waiting = await ask(elsewhere, 'endless');
  expect(await elsewhere.oneOffs.cancel(accountId, waiting)).toBe(true);
  expect(await rowOf(waiting)).toMatchObject({ state: 'cancelled', work: {} });
  expect(await elsewhere.oneOffs.cancel(accountId, waiting)).toBe(false);
  const jobs = runner({
    kind: 'endless',
    run: async ({ signal, progress }) => {
      for (let done = 1; !signal.aborted; done++) {
        await progress(done);
        await new Promise(resolve => setTimeout(resolve, 20));
      }
    },
  });
  const id = await ask(jobs, 'endless');
  await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ state: 'running' }), patient);
  expect(await elsewhere.oneOffs.cancel(accountId + 1, id)).toBe(false);
  expect(await elsewhere.oneOffs.cancel(accountId, id)).toBe(true);
  await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ state: 'cancelled' }), patient);
  await jobs.stop();
});

it.concurrent('takes up what a stopped server left, and what nobody queued', { timeout: 120_000 }, async test => {
  const { ask, idle, rowOf, runner } = await place(test);
  const long = (runs: string[], until: () => boolean): OneOffJob => ({
    kind: 'long',
    run: async ({ id, signal }) => {
      runs.push(id);
      while (!signal.aborted && !until()) await new Promise(resolve => setTimeout(resolve, 20));
    },
  });
  const first: string[] = [];
  const stopped = runner(long(first, () => false));
  const id = await ask(stopped, 'long');
  await vi.waitFor(() => expect(first).toEqual([id]), patient);
  await stopped.stop();
  expect(await rowOf(id)).toMatchObject({ state: 'running' });
  // Written by a server that was killed before it could queue it.
  const unqueued = await ask(idle(), 'long');
  const jobs = runner(long([], () => true));
  for (const each of [id, unqueued]) {
    await vi.waitFor(async () => expect(await rowOf(each)).toMatchObject({ state: 'done' }), patient);
  }
  await jobs.stop();
});

it.concurrent('does each job once or tells why not, whichever of two servers is killed', {
  tags: ['long'],
  timeout: 300_000,
}, async test => {
  const { ask, child, databases, idle, kill, rowOf } = await place(test);
  const servers = [child(), child()];
  const asking = idle();
  const ids = await Promise.all(Array.from({ length: 12 }, () => ask(asking, 'counting', { upTo: 40 }, 40)));
  const counted = async () => Number((await databases.pool.query('select count(*) from counted')).rows[0].count);
  for (let killed = 0; killed < 5; killed++) {
    const before = await counted();
    await vi.waitFor(async () => expect(await counted()).toBeGreaterThan(before + 7 * killed), patient);
    const victim = servers[killed % 2];
    if (victim) await kill(victim);
    servers[killed % 2] = child();
  }
  for (const id of ids) {
    await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject({ state: 'done', done: 40 }), {
      timeout: 200_000,
      interval: 200,
    });
  }
  expect(await counted()).toBe(12 * 40);
});

it.concurrent('is done once it says so, whether it is cancelled or killed right after', {
  timeout: 120_000,
}, async test => {
  const { accountId, ask, databases, runner } = await place(test);
  const resultOf = async (id: string) =>
    (await databases.pool.query('select state, result from job where id = $1', [id])).rows[0];
  let runs = 0;
  const jobs = runner(
    {
      kind: 'cancelled-late',
      run: async ({ id, finish }) => {
        expect(await finish({ rows: 3 })).toBe(true);
        await jobs.oneOffs.cancel(accountId, id);
      },
    },
    {
      kind: 'cancelled-in-time',
      run: async ({ id, finish }) => {
        await jobs.oneOffs.cancel(accountId, id);
        expect(await finish({ rows: 3 })).toBe(false);
      },
    },
    {
      kind: 'killed-late',
      run: async ({ finish }) => {
        runs += 1;
        await finish({ rows: 3 });
        throw new Error('As if it were killed');
      },
    },
  );
  const [late, inTime, killed] = [
    await ask(jobs, 'cancelled-late'),
    await ask(jobs, 'cancelled-in-time'),
    await ask(jobs, 'killed-late'),
  ];
  await vi.waitFor(async () => expect(await resultOf(late)).toEqual({ state: 'done', result: { rows: 3 } }), patient);
  await vi.waitFor(async () => expect(await resultOf(inTime)).toEqual({ state: 'cancelled', result: null }), patient);
  await vi.waitFor(async () => expect(await resultOf(killed)).toEqual({ state: 'done', result: { rows: 3 } }), patient);
  expect(runs).toBe(1);
  await jobs.stop();
});
