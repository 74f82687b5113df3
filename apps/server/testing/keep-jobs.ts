import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { pino } from 'pino';
import { openDatabases } from '../src/db/database.ts';
import { createJobs } from '../src/jobs/jobs.ts';

/**
 * Runs a job in its own process, for tests that kill that process: node keep-jobs.ts DATABASE_URL. Each run moves
 * rows one at a time from `todo` to `done`, and writes to `overlap` if another run is in progress.
 */
const connectionString = process.argv[2] ?? '';
const databases = openDatabases({ connectionString });
const jobs = createJobs(databases, pino({ level: 'silent' }), {
  lookEverySeconds: 0.5,
  superviseEverySeconds: 1,
  heartbeatSeconds: 10,
});
const RUN_LOCK = 1;

jobs.repeat({
  name: 'moving',
  everySeconds: 1,
  run: async () => {
    const client = new Client({ connectionString });
    await client.connect();
    try {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [RUN_LOCK]);
      if (!rows[0].alone) await client.query('insert into overlap default values');
      for (let moved = 0; moved < 10; moved++) {
        await client.query(
          'with one as (delete from todo where id = (select min(id) from todo) returning id) insert into done select id from one',
        );
        await sleep(50);
      }
    } finally {
      await client.end();
    }
  },
});
jobs.start();
