/** The process that `bench/past.ts` starts: asks its questions of the server's parts, and sends back what they took. */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ReportQuery, RouteAnswer, readFleetAt } from '@milepost/contract';
import { openDatabases } from '../../apps/server/src/db/database.ts';
import { openDirectory } from '../../apps/server/src/fleet/directory.ts';
import { loadLiveStates } from '../../apps/server/src/fleet/live.ts';
import { openOrganisation } from '../../apps/server/src/fleet/organisation.ts';
import { reportContextOf } from '../../apps/server/src/ingest/report.ts';
import { openKeptFiles } from '../../apps/server/src/modules/data-transfer/kept-files.ts';
import { openDailyFigures } from '../../apps/server/src/modules/history/days/daily-figures.ts';
import { trackFile } from '../../apps/server/src/modules/history/track.ts';
import { openPlaces } from '../../apps/server/src/modules/places/places.ts';
import { reportFor } from '../../apps/server/src/modules/reports/catalogue.ts';
import { FORMATS } from '../../apps/server/src/modules/reports/files/formats.ts';
import { resultOf } from '../../apps/server/src/modules/reports/run.ts';
import { createReportSources } from '../../apps/server/src/modules/reports/sources.ts';
import { registerTimeTravel } from '../../apps/server/src/modules/time-travel/routes.ts';
import { createWorkers } from '../../apps/server/src/workers/workers.ts';
import { testContext } from '../../apps/server/testing/context.ts';
import { memoryOf, processorSecondsOf } from '../processes.ts';
import { DAY_MS, DAYS, ROW_DAYS } from './fleet.ts';

const ROUNDS = 5;
const PAGE = 100;
const REPLAYED = 20;
const HOURS = [5, 12.5, 13.9, 22] as const;

interface Asked {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly accountId: number;
  readonly todayMs: number;
  readonly period: { readonly from: string; readonly to: string };
  readonly reported: number;
  readonly written: number;
}

export interface Answer {
  readonly question: string;
  /** Which days it is about. */
  readonly of: string;
  readonly answer: string;
  readonly ms: number;
  readonly serverMs: number;
  /** Of that, what the thread took that also receives positions. */
  readonly threadMs: number;
  readonly databaseMs: number;
  /** How long other work waited for that thread, p99 and at most. */
  readonly waits: string;
  /** What this process grew by at most. */
  readonly moreMb: number;
}

const [asked] = (await once(process, 'message')) as [Asked];
const { accountId, dataDir, period, todayMs } = asked;
const db = openDatabases({ connectionString: asked.databaseUrl });
const context = testContext(db);
const directory = await openDirectory(context);
const live = await loadLiveStates(db.system);
await context.feed.open();
const organisation = await openOrganisation(context, directory, live);
const places = await openPlaces();
const workers = createWorkers(context.metrics);
const reportContext = reportContextOf(places, organisation.roster);
const session = { accountId, userId: crypto.randomUUID(), role: 'owner', scope: null, readOnly: false } as const;
const figures = openDailyFigures(context, { directory, live });
const sources = createReportSources(context, { ...organisation, figures, places, reportContext, workers });
const vehicles = organisation.visibility.vehicles(session).toSorted((a, b) => a.id - b.id);
const style = { language: 'en-US', distanceUnit: 'mi', organisation: 'Bench', logo: null } as const;
const answers: Answer[] = [];

/** Medians of some rounds, after one that warms up what is kept, and the most memory of any. */
async function ask(question: string, of: string, work: () => Promise<string>, rounds = ROUNDS): Promise<void> {
  const times: number[] = [];
  const [server, thread, database]: [number[], number[], number[]] = [[], [], []];
  let moreMb = 0;
  let answer = '';
  if (rounds > 1) await work();
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    const before = memoryOf(process.pid).now;
    const watch = setInterval(() => {
      moreMb = Math.max(moreMb, memoryOf(process.pid).now - before);
    }, 20);
    const [began, used, spent] = [performance.now(), process.cpuUsage(), await databaseMs()];
    const usedHere = process.threadCpuUsage();
    answer = await work();
    times.push(performance.now() - began);
    const { user, system } = process.cpuUsage(used);
    server.push((user + system) / 1000);
    const here = process.threadCpuUsage(usedHere);
    thread.push((here.user + here.system) / 1000);
    database.push((await databaseMs()) - spent);
    clearInterval(watch);
  }
  const median = (values: readonly number[]): number => Math.round(values.toSorted((a, b) => a - b)[rounds >> 1] ?? 0);
  delays.disable();
  const waits = `${Math.round(delays.percentile(99) / 1e6)}, ${Math.round(delays.max / 1e6)}`;
  const found = { question, of, answer, ms: median(times), moreMb, waits };
  answers.push({ ...found, serverMs: median(server), threadMs: median(thread), databaseMs: median(database) });
}

