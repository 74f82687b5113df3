/**
 * `npm run bench -- replay [vehicles]`: a day of vehicles that report every ten seconds, replayed: how long until all of
 * them are on the screen, what a jump of the clock costs, and the main thread's time while it plays. The real server,
 * the reports sent as trackers do, the built app in headless Chromium; the map is drawn by the CPU.
 */
import type { PositionMessage } from '@milepost/decoders';
import { degrees, epochMs, metres, metresPerSecond } from '@milepost/units';
import type { Browser, Page } from 'playwright-core';
import { teltonikaOverTcp } from '../apps/simulator/src/tracker/teltonika.ts';
import { launchAlone } from '../e2e/support/launch.ts';
import { buildWebWhenStale } from '../tools/launch/build-web.ts';
import { superviseChildren } from '../tools/launch/supervise.ts';
import { type ServerUnderTest, startServer } from './ingest/server-under-test.ts';
import { table } from './table.ts';
import { watchThreads } from './web/threads.ts';

const DAY_MS = 86_400_000;
const EVERY_MS = 10_000;
/** Of every half hour. */
const DRIVE_MS = 20 * 60_000;
const CYCLE_MS = 30 * 60_000;
const BATCH = 60;
const WATCH_S = 10;
const COUNT_S = 5;
const JUMPS = 40;
const SPEEDS = [60, 600] as const;

export async function run([wanted = '20']: readonly string[]): Promise<void> {
  if (!(await buildWebWhenStale(superviseChildren()))) throw new Error('There is no web app to measure');
  const vehicles = Number(wanted);
  const server = await startServer({ vehicles, browsers: 1 });
  let browser: Browser | null = null;
  try {
    const fromMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS;
    const points = await sendDay(server, fromMs);
    const ids = await idsOf(server);
    await waitUntilCounted(server, ids, fromMs);
    browser = await launchAlone();
    const page = await openPage(browser, server);
    const address =
      `/replay?vehicles=${ids.join(',')}&from=${new Date(fromMs).toISOString()}` +
      `&to=${new Date(fromMs + DAY_MS).toISOString()}`;
    // Once for the files of the app, which stay in the browser.
    const times = [];
    for (let round = 0; round < 3; round++) times.push(await timeToShow(page, server, address, ids.length));
    const shown = times.toSorted((a, b) => a.allMs - b.allMs)[1] as Shown;
    const jumps = await jump(page);
    const plays: Record<string, Play> = {};
    for (const speed of SPEEDS) plays[`×${speed}`] = await play(page, speed);
    print(points, shown, jumps, plays);
    process.stdout.write(`${JSON.stringify({ bench: 'replay', vehicles, points, shown, jumps, plays })}\n`);
  } finally {
    await browser?.close();
    await server.stop();
  }
}

/** Twenty minutes of driving through bends, ten of standing, all day long; each vehicle on a course of its own. */
function* dayOf(nth: number, fromMs: number): Generator<PositionMessage> {
  let [lat, lon, heading] = [41.5 + (nth % 5) * 0.12, -88.2 + Math.floor(nth / 5) * 0.15, nth];
  for (let at = 0; at < DAY_MS; at += EVERY_MS) {
    const drives = (at + nth * 60_000) % CYCLE_MS < DRIVE_MS;
    if (drives) {
      heading += Math.sin(at / 90_000 + nth) * 0.25;
      lat += Math.cos(heading) * 0.0014;
      lon += Math.sin(heading) * 0.0018;
    }
    yield {
      kind: 'position',
      time: epochMs(fromMs + at),
      valid: true,
      lat: degrees(lat),
      lon: degrees(lon),
      speed: metresPerSecond(drives ? 15 : 0),
      course: degrees(Math.round((((heading * 180) / Math.PI) % 360) + 360) % 360),
      altitude: metres(180),
      satellites: 11,
      hdop: 0.8,
      ignition: drives,
      odometer: null,
      fuel: null,
      temperature: null,
      gsm: 25,
      event: null,
      rfid: null,
      attributes: {},
    };
  }
}

async function sendDay(server: ServerUnderTest, fromMs: number): Promise<number> {
  let count = 0;
  await Promise.all(
    server.imeis.map(async (imei, nth) => {
      const link = await teltonikaOverTcp('127.0.0.1', server.ports.teltonika ?? 0, imei)();
      const day = [...dayOf(nth, fromMs)];
      for (let at = 0; at < day.length; at += BATCH) await link.send(day.slice(at, at + BATCH));
      count += day.length;
      link.close();
    }),
  );
  return count;
}

