/**
 * `npm run bench -- live`: the cost of a live fleet. In a browser with 5,000 and 20,000 vehicles that report every ten
 * seconds: the main thread, its longest task, and the memory after an hour's number of reports. On the server with 200
 * browsers that watch all of 5,000: messages per second, processor time, and the effect of browsers that stop reading
 * (invariant I9). All parts, or those given.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { paths } from '../apps/web/src/paths.ts';
import { buildWebWhenStale } from '../tools/launch/build-web.ts';
import { superviseChildren } from '../tools/launch/supervise.ts';
import { startServer } from './ingest/server-under-test.ts';
import { type PageMemory, pageMemory } from './live/memory.ts';
import { costOf, isLive, type ViewCost, withFleet } from './live/page-cost.ts';
import { startLoad, startSubscribers } from './live/processes.ts';
import { table } from './table.ts';

const REPORT_EVERY_S = 10;
const WATCH_S = 20;
const REPORTS_OF_AN_HOUR = 360;
const BROWSERS = 200;
const SLOW = 20;
/** Long enough to exceed the buffers for unread data, short enough not to be disconnected. */
const ASLEEP_S = 45;

const PARTS = {
  fleet5000: () => inBrowser(5000),
  fleet20000: () => inBrowser(20_000),
  hour: () => afterAnHour(5000),
  browsers: () => manyBrowsers(5000),
} as const;
type Part = keyof typeof PARTS;
type Figures = { readonly [P in Part]?: Awaited<ReturnType<(typeof PARTS)[P]>> };

export async function run(names: readonly string[]): Promise<void> {
  if (!(await buildWebWhenStale(superviseChildren()))) throw new Error('There is no web app to measure');
  const figures: Record<string, unknown> = {};
  for (const [name, measure] of Object.entries(PARTS)) {
    if (names.length === 0 || names.includes(name)) figures[name] = await measure();
  }
  print(figures);
}

async function inBrowser(vehicles: number): Promise<Readonly<Record<string, ViewCost>>> {
  return withFleet(vehicles, vehicles / REPORT_EVERY_S, async (page, server) => {
    const views: Record<string, ViewCost> = { 'dashboard, whole fleet': await costOf(page) };
    await page.goto(paths.vehicleOnMap(server.imeis[0] ?? ''));
    await isLive(page);
    views['dashboard, one vehicle chosen'] = await costOf(page);
    await page.goto('/fleet');
    await isLive(page);
    views['fleet table'] = await costOf(page);
    return views;
  });
}

/** Reports come ten times as often as usual, for a tenth of the hour. */
async function afterAnHour(vehicles: number): Promise<{ before: PageMemory; after: PageMemory; reports: number }> {
  return withFleet(vehicles, vehicles, async page => {
    await page.waitForTimeout(15_000);
    const before = await pageMemory(page);
    await page.waitForTimeout(REPORTS_OF_AN_HOUR * 1000);
    return { before, after: await pageMemory(page), reports: vehicles * REPORTS_OF_AN_HOUR };
  });
}

interface ConnectionLimiter {
  /** Live messages per second that reached all browsers. */
  readonly messagesPerSecond: number;
  readonly reportsPerSecond: number;
  /** The server's processor time, as a share of one core. */
  readonly processorShare: number;
  readonly memoryMb: number;
}

/** Every browser watches every vehicle; then some stop reading for a while, and resume. */
async function manyBrowsers(vehicles: number) {
  const server = await startServer({ vehicles, browsers: BROWSERS });
  const subscribers = await startSubscribers(server);
  const load = await startLoad(server, vehicles / REPORT_EVERY_S);
  try {
    await sleep(15_000);
    const watch = async (seconds: number): Promise<ConnectionLimiter> => {
      await subscribers.count();
      const [before, begun, loadBefore] = [server.processorTime().server, performance.now(), await load.count()];
      await sleep(seconds * 1000);
      const { messages } = await subscribers.count();
      const took = (performance.now() - begun) / 1000;
      return {
        messagesPerSecond: Math.round(messages / took),
        reportsPerSecond: Math.round(((await load.count()).acknowledged - loadBefore.acknowledged) / took),
        processorShare: Math.round(((server.processorTime().server - before) / took) * 100) / 100,
        memoryMb: server.memory().now,
      };
    };
    const all = await watch(WATCH_S);
    subscribers.pause(SLOW);
    const someAsleep = await watch(ASLEEP_S);
    await subscribers.count();
    subscribers.pause(0);
    await sleep(2000);
    const { slowMessages } = await subscribers.count();
    return {
      all,
      someAsleep,
      missed: Math.round(someAsleep.reportsPerSecond * ASLEEP_S),
      caughtUpWith: Math.round(slowMessages / SLOW),
      memoryAfterMb: server.memory().now,
    };
  } finally {
    subscribers.end();
    load.end();
    await server.stop();
  }
}

function print({ fleet5000, fleet20000, hour, browsers }: Figures): void {
  const rows = Object.entries({ '5,000': fleet5000 ?? {}, '20,000': fleet20000 ?? {} }).flatMap(([vehicles, views]) =>
    Object.entries(views).map(([view, { main, longestTaskMs, messagingWorker }]) => [
      vehicles,
      view,
      `${main} ms/s`,
      `${longestTaskMs} ms`,
      `${messagingWorker} ms/s`,
    ]),
  );
  if (rows.length > 0) {
    process.stdout.write(table(['vehicles', 'view', 'main thread', 'longest task', 'messaging worker'], rows));
  }
  if (hour) {
    const cells = (memory: PageMemory) => [`${memory.heap} MB`, `${memory.process} MB`];
    process.stdout.write(
      table(
        ['5,000 vehicles', 'heap', 'process'],
        [
          ['at first', ...cells(hour.before)],
          [`after ${hour.reports.toLocaleString('en')} reports`, ...cells(hour.after)],
        ],
      ),
    );
  }
  if (browsers) {
    const cells = (limiter: ConnectionLimiter) => Object.values(limiter).map(String);
    process.stdout.write(
      table(
        [`${BROWSERS} browsers`, 'messages/s', 'reports/s', 'server, of a core', 'server MB'],
        [
          ['all read', ...cells(browsers.all)],
          [`${SLOW} do not`, ...cells(browsers.someAsleep)],
        ],
      ),
    );
    process.stdout.write(
      `Each that slept through ${browsers.missed} reports caught up with ${browsers.caughtUpWith} messages.\n`,
    );
  }
  process.stdout.write(`${JSON.stringify({ fleet5000, fleet20000, hour, browsers })}\n`);
}
