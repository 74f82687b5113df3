import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

export interface Borrowed {
  readonly page: Page;
  /** Returns the context for reuse, if the test left it unchanged. */
  giveBack(): Promise<void>;
}

/** Contexts that tests have finished with, by their options. */
const free = new WeakMap<Browser, Map<string, BrowserContext[]>>();

/**
 * A new page with empty storage. The context's cache still contains what earlier tests of the file have loaded, which
 * halves the work of opening a page. A test that uses the context itself or its clock gets its own context, because
 * such changes can't be undone; so does a test with a service worker.
 */
export async function borrowPage(browser: Browser, options: BrowserContextOptions): Promise<Borrowed> {
  const { viewport, colorScheme, ...shared } = options;
  const context = takeFree(browser, shared) ?? (await browser.newContext(shared));
  await context.setStorageState({ cookies: [], origins: [] });
  const page = await context.newPage();
  if (viewport) await page.setViewportSize(viewport);
  if (colorScheme) await page.emulateMedia({ colorScheme });
  let isChanged = shared.serviceWorkers !== 'block';
  noteUses(page, () => {
    isChanged = true;
  });
  const giveBack = async () => {
    if (isChanged) return context.close();
    await Promise.all(context.pages().map(one => one.close()));
    freeOnes(browser, shared).push(context);
  };
  return { page, giveBack };
}

function takeFree(browser: Browser, options: BrowserContextOptions): BrowserContext | undefined {
  return freeOnes(browser, options).pop();
}

function freeOnes(browser: Browser, options: BrowserContextOptions): BrowserContext[] {
  const ofBrowser = free.get(browser) ?? new Map<string, BrowserContext[]>();
  free.set(browser, ofBrowser);
  const key = JSON.stringify(options);
  const ones = ofBrowser.get(key) ?? [];
  ofBrowser.set(key, ones);
  return ones;
}

function noteUses(page: Page, used: () => void): void {
  const context = page.context();
  const { clock } = page;
  Object.defineProperty(page, 'clock', {
    get: () => {
      used();
      return clock;
    },
  });
  page.context = () => {
    used();
    return context;
  };
}