/** Processor time of the database's connections so far. */
async function databaseMs(): Promise<number> {
  const { rows } = await db.pool.query<{ pid: number }>('select pid from pg_stat_activity');
  return rows.reduce((sum, { pid }) => sum + processorSecondsOf(pid) * 1000, 0);
}

const resultFor = (key: string, vehicleIds: readonly number[], days: { from: string; to: string }) => {
  const query: ReportQuery = { ...days, language: 'en-US', vehicles: vehicleIds.map(String) };
  return resultOf(reportFor(session, key), { session, query, sources, catchUpMs: 0 });
};
const firstOf = (count: number): number[] => vehicles.slice(0, count).map(({ id }) => id);
const dateOf = (daysAgo: number): string => new Date(todayMs - daysAgo * DAY_MS).toISOString().slice(0, 10);

await ask(`trips of ${asked.reported} vehicles × 31 days, first page`, 'stored trips', async () => {
  const { head, rows } = await resultFor('trips', firstOf(asked.reported), period);
  for await (const _ of rows(0, PAGE));
  return `${head.total} trips`;
});
await ask(`all of them as CSV`, 'stored trips', async () => {
  let bytes = 0;
  const result = await resultFor('trips', firstOf(asked.reported), period);
  for await (const piece of FORMATS.csv.write(result, style)) bytes += piece.length;
  return `${bytes} bytes`;
});

const files = openKeptFiles(join(dataDir, 'reports'));
for (const [of, days, most] of [
  ['packed days', { from: dateOf(DAYS - 1), to: dateOf(ROW_DAYS + 1) }, asked.written],
  ['rows', { from: dateOf(ROW_DAYS - 1), to: dateOf(1) }, asked.reported],
] as const) {
  await ask(
    `points of ${most} vehicles as CSV, ${days.from} to ${days.to}`,
    of,
    async () => {
      const id = crypto.randomUUID();
      const result = await resultFor('route-points', firstOf(most), days);
      await files.write(id, FORMATS.csv.write(result, style), new AbortController().signal);
      await rm(files.pathOf(id));
      return `${result.head.total} points`;
    },
    1,
  );
}

for (const [of, ago] of [
  ['packed days', 20],
  ['rows', 1],
] as const) {
  const from = new Date(todayMs - ago * DAY_MS);
  await ask(`tracks of ${REPLAYED} vehicles × 24 h, to replay`, of, async () => {
    let bytes = 0;
    const columns = ['speed', 'course', 'ignition', 'temperature', 'fuel', 'late'] as const;
    const options = { from, to: new Date(+from + DAY_MS - 1), columns, zoom: undefined, isSeen: () => true };
    for (const vehicle of vehicles.slice(0, REPLAYED)) {
      for await (const piece of trackFile(db, vehicle, options)) bytes += piece.length;
    }
    return `${bytes} bytes`;
  });
}

let handler: ((call: unknown) => Promise<RouteAnswer<typeof readFleetAt>>) | undefined;
const http = {
  handle: (_route: unknown, handle: never) => {
    handler = handle;
  },
};
registerTimeTravel(http as never, context, { ...organisation, reportContext });
for (const [of, ago] of [
  ['packed days', 20],
  ['rows', 1],
] as const) {
  for (const hour of HOURS) {
    const at = new Date(todayMs - ago * DAY_MS + hour * 3_600_000).toISOString();
    await ask(`${vehicles.length} vehicles at ${at.slice(11, 16)}`, of, async () => {
      const picture = await handler?.({ session, query: { at } });
      JSON.stringify(picture);
      const statuses: Record<string, number> = {};
      for (const { status, isSinceAtLeast } of picture?.vehicles ?? []) {
        const name = isSinceAtLeast ? `${status}?` : status;
        statuses[name] = (statuses[name] ?? 0) + 1;
      }
      return Object.entries(statuses)
        .map(([status, count]) => `${count} ${status}`)
        .join(', ');
    });
  }
}

await workers.stop();
await figures.manager.stop();
await db.close();
process.send?.(answers);
process.disconnect?.();
process.exit();
