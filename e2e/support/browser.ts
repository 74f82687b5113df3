import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type Borrowed, borrowPage } from './contexts.ts';

export { launchBrowser } from './contexts.ts';

export interface Visit {
  readonly page: Page;
  /** The page's console errors and uncaught exceptions. */
  readonly complaints: string[];
}

export const USUAL = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } as const;

let without: 'nothing' | 'streets' | 'maps' = 'nothing';

/** For tests that check nothing on a map: without a graphics card, the map is the most expensive part of a page. */
export function leaveMapsOut(): void {
  leaveOut('maps');
}

/** For tests that need a map but nothing of its base: the page shows its grid instead, which costs less to draw. */
export function leaveStreetsOut(): void {
  leaveOut('streets');
}

function leaveOut(what: typeof without): void {
  let before = without;
  beforeAll(() => {
    before = without;
    without = what;
  });
  afterAll(() => {
    without = before;
  });
}

/** Opens a page with all of its map in a file that leaves parts of maps out. */
export async function withWholeMap<T>(open: () => Promise<T>): Promise<T> {
  const before = without;
  without = 'nothing';
  try {
    return await open();
  } finally {
    without = before;
  }
}

/**
 * A visitor with their own storage, which is deleted after the test. By default, motion is reduced so that no splash
 * covers the page, and the service worker is blocked because it would load the whole app. A page has its full size, but
 * only a quarter of the pixels is rendered, which saves most of the work on machines without a graphics card.
 */
export async function visit(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const { giveBack, ...visitor } = await borrowVisit(browser, baseURL, options);
  onTestFinished(giveBack);
  return visitor;
}

/** A visitor that stays until `giveBack`. */
export async function borrowVisit(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<Visit & Borrowed> {
  const { page, giveBack } = await borrowPage(browser, {
    baseURL,
    viewport: USUAL.viewport,
    colorScheme: USUAL.colorScheme,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    deviceScaleFactor: 0.25,
    ...options,
  });
  await page.addInitScript(letClicksThroughToasts);
  if (without === 'maps') await page.addInitScript(takeWebGlAway);
  if (without === 'streets') await page.addInitScript(takeStreetsAway);
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  return { page, complaints, giveBack };
}

/**
 * Toasts close after 5 seconds. A user waits or closes them; waiting in tests would prove nothing. Runs in the page.
 */
function letClicksThroughToasts(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    :is([role='status'], [role='alert']) > [data-tone] { pointer-events: none }
    :is([role='status'], [role='alert']) > [data-tone] > button:not([aria-label]) { pointer-events: auto }
  `);
  document.adoptedStyleSheets.push(sheet);
}

/** Runs in the page. */
export function takeWebGlAway(): void {
  const { getContext } = HTMLCanvasElement.prototype;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
    return kind.startsWith('webgl') ? null : Reflect.apply(getContext, this, [kind, ...rest]);
  } as typeof getContext;
}

/** Runs in the page. Playwright's routes would do it, too, but they turn off the browser's cache. */
function takeStreetsAway(): void {
  const { fetch: original } = window;
  window.fetch = (asked, options) => {
    const { pathname } = new URL(asked instanceof Request ? asked.url : asked, location.origin);
    return pathname.startsWith('/map/')
      ? Promise.resolve(new Response(null, { status: 404 }))
      : original.call(window, asked, options);
  };
}

/** An error that a page doesn't retry. */
export const REFUSED = {
  status: 403,
  json: { type: 'about:blank', title: 'You may not do this.', status: 403, code: 'not-allowed' },
} as const;

/** An error that a page retries only when the user asks. */
export const BUSY = {
  status: 429,
  json: { type: 'about:blank', title: 'Wait.', status: 429, code: 'too-many-requests', params: { waitS: 1 } },
} as const;

/** Checks the current page against WCAG 2.2 A and AA, and axe's best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
}

/** In light, then in dark. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await inColors(page, 'light');
  await expectAccessible(page);
  await inColors(page, 'dark');
  await expectAccessible(page);
}

/** Switches the system to light or dark, and waits until the page has followed. */
export async function inColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.colorScheme)).toBe(colorScheme);
}

/** Number of runs that must find the same problem: a field that changes meanwhile has two colors at once. */
const LOOKS = 4;

/** Problems that axe finds on the page in every run; real problems stay. */
export async function violationsOf(page: Page): Promise<string[]> {
  let found: string[] = [];
  for (let look = 1; look <= LOOKS; look++) {
    found = await violationsNow(page);
    if (found.length === 0) break;
    await page.waitForTimeout(250);
  }
  return found;
}

async function violationsNow(page: Page): Promise<string[]> {
  await arrived(page);
  // The script is large, so it is injected only once per page.
  const isThere = await page.evaluate(() => 'axe' in window);
  const { violations } = await new AxeBuilder({ page, ...(isThere && { axeSource: 'null' }) })
    .options({
      // Target size of 24 px (2.5.8), which axe checks only on request. Passed checks need no details.
      rules: { 'target-size': { enabled: true } },
      resultTypes: ['violations'],
    })
    // Run in the page itself instead of a second page: there are no frames from other origins.
    .setLegacyMode()
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Waits until transitions of colors and positions have ended; endless animations are ignored. */
const arrived = (page: Page): Promise<unknown> =>
  page.evaluate(async () => {
    const paint = () => new Promise(done => requestAnimationFrame(done));
    await paint();
    const ending = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
    await paint();
  });

/** Waits until changes are painted and layout without animations has settled. */
export const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
