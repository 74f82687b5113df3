/**
 * `npm run bench -- moving-in [positions] [vehicles]`: a CSV file of tracks is checked, imported, and imported once more,
 * which finds every position there already. `PROFILE=folder` writes a profile of the processor time.
 */
import { once } from 'node:events';
import { chmodSync, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { finished } from 'node:stream/promises';
import { trackOptionsSchema } from '@milepost/contract';
import pino from 'pino';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { startEmbedded } from '../apps/server/src/db/embedded.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { loadLiveStates } from '../apps/server/src/fleet/live.ts';
import { createAccount } from '../apps/server/src/modules/accounts/accounts.ts';
import { importTracks } from '../apps/server/src/modules/data-transfer/tracks/import-tracks.ts';
import { testContext } from '../apps/server/testing/context.ts';
import { testImei } from '../apps/server/testing/imei.ts';
import { memoryOf, processorSecondsOf } from './processes.ts';
import { table } from './table.ts';

const DAY_MS = 86_400_000;

export async function run([positions = '500000', vehicles = '20']: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bench-'));
  // The database's user must have access, not only root.
  chmodSync(dataDir, 0o755);
  const database = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
  const db = openDatabases(database.connection);
  try {
    await migrate(db.pool);
    const accountId = await createAccount(db, { name: 'Bench' });
    const rows = Array.from({ length: Number(vehicles) }, (_, n) => ({
      ...{ account_id: accountId, imei: testImei(n), name: `Truck ${n}`, device_key_hash: Buffer.alloc(32) },
    }));
    await db.system.insertInto('vehicle').values(rows).execute();
    const context = testContext(db, { dataDir });
    const live = await loadLiveStates(db.system);
    const path = join(dataDir, 'tracks.csv');
    await writeFile(path, Number(positions), Number(vehicles));
    const usedByDatabase = async (): Promise<number> => {
      const { rows } = await db.pool.query<{ pid: number }>('select pid from pg_stat_activity');
      return rows.reduce((sum, { pid }) => sum + processorSecondsOf(pid), 0);
    };
    const lines: string[][] = [];
    const answers: object[] = [];
    for (const [step, dryRun] of [
      ['check', true],
      ['import', false],
      ['import again', false],
    ] as const) {
      const delays = monitorEventLoopDelay({ resolution: 1 });
      delays.enable();
      const before = memoryOf(process.pid).now;
      let more = 0;
      const watch = setInterval(() => {
        more = Math.max(more, memoryOf(process.pid).now - before);
      }, 200);
      const [began, used, spent] = [performance.now(), process.cpuUsage(), await usedByDatabase()];
      const found = await importTracks({
        ...{ context, live, dryRun, keptDays: null },
        run: { accountId, signal: new AbortController().signal, progress: async () => {} },
        files: [{ path, name: 'tracks.csv' }],
        options: trackOptionsSchema.parse({ timeZone: 'UTC' }),
      });
      clearInterval(watch);
      delays.disable();
      const { user, system } = process.cpuUsage(used);
      const answer = {
        step,
        accepted: found?.accepted,
        duplicates: found?.duplicates,
        seconds: Math.round((performance.now() - began) / 1000),
        serverS: Math.round((user + system) / 1e5) / 10,
        databaseS: Math.round(((await usedByDatabase()) - spent) * 10) / 10,
        moreMb: more,
        waits: `${Math.round(delays.percentile(99) / 1e6)}, ${Math.round(delays.max / 1e6)}`,
      };
      answers.push(answer);
      lines.push(Object.values(answer).map(String));
    }
    const { rows: counted } = await db.pool.query<{ count: string }>('select count(*) from position');
    const head = [
      'step',
      'accepted',
      'there already',
      's',
      'server cpu s',
      'database cpu s',
      'memory more, MB',
      'waits ms',
    ];
    process.stdout.write(
      `${positions} rows, ${Math.round(statSync(path).size / 1e6)} MB; ${counted[0]?.count} stored\n`,
    );
    process.stdout.write(table(head, lines));
    process.stdout.write(`${JSON.stringify({ bench: 'moving-in', positions: Number(positions), answers })}\n`);
  } finally {
    await db.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** One vehicle after the other, each with a report every 10 s until two days ago. */
async function writeFile(path: string, positions: number, vehicles: number): Promise<void> {
  const file = createWriteStream(path);
  file.write('vehicle,time,lat,lon,speed,course,odometer,ignition,satellites,Driver note\n');
  const each = Math.ceil(positions / vehicles);
  const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS - each * 10_000;
  for (let nth = 0; nth < positions; nth++) {
    const [vehicle, i] = [Math.floor(nth / each), nth % each];
    const line = [
      ...[`Truck ${vehicle}`, new Date(startMs + i * 10_000).toISOString()],
      ...[(41.8 + 0.5 * Math.sin(i / 270 + vehicle)).toFixed(6), (-88.1 + 0.6 * Math.cos(i / 330)).toFixed(6)],
      ...[
        (40 + 30 * Math.sin(i / 90)).toFixed(1),
        i % 360,
        (100_000 + i * 0.15).toFixed(2),
        i % 7 ? 1 : 0,
        9 + (i % 4),
        '',
      ],
    ];
    if (!file.write(`${line.join(',')}\n`)) await once(file, 'drain');
  }
  file.end();
  await finished(file);
}
