/**
 * `npm run bench -- geofence-watch [part]`: what pages that watch geofences cost. On the server, the same live load in
 * turn with and without browsers that register all vehicles, hear of every crossing and read who is inside. In a
 * browser, the page `/geo-fence` with 1,000 geofences beside the dashboard.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { driveLeg } from '../apps/simulator/src/drive/leg-run.ts';
import { randomFrom } from '../apps/simulator/src/drive/random.ts';
import { readTours } from '../apps/simulator/src/drive/tour-file.ts';
import { paths } from '../apps/web/src/paths.ts';
import { buildWebWhenStale } from '../tools/launch/build-web.ts';
import { superviseChildren } from '../tools/launch/supervise.ts';
import { latenciesOf, medianOf } from './ingest/latencies.ts';
import { type ServerUnderTest, startServer } from './ingest/server-under-test.ts';
import { costOf, isLive, withFleet } from './live/page-cost.ts';
import { startLoad, startWatchers } from './live/processes.ts';
import { table } from './table.ts';
import { circlesAt } from './watched.ts';

const VEHICLES = 1000;
const REPORT_EVERY_S = 10;
const GEOFENCES = 1000;
/** So many that a vehicle crosses an edge every few minutes; the others are where it doesn't drive. */
const ON_ROADS = 60;
const BROWSERS = 100;
const TURNS = 4;
const SETTLE_S = 25;
const WATCH_S = 30;
const RADIUS_M = 120;

const PARTS = { server: onServer, page: inBrowser } as const;

