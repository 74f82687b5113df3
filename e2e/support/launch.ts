import { type Browser, chromium } from 'playwright-core';
import { BROWSER_FLAGS, findBrowser } from '../../tools/test/browser.ts';

/** A browser for a single program; `close` ends it. */
export async function launchAlone(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('There is no Chrome or Chromium: set MILEPOST_BROWSER to its path.');
  return chromium.launch({ executablePath, args: [...BROWSER_FLAGS] });
}
