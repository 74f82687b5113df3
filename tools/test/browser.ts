import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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
 * The installed Chrome or Chromium for the browser tests; if there is none and permissions allow, installs it from the
 * system's packages.
 */
export function findOrInstallBrowser(): string | null {
  const found = findBrowser();
  if (found) {
    process.stdout.write(`${found}\n`);
    return found;
  }
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    process.stdout.write('Installing Chromium from the system’s packages (first time only)…\n');
    runAptGet('update', '-q');
    // Not every system has a separate package for the shell.
    for (const name of [SHELL, 'chromium']) {
      if (runAptGet('install', '-q', '-y', '--no-install-recommends', name)) break;
    }
  }
  const installed = findBrowser();
  if (!installed) process.stderr.write('There is no Chrome or Chromium. Install one (apt-get install chromium).\n');
  return installed;
}

function runAptGet(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stdout, stderr } = spawnSync('apt-get', args, { encoding: 'utf8', env });
  if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
  return status === 0;
}

/** `MILEPOST_BROWSER`, or the first installed one. */
export function findBrowser(): string | null {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap(folder => NAMES.map(name => join(folder, name)));
  return (
    [process.env.MILEPOST_BROWSER ?? '', ...onPath, ...APPLICATIONS].find(path => path && existsSync(path)) ?? null
  );
}
