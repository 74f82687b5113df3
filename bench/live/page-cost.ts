import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { paths } from '../../apps/web/src/paths.ts';
import { launchAlone } from '../../e2e/support/launch.ts';
import { type ServerUnderTest, startServer } from '../ingest/server-under-test.ts';
import { watchThreads } from '../web/threads.ts';
import { startLoad } from './processes.ts';

const WATCH_S = 20;

/** In milliseconds of processor time per second, so that a busy machine does not matter. */
export interface ViewCost {
  readonly main: number;
  readonly longestTaskMs: number;
  readonly messagingWorker: number;
}

/** A page that shows a fleet, all of which has reported. */
export async function withFleet<T>(
  vehicles: number,
  rate: number,
  measure: (page: Page, server: ServerUnderTest) => Promise<T>,
  geofencesOf: ((server: ServerUnderTest) => readonly object[]) | null = null,
): Promise<T> {
  const server = await startServer({ vehicles, browsers: 1 });
  if (geofencesOf) {
    await server.watch(geofencesOf(server), []);
    await server.restart();
  }
  const load = await startLoad(server, rate);
  let browser: Browser | null = null;
  try {
    // Waits until every vehicle has reported.
    while ((await load.count()).acknowledged < vehicles) await sleep(500);
    browser = await launchAlone();
    const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
    await context.addInitScript(token => {
      localStorage.setItem('token', token);
      sessionStorage.setItem('loginNotified', '1');
    }, server.browsers[0]?.token ?? '');
    const page = await context.newPage();
    await page.goto(paths.dashboard());
    await isLive(page);
    return await measure(page, server);
  } finally {
    await browser?.close();
    load.end();
    await server.stop();
  }
}

export async function isLive(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Live/ }).waitFor({ timeout: 120_000 });
  await page.waitForTimeout(5000);
}

export async function costOf(page: Page): Promise<ViewCost> {
  const threads = await watchThreads(page, WATCH_S);
  const main = threads.find(({ name }) => name === 'CrRendererMain');
  if (!main) throw new Error('The trace has no main thread');
  const messaging = threads.find(({ name }) => /\/worker-[^/]*\.js$/.test(name));
  return {
    main: main.msPerSecond,
    longestTaskMs: main.longestTaskMs,
    messagingWorker: messaging?.msPerSecond ?? 0,
  };
}
