import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { launchAlone } from './launch.ts';

export interface Borrowed {
  readonly page: Page;
  /** Returns the context for reuse, if the test left it unchanged. */
  giveBack(): Promise<void>;
}

/** How long a page may take for what it should do: a busy machine needs three times as long as an idle one, or more. */
const SLOW_MS = 60_000;

/** Contexts that tests have finished with, by their options. */
const free = new WeakMap<Browser, Map<string, BrowserContext[]>>();

/** How often a test has had each. */
const uses = new WeakMap<BrowserContext, number>();
/** Each has a process of its own. */
const KEPT_CONTEXTS = 3;

let launched: Promise<Browser> | undefined;

/**
 * The browser that the files of this worker share, one after the other. At the end of a file, `close` closes its
 * contexts, except those that tests use most: they stay for the next one.
 */
export async function launchBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

async function launch(): Promise<Browser> {
  const browser = await launchAlone();
  browser.close = () => closeContexts(browser);
  return browser;
}

/** All but the most used of those that nothing has now. */
export async function closeContexts(browser: Browser): Promise<void> {
  const usesOf = (context: BrowserContext): number => uses.get(context) ?? 0;
  const finished = [...(free.get(browser)?.values() ?? [])].flat().sort((a, b) => usesOf(b) - usesOf(a));
  const kept = new Set(finished.slice(0, KEPT_CONTEXTS));
  for (const [key, ones] of free.get(browser) ?? []) {
    free.get(browser)?.set(
      key,
      ones.filter(one => kept.has(one)),
    );
  }
  await Promise.all(browser.contexts().map(context => kept.has(context) || context.close()));
}

/** Calls that change a context and can't be undone. */
const CHANGES = [
  'addCookies',
  'addInitScript',
  'exposeBinding',
  'exposeFunction',
  'grantPermissions',
  'newCDPSession',
  'route',
  'routeWebSocket',
  'setExtraHTTPHeaders',
  'setGeolocation',
  'setOffline',
] as const satisfies readonly (keyof BrowserContext)[];

/**
 * A new page with empty storage, in a context that already has the app in its cache and a process of the site: half the
 * work of opening a page. A test that changes the context itself or its clock gets its own context, because such changes
 * can't be undone; so does a test with a service worker.
 */
export async function borrowPage(browser: Browser, options: BrowserContextOptions): Promise<Borrowed> {
  const { viewport, colorScheme, ...shared } = options;
  const isShared = shared.serviceWorkers === 'block';
  const context = freeOnes(browser, shared).pop() ?? (await browser.newContext(shared));
  uses.set(context, (uses.get(context) ?? 0) + 1);
  if (isShared) await emptyStorage(context);
  const kept = new Set(context.pages());
  const page = await context.newPage();
  page.setDefaultTimeout(SLOW_MS);
  if (viewport) await page.setViewportSize(viewport);
  if (colorScheme) await page.emulateMedia({ colorScheme });
  let isChanged = !isShared;
  const restore = noteChanges(page, () => {
    isChanged = true;
  });
  const giveBack = async () => {
    restore();
    if (isChanged) return context.close();
    await Promise.all(context.pages().map(one => kept.has(one) || one.close()));
    freeOnes(browser, shared).push(context);
  };
  return { page, giveBack };
}

/** Uses a page that stays open, which also keeps the site's process, and the code in it, for the next pages. */
async function emptyStorage(context: BrowserContext): Promise<void> {
  const [kept] = context.pages();
  if (!kept) {
    const page = await context.newPage();
    await page.route('**', route => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto('/');
    return;
  }
  await context.clearCookies();
  await kept.evaluate(async () => {
    localStorage.clear();
    for (const { name } of await indexedDB.databases()) {
      if (name !== undefined) {
        await new Promise<void>((done, failed) => {
          const deletion = indexedDB.deleteDatabase(name);
          deletion.onsuccess = () => done();
          deletion.onerror = () => failed(deletion.error);
        });
      }
    }
    for (const name of await caches.keys()) await caches.delete(name);
  });
}

function freeOnes(browser: Browser, options: BrowserContextOptions): BrowserContext[] {
  const ofBrowser = free.get(browser) ?? new Map<string, BrowserContext[]>();
  free.set(browser, ofBrowser);
  const key = JSON.stringify(options);
  const ones = ofBrowser.get(key) ?? [];
  ofBrowser.set(key, ones);
  return ones;
}

/**
 * Returns a function that stops it. Playwright itself calls `page.context()`, so only calls that change something count.
 */
function noteChanges(page: Page, changed: () => void): () => void {
  const context = page.context();
  const { clock } = page;
  Object.defineProperty(page, 'clock', {
    get: () => {
      changed();
      return clock;
    },
  });
  for (const name of CHANGES) {
    const original: unknown = context[name];
    const noted = (...args: unknown[]): unknown => {
      changed();
      return Reflect.apply(original as (...all: unknown[]) => unknown, context, args);
    };
    Object.assign(context, { [name]: noted });
  }
  return () => {
    for (const name of CHANGES) Reflect.deleteProperty(context, name);
  };
}
