import AxeBuilder from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

export { launchBrowser } from './launch.ts';

export interface Visit {
  readonly page: Page;
  /** What the page wrote as errors to the console, and exceptions that nothing caught. */
  readonly complaints: string[];
}

/**
 * A visitor with a storage of their own, gone after the test. Motion is reduced unless asked for, so that no splash
 * stands in the way; the service worker, which fetches the whole app, is kept out unless asked for. A page
 * has its full size, but only a quarter of its pixels is drawn: most of the work where there is no graphics card.
 */
export async function visit(browser: Browser, baseURL: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    deviceScaleFactor: 0.5,
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  return { page, complaints };
}

/** An answer that a page does not ask for again by itself. */
export const REFUSED = {
  status: 403,
  json: { type: 'about:blank', title: 'You may not do this.', status: 403, code: 'not-allowed' },
} as const;

/** An answer that a page asks for again only when somebody says so. */
export const BUSY = {
  status: 429,
  json: { type: 'about:blank', title: 'Wait.', status: 429, code: 'too-many-requests', params: { waitS: 1 } },
} as const;

/** No rule of WCAG 2.2 A and AA, nor of good practice, is broken by what the page shows now. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page)).toEqual([]);
}

/** What axe finds on the page. */
export async function violationsOf(page: Page): Promise<string[]> {
  await arrived(page);
  // It is large, and stays where it was put.
  const isThere = await page.evaluate(() => 'axe' in window);
  const { violations } = await new AxeBuilder({ page, ...(isThere && { axeSource: 'null' }) })
    .options({
      // Targets of 24 px (2.5.8), which axe leaves out unless asked; what passed is not described node by node.
      rules: { 'target-size': { enabled: true } },
      resultTypes: ['violations'],
    })
    // In the page itself, not by a second page: there are no frames of other origins.
    .setLegacyMode()
    .analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}

/** Colours and places that are on their way are there; what moves for ever is not waited for. */
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

/** What was changed is painted, and what moves without motion has arrived. */
export const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
