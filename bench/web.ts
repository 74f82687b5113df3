/**
 * `npm run bench -- web`: how much JavaScript the first page loads, and how much main-thread time 5,000 vehicles that
 * report every ten seconds take. The real server, the simulator's trackers over TCP, the built app in headless
 * Chromium; times are processor time of the thread, so that a busy machine does not matter.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchAlone } from '../e2e/support/launch.ts';
import { buildWebWhenStale } from '../tools/launch/build-web.ts';
import { superviseChildren } from '../tools/launch/supervise.ts';
import { type ServerUnderTest, startServer } from './ingest/server-under-test.ts';
import { table } from './table.ts';
import { type ThreadWork, watchThreads } from './web/threads.ts';
import { measureWebSize, printWebSize } from './web-size.ts';

const VEHICLES = 5000;
const REPORT_EVERY_S = 10;
const WATCH_S = 20;
const SIMULATOR = join(import.meta.dirname, '../apps/simulator/src/main.ts');
const VIEWPORT = { width: 1440, height: 900 };

interface View {
  readonly name: string;
  readonly prepare: (page: Page) => Promise<void>;
}

/** From the most common view to the one that draws the most. */
const VIEWS: readonly View[] = [
  { name: 'whole fleet, clusters', prepare: async () => {} },
  {
    name: 'streets, plates and gliding markers',
    prepare: async page => {
      await page.getByRole('tree', { name: 'Vehicles' }).getByRole('treeitem').first().click();
      await page.keyboard.press('m');
    },
  },
  {
    name: 'the same, following the current vehicle',
    prepare: page => page.getByRole('complementary').getByRole('button', { name: 'Follow' }).click(),
  },
  { name: 'the fleet as a table, fastest first', prepare: page => openFleet(page, 'sort=-speed&group=none') },
  { name: 'the same by status, filtered', prepare: page => openFleet(page, 'q=status:moving,idling&group=status') },
  { name: 'the fleet as a board', prepare: page => openFleet(page, 'layout=board') },
];

async function openFleet(page: Page, query: string): Promise<void> {
  await page.goto(`/fleet?${query}`);
  await page.locator('[data-open]').first().waitFor();
}

export async function run(): Promise<void> {
  if (!(await buildWebWhenStale(superviseChildren()))) throw new Error('There is no web app to measure');
  const size = measureWebSize();
  printWebSize(size);
  const { firstRouteKb, mapKb, cssKb } = size;
  const server = await startServer({ vehicles: 0, browsers: 1 });
  let load: ChildProcess | null = null;
  let browser: Browser | null = null;
  try {
    load = await startLoad(server);
    browser = await launchAlone();
    const page = await openDashboard(browser, server);
    const views: Record<string, Cost> = {};
    for (const { name, prepare } of VIEWS) {
      await prepare(page);
      await page.waitForTimeout(3000);
      views[name] = costOf(await watchThreads(page, WATCH_S));
    }
    print(views);
    process.stdout.write(
      `${JSON.stringify({ firstRouteKb, mapKb, cssKb, vehicles: VEHICLES, reportEveryS: REPORT_EVERY_S, views })}\n`,
    );
  } finally {
    await browser?.close();
    load?.kill();
    await server.stop();
  }
}

/** Vehicles that report in turn, a tenth of them every second; resolves when all have reported once. */
async function startLoad(server: ServerUnderTest): Promise<ChildProcess> {
  const seconds = 60 + VIEWS.length * (WATCH_S + 10) + 60;
  const args = ['--rate', VEHICLES / REPORT_EVERY_S, '--vehicles', VEHICLES, '--seconds', seconds].map(String);
  const child = fork(SIMULATOR, args, {
    env: {
      PATH: process.env.PATH,
      MILEPOST_URL: server.url,
      MILEPOST_TOKEN: server.browsers[0]?.token,
      MILEPOST_TRACKER_PORTS: JSON.stringify(server.ports),
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let output = '';
  child.stdout?.on('data', (part: Buffer) => {
    output += part.toString();
  });
  const patience = Date.now() + 120_000;
  const reported = () =>
    Number(
      output
        .match(/(\d+) acknowledged/g)
        ?.at(-1)
        ?.split(' ')[0] ?? 0,
    );
  while (reported() < VEHICLES) {
    if (child.exitCode !== null || Date.now() > patience) throw new Error(`The load did not get under way:\n${output}`);
    await new Promise(resolve => setTimeout(resolve, 250));
  }
  return child;
}

async function openDashboard(browser: Browser, server: ServerUnderTest): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: VIEWPORT });
  await context.addInitScript(token => {
    localStorage.setItem('token', token);
    sessionStorage.setItem('loginNotified', '1');
  }, server.browsers[0]?.token ?? '');
  const page = await context.newPage();
  await page.goto('/');
  await page.getByText(VEHICLES.toLocaleString('en-US'), { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Live/ }).waitFor();
  await page.locator('#fleet-map canvas').waitFor();
  return page;
}

/** In milliseconds of processor time per second, except for the longest task. */
interface Cost {
  readonly main: number;
  readonly longestTaskMs: number;
  /** Extra work for the main thread if the live connection were not in a worker. */
  readonly messagingWorker: number;
  readonly mapWorker: number;
}

function costOf(threads: readonly ThreadWork[]): Cost {
  const main = threads.find(({ name }) => name === 'CrRendererMain');
  if (!main) throw new Error('The trace has no main thread');
  const worker = (script: RegExp): number => threads.find(({ name }) => script.test(name))?.msPerSecond ?? 0;
  return {
    main: main.msPerSecond,
    longestTaskMs: main.longestTaskMs,
    messagingWorker: worker(/\/worker-[^/]*\.js$/),
    mapWorker: worker(/maplibre-gl-worker/),
  };
}

function print(views: Readonly<Record<string, Cost>>): void {
  process.stdout.write(`\n${VEHICLES} vehicles, each reporting every ${REPORT_EVERY_S} s\n\n`);
  const rows = Object.entries(views).map(([name, { main, longestTaskMs, messagingWorker, mapWorker }]) => [
    name,
    `${main} ms/s`,
    `${longestTaskMs} ms`,
    `${messagingWorker} ms/s`,
    `${mapWorker} ms/s`,
  ]);
  process.stdout.write(table(['view', 'main thread', 'longest task', 'messaging worker', 'map worker'], rows));
}
