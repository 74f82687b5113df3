import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openDatabases } from '../src/db/database.ts';
import { createJobs } from '../src/jobs/jobs.ts';

/**
 * Runs one-off jobs in a process of its own, for tests that kill that process: node run-one-offs.ts DATABASE_URL. Each
 * job `counting` writes its numbers to `counted`, each number once however often it is taken up.
 */
const databases = openDatabases({ connectionString: process.argv[2] ?? '' });
const jobs = createJobs(databases, pino({ level: 'silent' }), {
  lookEverySeconds: 0.5,
  superviseEverySeconds: 1,
  heartbeatSeconds: 10,
});
jobs.oneOffs.define({
  kind: 'counting',
  run: async ({ id, work, progress }) => {
    const { upTo } = work as { readonly upTo: number };
    for (let number = 1; number <= upTo; number++) {
      await databases.pool.query('insert into counted values ($1, $2) on conflict do nothing', [id, number]);
      await progress(number);
      await sleep(30);
    }
  },
});
jobs.start();
