import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { runAptGet } from './apt-get.ts';

/** The headless shell draws the same pages without a window around each, with two thirds of the work. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Headless and quiet: the browser itself requests nothing from the network. */
export const BROWSER_FLAGS: readonly string[] = [
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

/**
 * The browser for the browser tests. Installs the headless shell from the system's packages if permissions allow, even
 * beside another Chromium; otherwise what is installed.
 */
export async function findOrInstallBrowser(): Promise<string | null> {
  const found = findBrowser();
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (mayInstall && !(found && isShell(found)) && process.env.MILEPOST_BROWSER === undefined) {
    process.stdout.write('Installing the headless browser from the system’s packages (first time only)…\n');
    await runAptGet('update', '-q');
    // Not every system has a separate package for the shell.
    if (!(await runAptGet('install', '-q', '-y', '--no-install-recommends', SHELL)) && !found) {
      await runAptGet('install', '-q', '-y', '--no-install-recommends', 'chromium');
    }
  }
  return findBrowser();
}

const isShell = (path: string): boolean => basename(path) === SHELL;

/** `MILEPOST_BROWSER`, or the first installed one. */
export function findBrowser(): string | null {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap(folder => NAMES.map(name => join(folder, name)));
  return (
    [process.env.MILEPOST_BROWSER ?? '', ...onPath, ...APPLICATIONS].find(path => path && existsSync(path)) ?? null
  );
}
