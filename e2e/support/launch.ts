import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../tools/test/browser.ts';

/** Headless and quiet: the browser itself requests nothing from the network. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  // No page here contains frames from other sites.
  '--disable-site-isolation-trials',
  // The pages of a context share a process, in which the app's code is compiled once.
  '--process-per-site',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

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
  return chromium.launch({ executablePath, args: FLAGS });
}

async function launch(): Promise<Browser> {
  const browser = await launchAlone();
  browser.close = async () => {
    await Promise.all(browser.contexts().map(context => context.close()));
  };
  return browser;
}
