import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';

const KEEP_JOBS = join(import.meta.dirname, '../../testing/keep-jobs.ts');
const ROWS = 120;
const KILLS = 6;

let database: TestDatabase;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  database = await testDatabase();
  await database.databases.pool.query(
    `create table todo (id integer); create table done (id integer); create table overlap (at timestamptz default now());
     insert into todo select generate_series(1, ${ROWS})`,
  );
});
afterAll(async () => {
  await Promise.all([...children].map(kill));
  await database.close();
});

function runner(): ChildProcess {
  const child = spawn(process.execPath, [KEEP_JOBS, database.url], { stdio: 'ignore' });
  children.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

const count = async (table: 'todo' | 'done' | 'overlap'): Promise<number> =>
  Number((await database.databases.pool.query(`select count(*) from ${table}`)).rows[0].count);

it('does a job once and goes on, whichever of two servers is killed in the middle', {
  tags: ['long'],
  timeout: 400_000,
}, async () => {
  const servers = [runner(), runner()];
  for (let killed = 0; killed < KILLS; killed++) {
    const before = await count('done');
    // At another step each time, and in whatever the other one does then.
    await vi.waitFor(async () => expect(await count('done')).toBeGreaterThan(before + (killed % 4)), {
      timeout: 60_000,
      interval: 5,
    });
    const victim = servers[killed % 2];
    if (victim) await kill(victim);
    servers[killed % 2] = runner();
  }
  await vi.waitFor(async () => expect(await count('todo')).toBe(0), { timeout: 120_000, interval: 100 });
  const { rows } = await database.databases.pool.query('select id from done order by id');
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1));
  expect(await count('overlap')).toBe(0);
});
