/**
 * `npm run bench -- past [vehicles] [vehicles in a report] [vehicles whose points are written] [seconds]`: what is asked of a
 * fleet's past: a report of its trips, all of its points in a file, a day replayed, and the fleet at a moment of the
 * last 30 days; of days that are packed, and beside it of days that are not. The server's parts run in a process of
 * their own with the server's flags, so its memory can be seen. A parked vehicle reports every so many seconds, 600 if
 * nothing is said; with 10, a vehicle has 8,640 positions a day. `npm run bench -- replay` shows what the browser does.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { startEmbedded } from '../apps/server/src/db/embedded.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { createAccount } from '../apps/server/src/modules/accounts/accounts.ts';
import { storeTrips } from '../apps/server/testing/stored-trips.ts';
import { SERVER_FLAGS } from '../tools/launch/server-flags.ts';
import { DAY_MS, fillFleet } from './past/fleet.ts';
import type { Answer } from './past/questions.ts';
import { table } from './table.ts';

/** Of the report. */
const DAYS = 31;

export async function run([
  vehicles = '500',
  reported = '200',
  written = '20',
  parked,
]: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bench-'));
  // The database's user must have access, not only root.
  chmodSync(dataDir, 0o755);
  const database = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
  const db = openDatabases(database.connection);
  try {
    await migrate(db.pool);
    const accountId = await createAccount(db, { name: 'Bench' });
    const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    await fillFleet(db, accountId, Number(vehicles), { todayMs, parkedS: parked ? Number(parked) : undefined });
    const period = await storeTrips(db, accountId, DAYS);
    await db.pool.query('checkpoint').catch(() => {});
    const asked = { databaseUrl: database.url, accountId, todayMs, period, dataDir };
    const child = fork(join(import.meta.dirname, 'past/questions.ts'), [], {
      execArgv: [
        ...SERVER_FLAGS,
        ...(process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`] : []),
      ],
    });
    child.send({ ...asked, reported: Number(reported), written: Number(written) });
    const [answers] = (await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`The questions ended with ${code}`);
      }),
    ])) as [readonly Answer[]];
    await once(child, 'exit');
    process.stdout.write(
      table(
        [
          'question',
          'of',
          'answer',
          'median ms',
          'server cpu ms',
          'thread cpu ms',
          'database cpu ms',
          'waits ms',
          'memory more, MB',
        ],
        answers.map(({ question, of, answer, ms, serverMs, threadMs, databaseMs, waits, moreMb }) =>
          [question, of, answer, ms, serverMs, threadMs, databaseMs, waits, moreMb].map(String),
        ),
      ),
    );
    process.stdout.write(`${JSON.stringify({ bench: 'past', vehicles: Number(vehicles), answers })}\n`);
  } finally {
    await db.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