export async function run(names: readonly string[]): Promise<void> {
  const figures: Record<string, unknown> = { bench: 'geofence-watch' };
  for (const [name, measure] of Object.entries(PARTS)) {
    if (names.length === 0 || names.includes(name)) figures[name] = await measure();
  }
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

interface Turn {
  /** Seconds of the server's and the database's processor time for a second of the fleet. */
  readonly server: number;
  readonly database: number;
  readonly reports: number;
  readonly acknowledged: number;
  readonly alerts: number;
  readonly reads: number;
  readonly refused: number;
  readonly delays: readonly number[];
}

async function onServer() {
  const server = await startServer({ vehicles: VEHICLES, browsers: BROWSERS });
  await server.watch(circlesAt(server.accountId, places(), RADIUS_M), []);
  await server.restart();
  const load = await startLoad(server, VEHICLES / REPORT_EVERY_S);
  const turns: { readonly none: Turn; readonly watched: Turn }[] = [];
  try {
    await sleep(SETTLE_S * 1000);
    const turn = (browsers: number) => costWith(server, load, browsers);
    for (let nth = 0; nth < TURNS; nth++) {
      // Each goes first in every other turn.
      if (nth % 2 === 0) turns.push({ none: await turn(0), watched: await turn(BROWSERS) });
      else turns.push({ watched: await turn(BROWSERS), none: await turn(0) });
    }
  } finally {
    load.end();
    await server.stop();
  }
  const median = (
    of: 'none' | 'watched',
    what: 'server' | 'database' | 'reports' | 'acknowledged' | 'alerts' | 'reads',
  ) => medianOf(turns.map(each => each[of][what]));
  const ratio = (what: 'server' | 'database'): number =>
    round(medianOf(turns.map(({ none, watched }) => watched[what] / none[what])));
  const delays = latenciesOf(turns.flatMap(({ watched }) => watched.delays));
  const row = (name: string, of: 'none' | 'watched') => [
    name,
    median(of, 'acknowledged').toFixed(0),
    median(of, 'alerts').toFixed(1),
    median(of, 'reads').toFixed(1),
    `${(median(of, 'server') * 1000).toFixed(0)} ms/s`,
    `${(median(of, 'database') * 1000).toFixed(0)} ms/s`,
  ];
  process.stdout.write(
    table(
      [`${VEHICLES} vehicles, ${GEOFENCES} geofences`, 'acknowledged/s', 'alerts/s', 'reads/s', 'server', 'database'],
      [row('nobody watches', 'none'), row(`${BROWSERS} browsers watch`, 'watched')],
    ),
  );
  const refused = turns.reduce((sum, { watched }) => sum + watched.refused, 0);
  const aCrossing = medianOf(
    turns.map(({ none, watched }) => ((watched.server - none.server) * 1e6) / Math.max(watched.alerts, 1)),
  );
  process.stdout.write(
    `Processor time ${ratio('server')} times (server), ${ratio('database')} times (database); ${aCrossing.toFixed(0)} µs ` +
      `of the server for an alert to one browser, with what the browser reads then; from the report that made a crossing ` +
      `certain to a browser p50 ${delays.p50} ms, p99 ${delays.p99} ms; ${refused} reads refused\n`,
  );
  return {
    turns: turns.map(each => ({ none: shortly(each.none), watched: shortly(each.watched) })),
    delays,
    aCrossing,
  };
}

const shortly = ({ delays: _, ...turn }: Turn) => turn;
const round = (value: number): number => Math.round(value * 100) / 100;

type Load = Awaited<ReturnType<typeof startLoad>>;

/** Browsers come, watch, and are gone again. */
async function costWith(server: ServerUnderTest, load: Load, browsers: number): Promise<Turn> {
  const tokens = server.browsers.slice(0, browsers).map(({ token }) => token);
  const watchers = await startWatchers({ url: server.url, tokens, imeis: server.imeis });
  try {
    // What they do when they come is not what watching costs.
    await sleep(5000);
    await watchers.count();
    const [before, loadBefore, begun] = [server.processorTime(), await load.count(), performance.now()];
    await sleep(WATCH_S * 1000);
    const counted = await watchers.count();
    const seconds = (performance.now() - begun) / 1000;
    const [after, loadAfter] = [server.processorTime(), await load.count()];
    return {
      server: (after.server - before.server) / seconds,
      database: (after.database - before.database) / seconds,
      reports: (loadAfter.sent - loadBefore.sent) / seconds,
      acknowledged: (loadAfter.acknowledged - loadBefore.acknowledged) / seconds,
      alerts: counted.alerts / seconds,
      reads: counted.reads / seconds,
      refused: counted.refused,
      delays: counted.delays,
    };
  } finally {
    watchers.end();
  }
}

/** The main thread of a page, in milliseconds for a second, so that a busy machine does not matter. */
async function inBrowser() {
  if (!(await buildWebWhenStale(superviseChildren()))) throw new Error('There is no web app to measure');
  const views = await withFleet(
    VEHICLES,
    VEHICLES / REPORT_EVERY_S,
    async page => {
      const dashboard = await costOf(page);
      await page.goto(paths.geofence());
      await isLive(page);
      return { 'dashboard, 1,000 geofences': dashboard, '/geo-fence, 1,000 geofences': await costOf(page) };
    },
    ({ accountId }) => circlesAt(accountId, places(), RADIUS_M),
  );
  process.stdout.write(
    table(
      ['view', 'main thread', 'longest task', 'messaging worker'],
      Object.entries(views).map(([name, { longestTaskMs, main, messagingWorker }]) => [
        name,
        `${main} ms/s`,
        `${longestTaskMs} ms`,
        `${messagingWorker} ms/s`,
      ]),
    ),
  );
  return views;
}

/** Some on the streets where the load's vehicles drive, spread over all legs; the others around. */
function places(): readonly (readonly [lon: number, lat: number])[] {
  const runs = readTours()
    .cityRounds.flat()
    .map((leg, number) => driveLeg(leg, randomFrom('load', number)));
  return Array.from({ length: GEOFENCES }, (_, nth) => {
    const run = runs[nth % runs.length];
    if (!run) throw new Error('There are no roads');
    // Each leg's places at other parts of it.
    const { lat, lon } = run.at(run.duration * ((nth * 0.618) % 1));
    return nth < ON_ROADS ? [lon, lat] : [lon + 1 + ((nth * 0.618) % 1), lat + ((nth * 0.414) % 1)];
  });
}
