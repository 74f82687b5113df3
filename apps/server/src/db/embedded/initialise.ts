import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../lifecycle/startup-error.ts';
import { initdbOf } from './binaries.ts';
import type { Place } from './place.ts';
import { DATABASE_ENVIRONMENT, SUPERUSER } from './postmaster.ts';

/**
 * Creates the database if there is none, and returns its password. The password is stored in DATA_DIR, readable only
 * by its owner.
 */
export async function initialiseDatabase(place: Place, dataDir: string): Promise<string> {
  const passwordFile = passwordFileOf(dataDir);
  if (existsSync(place.cluster)) {
    await refuseForeignFiles(place);
    const password = await readPassword(dataDir);
    if (password === null) {
      throw new StartupError(
        `The password of the database in ${place.cluster} is missing: put ${passwordFile} back from a backup, or move ${place.cluster} away to begin with an empty database.`,
      );
    }
    return password;
  }
  const password = randomBytes(24).toString('base64url');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  await chmod(passwordFile, 0o600);
  await makeCluster(place, password);
  return password;
}

const passwordFileOf = (dataDir: string): string => join(dataDir, 'database.password');

export async function readPassword(dataDir: string): Promise<string | null> {
  const text = await readFile(passwordFileOf(dataDir), 'utf8').catch(() => null);
  return text?.trim() ?? null;
}

async function refuseForeignFiles(place: Place): Promise<void> {
  const version = await readFile(join(place.cluster, 'PG_VERSION'), 'utf8').catch(() => null);
  const ours = place.binaries.version.split('.')[0];
  if (version === null) {
    throw new StartupError(
      `The folder ${place.cluster} is not a whole database (PG_VERSION is missing). Put it back from a backup, or move it away to begin with an empty database.`,
    );
  }
  if (version.trim() !== ours) {
    throw new StartupError(
      `The database in ${place.cluster} was made by PostgreSQL ${version.trim()}, and this Milepost brings ${ours}. Start the version that made it, or set DATABASE_URL.`,
    );
  }
}

/** Created under a temporary name, so that an interrupted first start leaves nothing that looks like a database. */
async function makeCluster(place: Place, password: string): Promise<void> {
  const unfinished = `${place.cluster}.unfinished`;
  const passwordFile = join(unfinished, 'password');
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(join(unfinished, 'cluster'), { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  for (const name of ['', ...(await readdir(unfinished))]) {
    if (place.user) await chown(join(unfinished, name), place.user.uid, place.user.gid);
  }
  const { code, output } = await run(initdbOf(place.binaries), place, [
    `--pgdata=${join(unfinished, 'cluster')}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--data-checksums',
  ]);
  if (code !== 0) {
    throw new StartupError(
      `The database could not be made in ${place.cluster}: ${output.trim().split('\n').at(-1) || 'its program does not run here'}. Cure that, or set DATABASE_URL.`,
    );
  }
  await rename(join(unfinished, 'cluster'), place.cluster);
  await rm(unfinished, { recursive: true, force: true });
}

function run(program: string, place: Place, flags: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise(resolve => {
    let output = '';
    const child = spawn(program, flags, {
      ...place.user,
      // In its own process session, so that Ctrl-C for the server does not leave half a database.
      detached: true,
      env: DATABASE_ENVIRONMENT,
      cwd: '/',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.on('error', error => resolve({ code: null, output: error.message }));
    child.on('close', code => resolve({ code, output }));
  });
}
