/**
 * `npm run bench -- reports [vehicles] [days]`: a report over a fleet and a month from stored trips, its first page and
 * as files.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportFormat, ReportQuery } from '@milepost/contract';
import pino from 'pino';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { startEmbedded } from '../apps/server/src/db/embedded.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { openDirectory } from '../apps/server/src/fleet/directory.ts';
import { loadLiveStates } from '../apps/server/src/fleet/live.ts';
import { openOrganisation } from '../apps/server/src/fleet/organisation.ts';
import { reportContextOf } from '../apps/server/src/ingest/report.ts';
import { createAccount } from '../apps/server/src/modules/accounts/accounts.ts';
import { openDailyFigures } from '../apps/server/src/modules/history/days/daily-figures.ts';
import { openPlaces } from '../apps/server/src/modules/places/places.ts';
import { reportFor } from '../apps/server/src/modules/reports/catalogue.ts';
import { FORMATS } from '../apps/server/src/modules/reports/files/formats.ts';
import { resultOf } from '../apps/server/src/modules/reports/run.ts';
import { createReportSources } from '../apps/server/src/modules/reports/sources.ts';
import { createWorkers } from '../apps/server/src/workers/workers.ts';
import { testContext } from '../apps/server/testing/context.ts';
import { testImei } from '../apps/server/testing/imei.ts';
import { storeTrips } from '../apps/server/testing/stored-trips.ts';
import { table } from './table.ts';

const ROUNDS = 5;
const PAGE = 100;

export async function run([vehicles = '200', days = '31']: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bench-'));
  // The database's user must have access, not only root.
  chmodSync(dataDir, 0o755);
  const log = pino({ level: 'warn' });
  const database = await startEmbedded({ dataDir, log });
  const db = openDatabases(database.connection);
  try {
    await migrate(db.pool);
    const context = testContext(db);
    const accountId = await createAccount(db, { name: 'Bench' });
    const rows = Array.from({ length: Number(vehicles) }, (_, n) => ({
      account_id: accountId,
      imei: testImei(n),
      name: `Vehicle ${n}`,
      device_key_hash: Buffer.alloc(32),
    }));
    await db.system.insertInto('vehicle').values(rows).execute();
    const period = await storeTrips(db, accountId, Number(days));
    const directory = await openDirectory(context);
    const live = await loadLiveStates(db.system);
    await context.feed.open();
    const organisation = await openOrganisation(context, directory, live);
    const figures = openDailyFigures(context, { directory, live });
    const [places, workers] = [await openPlaces(), createWorkers(context.metrics)];
    const reportContext = reportContextOf(places, organisation.roster);
    const sources = createReportSources(context, { ...organisation, figures, places, reportContext, workers });
    const query: ReportQuery = { ...period, language: 'en-US' };
    const session = { accountId, userId: '', role: 'owner', scope: null, readOnly: false } as const;
    const style = { language: 'en-US', distanceUnit: 'mi', organisation: 'Bench', logo: null } as const;
    const resultFor = (key: string) => resultOf(reportFor(session, key), { session, query, sources, catchUpMs: 400 });

    const lines: string[][] = [];
    const figuresOf: Record<string, number> = {};
    const measure = async (what: string, work: () => Promise<number>): Promise<void> => {
      const times: number[] = [];
      let count = 0;
      let heapMb = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const [before, began] = [process.memoryUsage().rss, performance.now()];
        count = await work();
        times.push(performance.now() - began);
        heapMb = Math.max(heapMb, (process.memoryUsage().rss - before) / 1024 ** 2);
      }
      const median = Math.round(times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0);
      figuresOf[what] = median;
      lines.push([what, String(count), String(median), heapMb.toFixed(0)]);
    };
    for (const key of ['trips', 'stops', 'daily-summary', 'mileage']) {
      await measure(`${key}, first page`, async () => {
        const { head, rows } = await resultFor(key);
        for await (const _ of rows(0, PAGE));
        return head.total;
      });
    }
    for (const format of Object.keys(FORMATS) as ReportFormat[]) {
      await measure(`trips as ${format}`, async () => {
        let bytes = 0;
        for await (const piece of FORMATS[format].write(await resultFor('trips'), style)) bytes += piece.length;
        return bytes;
      });
    }
    process.stdout.write(table(['what', 'rows or bytes', 'median ms', 'memory more, MB'], lines));
    process.stdout.write(`${JSON.stringify({ bench: 'reports', vehicles: rows.length, figures: figuresOf })}\n`);
    await workers.stop();
    await figures.manager.stop();
  } finally {
    await db.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
