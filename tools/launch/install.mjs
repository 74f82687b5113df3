import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
/** The Node that everything except the launcher runs on. */
export const PINNED_NODE = join(ROOT, 'node_modules/node/bin/node');

/** In an unpacked release, where packages and web app are complete: what it is, and for which system. */
const RELEASE = join(ROOT, 'release.json');
export const isRelease = () => existsSync(RELEASE);

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Installs the packages if they are missing or do not match the lock file. Prints only to standard error. */
export async function installWhatIsMissing() {
  if (isRelease()) return refuseOtherPlatform();
  if (isInstalled()) return;
  const began = Date.now();
  const first = !existsSync(join(ROOT, 'node_modules'));
  say(first ? 'Installing packages (first start only)…' : 'Installing packages (package-lock.json changed)…');
  const heartbeat = setInterval(() => say(`  … still installing (${seconds(began)} s)`), 15_000);
  const { code, output } = await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  clearInterval(heartbeat);
  if (code !== 0) {
    say(output.trim());
    throw new Error('The packages could not be installed (npm ci, see above). Cure that, then run the command again.');
  }
  if (!existsSync(PINNED_NODE)) {
    throw new Error(
      'The packages are installed, but without the Node that Milepost runs on: npm is set to skip install scripts (ignore-scripts). Allow them, remove node_modules and run the command again.',
    );
  }
  say(`Packages installed in ${seconds(began)} s.`);
}

function refuseOtherPlatform() {
  const { platform } = JSON.parse(readFileSync(RELEASE, 'utf8'));
  const here = `${process.platform}-${process.arch}`;
  if (platform !== here) throw new Error(`This is Milepost for ${platform}. Get the one for ${here}, or the source.`);
}

/** Compares npm's record of its last install here with the lock file, by content, because a checkout changes dates. */
function isInstalled() {
  const locked = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  if (!locked || !present || !existsSync(PINNED_NODE)) return false;
  return Object.entries(locked).every(([path, wanted]) => {
    if (!path.includes('node_modules/')) return true;
    const found = present[path];
    // Packages for other platforms are only in the lock file.
    return found ? found.version === wanted.version && found.integrity === wanted.integrity : Boolean(wanted.optional);
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages;
  } catch {
    return null;
  }
}

/** The npm that runs this script, otherwise the one on the path. */
function npm(flags) {
  const cli = process.env.npm_execpath;
  const [program, before] = cli && /\.c?js$/.test(cli) ? [process.execPath, [cli]] : ['npm', []];
  return new Promise(done => {
    let output = '';
    const child = spawn(program, [...before, ...flags], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    const stop = (signal, number) => {
      child.kill(signal);
      process.exit(128 + number);
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        output += text;
      });
    }
    child.on('error', error => done({ code: 1, output: error.message }));
    child.on('close', code => {
      for (const signal of SIGNALS) process.off(signal, stop);
      done({ code, output });
    });
  });
}

const seconds = since => Math.round((Date.now() - since) / 1000);
const say = text => process.stderr.write(`${text}\n`);
