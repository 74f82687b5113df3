import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runAptGet } from './apt-get.ts';

const PACKAGE = 'nats-server';

/**
 * For the tests of several nodes, which are skipped where it is missing. Installs it from the system's packages if
 * permissions allow.
 */
export async function findOrInstallNats(): Promise<string | null> {
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (mayInstall && !findNats()) {
    process.stdout.write('Installing nats-server from the system’s packages (first time only)…\n');
    await runAptGet('update', '-q');
    await runAptGet('install', '-q', '-y', '--no-install-recommends', PACKAGE);
  }
  return findNats();
}

const findNats = (): string | null =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
    .map(folder => join(folder, PACKAGE))
    .find(path => existsSync(path)) ?? null;
