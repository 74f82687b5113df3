import { RateLimiterRes } from 'rate-limiter-flexible';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Counters, forgetOldCounts, sharedCounters } from './counters.ts';

let database: TestDatabase;
let nodes: readonly Counters[];
beforeAll(async () => {
  database = await testDatabase();
  nodes = [1, 2].map(() => sharedCounters(database.databases.pool));
});
afterAll(() => database.close());

const takes = async (limit: { consume(key: string): Promise<unknown> }, key: string): Promise<boolean> => {
  const refusal = await limit.consume(key).then(
    () => null,
    (error: unknown) => error,
  );
  if (refusal !== null) expect(refusal).toBeInstanceOf(RateLimiterRes);
  return refusal === null;
};

it('several nodes count together, each limit and each key for itself', async () => {
  const [one, two] = nodes.map(node => node.counter('a', { points: 3, duration: 60 }));
  if (!one || !two) throw new Error('Two nodes are needed');
  expect([await takes(one, 'x'), await takes(two, 'x'), await takes(one, 'x')]).toEqual([true, true, true]);
  expect([await takes(two, 'x'), await takes(one, 'x'), await takes(two, 'y')]).toEqual([false, false, true]);
  const other = nodes[1]?.counter('b', { points: 1, duration: 60 });
  expect(other && (await takes(other, 'x'))).toBe(true);
});

it('what is counted often is drawn a few at a time, and never more than there is', async () => {
  const limits = nodes.map(node => node.often('often', { points: 100, duration: 60 }));
  let taken = 0;
  for (let call = 0; call < 300; call++) if (await takes(limits[call % 2] as (typeof limits)[0], 'x')) taken++;
  expect(taken).toBe(100);
  const { rows } = await database.databases.pool.query<{ points: number }>(
    `select points from try_count where key like 'often:%'`,
  );
  expect(rows).toHaveLength(1);
});

it('many calls at once draw once', async () => {
  const limit = nodes[0]?.often('at once', { points: 1000, duration: 60 });
  await Promise.all(Array.from({ length: 40 }, () => limit?.consume('x')));
  const { rows } = await database.databases.pool.query(`select points from try_count where key like 'at once:%'`);
  expect(rows).toEqual([{ points: 50 }]);
});

it('no name and no address is in the database, and what is over is forgotten', async () => {
  const { pool } = database.databases;
  await nodes[0]?.counter('secret', { points: 3, duration: 60 }).consume('ann@example.com 192.0.2.7');
  const keys = async () => (await pool.query<{ key: string }>('select key from try_count')).rows.map(({ key }) => key);
  expect(await keys()).toContainEqual(expect.stringMatching(/^secret:/));
  expect(JSON.stringify(await keys())).not.toMatch(/ann|192\.0/);
  await pool.query(`update try_count set expire = 1 where key like 'secret:%'`);
  await forgetOldCounts(pool);
  expect(await keys()).not.toContainEqual(expect.stringMatching(/^secret:/));
  expect((await keys()).length).toBeGreaterThan(0);
});
