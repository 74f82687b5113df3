import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

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
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export function launchBrowser(): Promise<Browser> {
  const executablePath = [process.env.MILEPOST_BROWSER ?? '', ...PLACES].find(path => path && existsSync(path));
  if (!executablePath) throw new Error('There is no Chrome or Chromium: set MILEPOST_BROWSER to its path.');
  return chromium.launch({ executablePath, args: FLAGS });
}
