import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { type Binaries, initdbOf } from '../src/db/embedded/binaries.ts';
import { freePort } from '../src/db/embedded/free-port.ts';
import { DATABASE_ENVIRONMENT, runPostmaster } from '../src/db/embedded/postmaster.ts';
import { chooseSystemUser, isRoot } from '../src/db/embedded/system-user.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch.ts';

const DEBIAN = '/usr/lib/postgresql';

/** This machine's own PostgreSQL, if Debian or Ubuntu installed one; else null. */
export function findDebianPostgres(): Binaries | null {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const version = versions.find(each => existsSync(join(DEBIAN, each, 'bin/initdb')));
  return version ? { folder: join(DEBIAN, version), version } : null;
}

/** Runs it on a separate data folder; its superuser needs no password. */
export async function startDebianPostgres(binaries: Binaries): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = makeScratchFolder();
  const cluster = join(folder, 'cluster');
  const user = isRoot() ? chooseSystemUser() : null;
  mkdirSync(cluster, { mode: 0o700 });
  if (user) chownSync(cluster, user.uid, user.gid);
  const made = spawnSync(
    initdbOf(binaries),
    [
      '--pgdata',
      cluster,
      '--username',
      'milepost',
      '--auth',
      'trust',
      '--encoding',
      'UTF8',
      '--locale',
      'C',
      '--no-sync',
    ],
    { ...user, cwd: '/', env: DATABASE_ENVIRONMENT, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);
  const port = await freePort();
  const place = { cluster, folder, binaries, user };
  const postmaster = runPostmaster(place, port, { fsync: 'off' }, pino({ level: 'silent' }));
  const reason = await postmaster.started;
  if (reason !== null) throw new Error(reason);
  return {
    url: `postgresql://milepost@127.0.0.1:${port}/postgres`,
    stop: async () => {
      await postmaster.stop();
      removeScratchFolder(folder);
    },
  };
}
