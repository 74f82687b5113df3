import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../tools/test/browser.ts';

/** Headless, and quiet: the browser itself asks for nothing from the network. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  // Nothing here is of another site.
  '--disable-site-isolation-trials',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let launched: Promise<Browser> | undefined;

/** The browser that this worker's files share, one after the other. To `close` it closes what the file has opened. */
export async function launchBrowser(): Promise<Browser> {
  launched ??= launch();
  return launched;
}

/** A browser for one program, which ends with `close`. */
export async function launchAlone(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('There is no Chrome or Chromium: set MILEPOST_BROWSER to its path.');
  return chromium.launch({ executablePath, args: FLAGS });
}

async function launch(): Promise<Browser> {
  const browser = await launchAlone();
  browser.close = async () => {
    await Promise.all(browser.contexts().map(context => context.close()));
  };
  return browser;
}
