import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, onTestFailed } from 'vitest';
import { borrowVisit, USUAL, type Visit } from './browser.ts';
import { type Milepost, OWNER } from './milepost.ts';
import { storeToken, tokenOf } from './session.ts';

/** An address without data, where everything of the page before is gone. */
const NOWHERE = '/no/such/page';
const nowhere = (page: Page) => page.getByRole('heading', { name: 'Page not found' });

/**
 * For the tests of a file that don't care how the page was loaded: the owner's page, or that of another user or a guest
 * (`token`), stays open from test to test, and goes from address to address as links do. Loading it anew is most of what a short test costs. What tests
 * change is put back: window, colors, answers held or refused, toasts. A test that stores something or signs in or out
 * visits by itself.
 *
 * Call it at the top of a file. Returns what opens an address.
 */
export function samePage(
  server: () => { readonly browser: Browser; readonly milepost: Milepost },
  options: BrowserContextOptions = {},
  token: (milepost: Milepost) => Promise<string | null> = milepost => tokenOf(milepost.url, OWNER),
) {
  let open: Awaited<ReturnType<typeof borrowVisit>> | null = null;
  const close = async (): Promise<void> => {
    const { giveBack } = open ?? {};
    open = null;
    await giveBack?.();
  };
  afterAll(close);

  return async (path: string): Promise<Visit> => {
    // The next test doesn't begin with what a failed one left.
    onTestFailed(close);
    if (open && !(await isReset(open.page, options))) await close();
    if (open) {
      await open.page.evaluate(goTo, path);
      // The page before stays until the next one has loaded.
      if (path !== NOWHERE) await nowhere(open.page).waitFor({ state: 'detached' });
    } else {
      const { browser, milepost } = server();
      open = await borrowVisit(browser, milepost.url, options);
      const stored = await token(milepost);
      if (stored !== null) await storeToken(open.page, stored);
      await open.page.goto(path);
    }
    open.complaints.length = 0;
    return open;
  };
}

/** Whether the page is as a new one at `NOWHERE`. */
async function isReset(page: Page, options: BrowserContextOptions): Promise<boolean> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.setViewportSize(options.viewport ?? USUAL.viewport);
  await page.emulateMedia({ colorScheme: options.colorScheme ?? USUAL.colorScheme, forcedColors: 'none' });
  await page.mouse.move(0, 0);
  await page.evaluate(goTo, NOWHERE);
  const isThere = await nowhere(page)
    .waitFor({ timeout: 5000 })
    .then(
      () => true,
      () => false,
    );
  if (isThere) await closeToasts(page);
  // What the frame around the pages has opened stays open.
  return isThere && (await page.getByRole('dialog').or(page.getByRole('menu')).count()) === 0;
}

/** Each toast shows for five seconds, one after the other: a test that waits for the next one closes those before. */
export async function closeToasts(page: Page): Promise<void> {
  while (await page.evaluate(closeToast)) await page.evaluate(() => new Promise(requestAnimationFrame));
}

/** Runs in the page: goes there as a link of the app does. Unsaved changes stop it, as they stop a link. */
export function goTo(path: string): void {
  const { idx = 0 } = (history.state ?? {}) as { idx?: number };
  history.pushState({ usr: null, key: `test-${idx + 1}`, idx: idx + 1 }, '', path);
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
}

/** Runs in the page. Returns whether there was one. */
function closeToast(): boolean {
  const buttons = document.querySelectorAll<HTMLElement>(
    ":is([role='status'], [role='alert']) > [data-tone] > button[aria-label]",
  );
  for (const button of buttons) button.click();
  return buttons.length > 0;
}
