/**
 * Every `npm run` command of Milepost starts here, on any Node 20 or newer: missing packages are installed, then the
 * command's script runs on the Node version that is pinned as a package. Plain JavaScript, with no imports outside
 * `tools/launch/install.mjs`, because nothing is installed yet.
 */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { installWhatIsMissing, PINNED_NODE, ROOT } from './launch/install.mjs';

const COMMANDS = {
  start: { script: 'tools/start.ts' },
  dev: { script: 'tools/start.ts', args: ['--dev'] },
  test: { script: 'tools/test.ts' },
  'test:long': { script: 'tools/test.ts', args: ['long'] },
  bench: { script: 'bench/run.ts', inCallersFolder: true },
  fuzz: { script: 'packages/decoders/src/fuzz.ts', inCallersFolder: true },
  simulate: { script: 'apps/simulator/src/main.ts', inCallersFolder: true },
  hos: { script: 'packages/hos/src/cli.ts', inCallersFolder: true },
  decode: { script: 'packages/decoders/src/cli.ts', inCallersFolder: true },
  'verify-log': { script: 'packages/eld/src/cli.ts', inCallersFolder: true },
  'install-service': { script: 'tools/service/service.ts', args: ['install'] },
  'remove-service': { script: 'tools/service/service.ts', args: ['remove'] },
  backup: { script: 'apps/server/src/backup.ts' },
  restore: { script: 'apps/server/src/restore.ts' },
  upgrade: { script: 'apps/server/src/upgrade.ts' },
  owner: { script: 'apps/server/src/owner.ts' },
  release: { script: 'tools/release/release.ts' },
  'from-traccar': { script: 'apps/server/src/from-traccar.ts', inCallersFolder: true },
};

// A release brings the commands that its users need.
const present = Object.keys(COMMANDS).filter(name => existsSync(join(ROOT, COMMANDS[name].script)));
const [name, ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (!present.includes(name)) refuse(`Choose a command: ${present.join(' | ')}`);
try {
  await installWhatIsMissing();
} catch (error) {
  refuse(error.message);
}

// Node's compiled code (types stripped) is kept for the next start, which then takes half the work.
const compiled = join(ROOT, 'node_modules/.cache/milepost-compiled');
// npm runs scripts in the checkout, but tells where it was called: file names on the command line are relative to that
// folder.
const callersFolder = process.env.npm_lifecycle_event === name ? process.env.INIT_CWD : process.cwd();
const child = fork(join(ROOT, command.script), [...(command.args ?? []), ...args], {
  execPath: PINNED_NODE,
  execArgv: [],
  cwd: (command.inCallersFolder && callersFolder) || ROOT,
  env: { NODE_COMPILE_CACHE: compiled, ...process.env, PATH: `${dirname(PINNED_NODE)}:${process.env.PATH ?? ''}` },
});
// Signals are passed on, not acted on: this process ends after its child, which ends by itself (IPC) if we are killed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm passes signals on, too, but can itself be killed; we then get another parent process. (`exec` in package.json
// makes npm our parent: a shell in between would die of a signal alone, and npm would not wait for us.)
const parent = process.ppid;
if (process.env.npm_lifecycle_event === name) {
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
}
child.on('error', error => refuse(`${command.script} could not be started: ${error.message}`));
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
