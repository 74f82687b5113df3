import { createHttpClient } from '@milepost/client';
import { changePassword, createDriver, readMyUsers, registerUser, signIn, updateLogSettings } from '@milepost/contract';
import type { BrowserContext } from 'playwright-core';
import { launchAlone } from '../../e2e/support/launch.ts';
import type { ServerUnderTest } from '../ingest/server-under-test.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const USER = { userName: 'phone.bench', password: 'a thermos of coffee' };
const STARTS = 9;
/** A phone of the middle class, as browsers' own tools take it. */
const SLOWED = 4;

/** In milliseconds, from the opening of the page to its buttons on the screen; medians. */
export interface PhoneStart {
  readonly toButtonsMs: number;
  /** Processor time of the page's main thread until then, as slowed. */
  readonly processorMs: number;
}

/** A driver's user and driver, who keeps a log; `fill` writes its entries. */
export async function addDriverWithPhone(
  server: ServerUnderTest,
  fill: (driverId: string) => Promise<void>,
): Promise<string> {
  let token = server.browsers[0]?.token ?? '';
  const http = createHttpClient({ baseUrl: server.url, getToken: () => token });
  const first = { ...USER, password: 'interstate 81 northbound' };
  await http.call(registerUser, { body: { ...first, displayName: 'Ann Rivera', role: 'driver' } });
  const user = (await http.call(readMyUsers)).find(({ userName }) => userName === USER.userName);
  const { id } = await http.call(createDriver, { body: { name: 'Ann Rivera', userId: user?.id ?? null } });
  await http.call(updateLogSettings, { params: { driverId: id }, body: { keepsLog: true } });
  await fill(id);
  token = (await http.call(signIn, { body: { ...first, keepSignedIn: true } })).token;
  const changed = { oldPassword: first.password, newPassword: USER.password, endOtherSessions: false };
  return (await http.call(changePassword, { body: changed })).token;
}

/** Signs in, and marks the moment after the frame in which the buttons are drawn. */
const atStart = (token: string): string => `
  localStorage.setItem('token', ${JSON.stringify(token)});
  sessionStorage.setItem('loginNotified', '1');
  new MutationObserver((_, observer) => {
    if (!document.querySelector('[role=radio]')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark('buttons')));
  }).observe(document, { childList: true, subtree: true });
`;

/** Starts of the installed app without a network, on a slowed processor. */
export async function measurePhoneStart(url: string, token: string): Promise<PhoneStart> {
  const browser = await launchAlone();
  try {
    const context = await browser.newContext({ ...PHONE, baseURL: url });
    await context.addInitScript(atStart(token));
    const page = await context.newPage();
    await page.goto('/');
    await page.getByRole('radiogroup').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => null)');
    // All that is below the buttons, and the service worker's copies.
    await page.getByRole('button', { name: 'Roadside inspection' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Roadside inspection' }).waitFor();
    await page.close();
    await context.setOffline(true);
    const starts: PhoneStart[] = [];
    for (let n = 0; n < STARTS; n++) starts.push(await start(context));
    const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0;
    return {
      toButtonsMs: median(starts.map(({ toButtonsMs }) => toButtonsMs)),
      processorMs: median(starts.map(({ processorMs }) => processorMs)),
    };
  } finally {
    await browser.close();
  }
}

async function start(context: BrowserContext): Promise<PhoneStart> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const taskMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const before = await taskMs();
  await page.goto('/', { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('buttons').length > 0);
  const processorMs = (await taskMs()) - before;
  const toButtonsMs = await page.evaluate(() => performance.getEntriesByName('buttons')[0]?.startTime ?? 0);
  await page.close();
  return { toButtonsMs, processorMs };
}
