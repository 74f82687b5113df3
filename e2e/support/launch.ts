import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../tools/test/browser.ts';

/** Headless, and quiet: the browser itself asks for nothing from the network. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser();
  if (!executablePath) throw new Error('There is no Chrome or Chromium: set MILEPOST_BROWSER to its path.');
  return chromium.launch({ executablePath, args: FLAGS });
}
