import pino from 'pino';
import { expect, it, type TestContext, vi } from 'vitest';
import { testDatabase } from '../../testing/database.ts';
import { createJobs, type Jobs, type JobsPace, readJobTrouble } from './jobs.ts';

const PACE: JobsPace = { lookEverySeconds: 0.5, superviseEverySeconds: 1, heartbeatSeconds: 10 };
const log = pino({ level: 'silent' });
const patient = { timeout: 60_000, interval: 50 };

/** A database of its own for each test: they wait side by side for what is due. */
async function place({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const { close, databases } = await testDatabase();
  const started: Jobs[] = [];
  onTestFinished(async () => {
    await Promise.all(started.map(jobs => jobs.stop()));
    await close();
  });
  const start = (jobs: Jobs, repeated: readonly Parameters<Jobs['repeat']>[0][]): Jobs => {
    for (const job of repeated) jobs.repeat(job);
    jobs.start();
    started.push(jobs);
    return jobs;
  };
  return {
    databases,
    start,
    runner: (...repeated: Parameters<Jobs['repeat']>[0][]) => start(createJobs(databases, log, PACE), repeated),
    rowsOf: async (name: string): Promise<readonly { state: string; output: unknown }[]> =>
      (
        await databases.pool.query(
          `select state::text, output from jobs.job where name = 'repeated' and singleton_key = $1`,
          [name],
        )
      ).rows,
  };
}

it.concurrent('runs a repeated job on one of two servers at a time', { timeout: 90_000 }, async test => {
  const { rowsOf, runner } = await place(test);
  let running = 0;
  let most = 0;
  const by = { one: 0, other: 0 };
  const job = (who: keyof typeof by) => ({
    name: 'shared',
    everySeconds: 1,
    run: async () => {
      most = Math.max(most, ++running);
      by[who] += 1;
      await new Promise(resolve => setTimeout(resolve, 300));
      running -= 1;
    },
  });
  const [one, other] = [runner(job('one')), runner(job('other'))];
  await vi.waitFor(() => expect(by.one + by.other).toBeGreaterThanOrEqual(3), patient);
  expect(most).toBe(1);
  await one.stop();
  const before = by.other;
  await vi.waitFor(() => expect(by.other).toBeGreaterThanOrEqual(before + 2), patient);
  expect(most).toBe(1);
  await other.stop();
  const waiting = (await rowsOf('shared')).filter(({ state }) => state === 'created' || state === 'retry');
  expect(waiting).toHaveLength(1);
});

it.concurrent('tries a job that failed again, keeps why, and goes on after it', { timeout: 90_000 }, async test => {
  const { databases, rowsOf, runner } = await place(test);
  let tries = 0;
  const jobs = runner({
    name: 'failing',
    everySeconds: 1,
    run: async () => {
      tries += 1;
      if (tries <= 2) throw new Error('The disk is full');
    },
  });
  await vi.waitFor(async () => {
    const rows = await rowsOf('failing');
    expect(rows.find(({ state }) => state === 'retry')?.output).toMatchObject({ message: 'The disk is full' });
    expect(await readJobTrouble(databases)).toBe(
      'Jobs that failed and will be tried again: failing. The log says why.',
    );
  }, patient);
  await vi.waitFor(() => expect(tries).toBeGreaterThanOrEqual(4), patient);
  await jobs.stop();
  expect(await readJobTrouble(databases)).toBeNull();
});

it.concurrent('takes up the run of a server that was killed', { timeout: 90_000 }, async test => {
  const { databases, rowsOf, runner } = await place(test);
  const first = runner({ name: 'taken-up', everySeconds: 1, run: async () => {} });
  await vi.waitFor(async () => expect(await rowsOf('taken-up')).not.toHaveLength(0), patient);
  await first.stop();
  // What a kill leaves: an active run, nothing queued, and no heartbeat.
  await databases.pool.query(`delete from jobs.job where singleton_key = 'taken-up'`);
  await databases.pool.query(
    `insert into jobs.job (name, data, state, singleton_key, policy, retry_limit, retry_delay, started_on, heartbeat_on, heartbeat_seconds, expire_seconds)
     values ('repeated', '{"name":"taken-up"}', 'active', 'taken-up', 'stately', 1000, 1, now() - interval '1 minute', now() - interval '1 minute', 10, 900)`,
  );
  const { rows } = await databases.pool.query(`select id from jobs.job where singleton_key = 'taken-up'`);
  let runs = 0;
  const next = runner({
    name: 'taken-up',
    everySeconds: 1,
    run: async () => {
      runs += 1;
    },
  });
  await vi.waitFor(async () => {
    const { rows: now } = await databases.pool.query('select state::text from jobs.job where id = $1', [rows[0].id]);
    expect(now).toEqual([{ state: 'completed' }]);
  }, patient);
  expect(runs).toBeGreaterThanOrEqual(1);
  await next.stop();
});

it.concurrent('a server that took a job and leads no more leaves it to the one that does', {
  timeout: 90_000,
}, async test => {
  const { databases, runner, start } = await place(test);
  const by = { one: 0, other: 0 };
  const job = (who: keyof typeof by) => ({
    name: 'handed-over',
    everySeconds: 1,
    run: async () => {
      by[who] += 1;
    },
  });
  let asked = 0;
  // It led when it looked, and hung.
  const lost = start(createJobs(databases, log, PACE, { leads: async () => ++asked === 1 }), [job('one')]);
  await vi.waitFor(() => expect(asked).toBeGreaterThan(1), patient);
  const leading = runner(job('other'));
  await vi.waitFor(() => expect(by.other).toBeGreaterThanOrEqual(2), patient);
  expect(by.one).toBe(0);
  await Promise.all([lost.stop(), leading.stop()]);
});

it.concurrent('tells how each job is: when it ran, how long it took, why it failed, and when it runs again', {
  timeout: 90_000,
}, async test => {
  const { runner } = await place(test);
  let isBroken = false;
  let runs = 0;
  const jobs = runner({
    name: 'told',
    everySeconds: 3600,
    run: async () => {
      runs += 1;
      if (isBroken) throw new Error('The disk is full');
    },
  });
  const told = async () => (await jobs.list()).find(({ name }) => name === 'told');
  await vi.waitFor(async () => expect((await told())?.nextAt).not.toBeNull(), patient);
  expect(await told()).toMatchObject({ state: 'waiting', last: null, failure: null });
  expect(runs).toBe(0);
  expect(await jobs.runNow('told')).toBe(true);
  await vi.waitFor(async () => {
    expect(await told()).toMatchObject({ state: 'waiting', last: { tookMs: expect.any(Number) } });
  }, patient);
  isBroken = true;
  await jobs.runNow('told');
  await vi.waitFor(async () => {
    const { nextAt, ...how } = (await told()) ?? { nextAt: null };
    expect(how).toMatchObject({ state: 'failed', failure: 'The disk is full', last: { tookMs: expect.any(Number) } });
    expect(nextAt?.getTime()).toBeGreaterThan(Date.now());
  }, patient);
  isBroken = false;
  await jobs.runNow('told');
  await vi.waitFor(async () => expect(await told()).toMatchObject({ state: 'waiting', failure: null }), patient);
  expect(runs).toBe(3);
  expect(await jobs.runNow('unheard-of')).toBe(false);
  await jobs.stop();
});
