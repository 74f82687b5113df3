import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The installed Chrome or Chromium for the browser tests; from the system's packages where there is none and we may. */
export function findOrInstallBrowser(): string | null {
  const found = findBrowser();
  if (found) {
    process.stdout.write(`${found}\n`);
    return found;
  }
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    process.stdout.write('Installing Chromium from the system’s packages (first time only)…\n');
    for (const args of [
      ['update', '-q'],
      ['install', '-q', '-y', '--no-install-recommends', 'chromium'],
    ]) {
      const { status, stdout, stderr } = spawnSync('apt-get', args, {
        encoding: 'utf8',
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
      if (status !== 0) process.stderr.write(`${stdout}${stderr}`);
    }
  }
  const installed = findBrowser();
  if (!installed) process.stderr.write('There is no Chrome or Chromium. Install one (apt-get install chromium).\n');
  return installed;
}

function findBrowser(): string | null {
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap(folder => NAMES.map(name => join(folder, name)));
  return (
    [process.env.MILEPOST_BROWSER ?? '', ...onPath, ...APPLICATIONS].find(path => path && existsSync(path)) ?? null
  );
}
