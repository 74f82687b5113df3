import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildWebWhenStale } from '../launch/build-web.ts';
import { PINNED_NODE, ROOT } from '../launch/install.mjs';
import { superviseChildren } from '../launch/supervise.ts';
import { CACHE, NEW_SETTINGS, type Service, serviceUnit } from './unit.ts';

/**
 * `npm run install-service` makes Milepost a systemd service: it starts with the machine and as a user of its own. Run
 * again, it takes over new code and restarts. `npm run remove-service` takes the service away and keeps the data.
 *
 * With `--root DIR`, the files are only written below DIR, for packages and images.
 */
const NAME = 'milepost';
const UNIT = `/etc/systemd/system/${NAME}.service`;
/** A first start makes the database; an upgrade may migrate one. */
const READY_WITHIN_MS = 120_000;

class Refusal extends Error {}

const [action, ...args] = process.argv.slice(2);
const { values } = parseArgs({
  args,
  options: {
    user: { type: 'string', default: NAME },
    data: { type: 'string', default: '/var/lib/milepost' },
    settings: { type: 'string', default: '/etc/milepost.env' },
    backup: { type: 'string' },
    root: { type: 'string' },
  },
});
const { root } = values;

try {
  if (root === undefined) refuseWithoutSystemd();
  if (action === 'remove') remove();
  else await install({ code: ROOT, node: PINNED_NODE, ...values });
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function install(service: Service): Promise<void> {
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(service.user)) {
    throw new Refusal(`"${service.user}" can't be the name of a system user: use a–z, 0–9, dash and underscore.`);
  }
  for (const path of [service.data, service.settings, ...(service.backup ? [service.backup] : [])]) {
    if (!path.startsWith('/') || /[\n\r]/.test(path)) throw new Refusal(`${path} must be an absolute path.`);
  }
  if (root === undefined) {
    // As the owner of the code: the service itself may not write there.
    if (!(await buildWebWhenStale(superviseChildren()))) throw new Refusal('The web app could not be built.');
    makeUser(service);
    refuseUnreadable(service);
    run('install', ['-d', '-m', '0700', '-o', service.user, '-g', service.user, service.data]);
    if (service.backup) run('install', ['-d', '-m', '0700', '-o', service.user, '-g', service.user, service.backup]);
  }
  if (write(service.settings, NEW_SETTINGS, 0o640, { replace: false }) && root === undefined) {
    run('chgrp', [service.user, service.settings]);
  }
  write(UNIT, serviceUnit(service), 0o644, { replace: true });
  if (root !== undefined) {
    say(`Written below ${root}: ${UNIT}, ${service.settings}`);
    return;
  }
  // Of code that is replaced.
  rmSync(CACHE, { recursive: true, force: true });
  run('systemctl', ['daemon-reload']);
  run('systemctl', ['enable', NAME]);
  run('systemctl', ['restart', NAME]);
  await greet(service);
}

function remove(): void {
  if (root === undefined) spawnSync('systemctl', ['disable', '--now', NAME], { stdio: 'inherit' });
  rmSync(below(UNIT), { force: true });
  rmSync(below(CACHE), { recursive: true, force: true });
  if (root === undefined) run('systemctl', ['daemon-reload']);
  say(`The service is gone. Its data in ${values.data} and its settings in ${values.settings} are still there.`);
}

function refuseWithoutSystemd(): void {
  if (process.getuid?.() !== 0) throw new Refusal(`Run this as root: sudo npm run ${action}-service`);
  if (!existsSync('/run/systemd/system')) {
    throw new Refusal(
      'This machine was not started by systemd. docs/install.md has other ways to keep Milepost running.',
    );
  }
}

function makeUser({ user, data }: Service): void {
  if (spawnSync('getent', ['passwd', user]).status === 0) return;
  run('useradd', ['--system', '--user-group', '--home-dir', data, '--shell', '/usr/sbin/nologin', user]);
}

function refuseUnreadable({ user, code, node }: Service): void {
  for (const file of [node, join(code, 'apps/server/src/main.ts')]) {
    if (spawnSync('runuser', ['-u', user, '--', 'test', '-r', file]).status === 0) continue;
    throw new Refusal(
      `The user ${user} can't read ${file}. Move Milepost to a folder that all can read, such as /opt/milepost.`,
    );
  }
}

/** Waits until the service answers, then says where it is and how to sign in. */
async function greet({ data, settings }: Service): Promise<void> {
  const entered = Object.fromEntries(
    readFileSync(settings, 'utf8')
      .split('\n')
      .flatMap(line => (/^\s*[A-Z_]+=/.test(line) ? [line.trim().split(/=(.*)/s).slice(0, 2)] : [])),
  ) as Record<string, string>;
  const url = `http://127.0.0.1:${entered.PORT ?? '8080'}`;
  const untilMs = Date.now() + READY_WITHIN_MS;
  while (
    !(await fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    ))
  ) {
    if (Date.now() > untilMs) throw new Refusal(`Milepost does not answer yet: journalctl -u ${NAME} says why.`);
    await sleep(500);
  }
  say(`Milepost is running: ${entered.PUBLIC_URL ?? url}`);
  const link = join(data, 'owner-link');
  if (existsSync(link))
    say(`Create the owner with this link, which works once:\n  ${readFileSync(link, 'utf8').trim()}`);
  say(`Settings: ${settings} · Log: journalctl -u ${NAME} · Status: systemctl status ${NAME}`);
}

/** Returns whether the file was written. */
function write(path: string, content: string, mode: number, { replace }: { replace: boolean }): boolean {
  const file = below(path);
  if (!replace && existsSync(file)) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
  chmodSync(file, mode);
  return true;
}

function below(path: string): string {
  return root === undefined ? path : join(root, path);
}

function run(program: string, parameters: readonly string[]): SpawnSyncReturns<Buffer> {
  const result = spawnSync(program, parameters, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (result.status !== 0) throw new Refusal(`"${program} ${parameters.join(' ')}" failed (see above).`);
  return result;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
