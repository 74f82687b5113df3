import { type Browser, chromium } from 'playwright-core';
import { BROWSER_FLAGS, findBrowser } from '../../tools/test/browser.ts';
import { closeContexts } from './contexts.ts';

let launched: Promise<Browser> | undefined;

/**
 * The browser that the files of this worker share, one after the other. `close` closes only what the file has opened.
 */
export async function launchBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

/** A browser for a single program; `close` ends it. */
export async function launchAlone(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('There is no Chrome or Chromium: set MILEPOST_BROWSER to its path.');
  return chromium.launch({ executablePath, args: [...BROWSER_FLAGS] });
}

async function launch(): Promise<Browser> {
  const browser = await launchAlone();
  browser.close = () => closeContexts(browser);
  return browser;
}