async function api(server: ServerUnderTest, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${server.browsers[0]?.token}` };
  return (await fetch(`${server.url}/api/v1/${path}`, { headers })).json();
}

const idsOf = async (server: ServerUnderTest): Promise<string[]> =>
  ((await api(server, 'device')) as { id: string }[]).map(({ id }) => id);

/** Trips are counted behind the reports; a page that waits for them is another matter. */
async function waitUntilCounted(server: ServerUnderTest, ids: readonly string[], fromMs: number): Promise<void> {
  const period = `from=${new Date(fromMs).toISOString()}&to=${new Date(fromMs + DAY_MS).toISOString()}`;
  const isBehind = async (id: string): Promise<boolean> =>
    ((await api(server, `device/${id}/trip?${period}`)) as { isBehind: boolean }).isBehind;
  while ((await Promise.all(ids.map(isBehind))).includes(true)) await new Promise(done => setTimeout(done, 200));
}

async function openPage(browser: Browser, server: ServerUnderTest): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url, viewport: { width: 1440, height: 900 } });
  await context.addInitScript(token => {
    localStorage.setItem('token', token);
    sessionStorage.setItem('loginNotified', '1');
  }, server.browsers[0]?.token ?? '');
  return context.newPage();
}

interface Shown {
  /** Until the page is there, without a vehicle. */
  readonly pageMs: number;
  readonly firstMs: number;
  readonly allMs: number;
  /** Processor time of the server, its database and the page's main thread until then. */
  readonly serverMs: number;
  readonly databaseMs: number;
  readonly mainMs: number;
}

/** From the address to the first vehicle's track, and to the last one's. */
async function timeToShow(page: Page, server: ServerUnderTest, address: string, count: number): Promise<Shown> {
  await page.goto('about:blank');
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = server.processorTime();
  const began = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.getByRole('heading', { name: 'Replay', exact: true }).waitFor();
  const pageMs = Math.round(performance.now() - began);
  const rows = page.getByRole('list', { name: 'Vehicles at this moment' }).getByRole('listitem');
  await rows.first().waitFor();
  const firstMs = Math.round(performance.now() - began);
  await rows.nth(count - 1).waitFor();
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const allMs = Math.round(performance.now() - began);
  const after = server.processorTime();
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const mainMs = Math.round((metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000);
  await page.waitForTimeout(3000);
  return {
    pageMs,
    firstMs,
    allMs,
    serverMs: Math.round((after.server - before.server) * 1000),
    databaseMs: Math.round((after.database - before.database) * 1000),
    mainMs,
  };
}

interface Jumps {
  /** Until everything has been told to draw. */
  readonly scriptMs: number;
  /** Until the next frame has been drawn. */
  readonly frameMs: number;
}

/** Jumps of an hour, as keys on the playhead: medians. */
const jump = (page: Page): Promise<Jumps> =>
  page.evaluate<Jumps>(`(async () => {
    const slider = document.querySelector('[role="slider"][aria-valuemax]');
    const [script, frame] = [[], []];
    for (let i = 0; i < ${JUMPS}; i++) {
      await new Promise(done => setTimeout(done, 60));
      const began = performance.now();
      const key = Math.floor(i / 10) % 2 === 0 ? 'PageUp' : 'PageDown';
      slider.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      script.push(performance.now() - began);
      await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
      frame.push(performance.now() - began);
    }
    const median = list => Math.round((list.toSorted((a, b) => a - b)[list.length >> 1] ?? 0) * 10) / 10;
    return { scriptMs: median(script), frameMs: median(frame) };
  })()`);

interface Play {
  /** Processor time of the main thread, in ms per second. */
  readonly mainMsPerSecond: number;
  readonly longestTaskMs: number;
  readonly framesPerSecond: number;
}

async function play(page: Page, speed: number): Promise<Play> {
  await page.getByRole('slider', { name: 'Time' }).press('Home');
  await page.getByRole('button', { name: `×${speed}`, exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForTimeout(1000);
  const threads = await watchThreads(page, WATCH_S);
  const framesPerSecond = await page.evaluate<number>(`new Promise(done => {
    let frames = 0;
    const until = performance.now() + ${COUNT_S} * 1000;
    requestAnimationFrame(function next(nowMs) {
      frames++;
      if (nowMs < until) requestAnimationFrame(next);
      else done(Math.round(frames / ${COUNT_S}));
    });
  })`);
  const pause = page.getByRole('button', { name: 'Pause' });
  if (await pause.isVisible()) await pause.click();
  const main = threads.find(({ name }) => name === 'CrRendererMain');
  if (!main) throw new Error('The trace has no main thread');
  return { mainMsPerSecond: main.msPerSecond, longestTaskMs: main.longestTaskMs, framesPerSecond };
}

function print(points: number, shown: Shown, jumps: Jumps, plays: Readonly<Record<string, Play>>): void {
  process.stdout.write(`\n${points.toLocaleString('en-US')} reports of a day\n\n`);
  process.stdout.write(
    table(
      ['what', 'figure'],
      [
        ['address to the page', `${shown.pageMs} ms`],
        ['address to the first track', `${shown.firstMs} ms`],
        ['address to all tracks', `${shown.allMs} ms`],
        [
          'processor time of that',
          `server ${shown.serverMs} ms, database ${shown.databaseMs} ms, main thread ${shown.mainMs} ms`,
        ],
        ['jump of an hour, script', `${jumps.scriptMs} ms`],
        ['jump of an hour, to the next frame', `${jumps.frameMs} ms`],
        ...Object.entries(plays).map(([speed, { mainMsPerSecond, longestTaskMs, framesPerSecond }]) => [
          `playing ${speed}`,
          `${mainMsPerSecond} ms/s main thread, longest task ${longestTaskMs} ms, ${framesPerSecond} frames/s`,
        ]),
      ],
    ),
  );
}
