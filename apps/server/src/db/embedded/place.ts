import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from '../../lifecycle/startup-error.ts';
import { type Binaries, postgresOf } from './binaries.ts';
import { canEnter, canRun, chooseSystemUser, isRoot, type SystemUser } from './system-user.ts';

/** Where an embedded database is stored and which user runs it. */
export interface Place {
  /** PostgreSQL's data directory. */
  readonly cluster: string;
  /** The parent folder: DATA_DIR, or another folder if the database's user can't access DATA_DIR. */
  readonly folder: string;
  readonly binaries: Binaries;
  /** Null: the user who runs the server. */
  readonly user: SystemUser | null;
}

/**
 * If the server runs as root and the database's user can't reach DATA_DIR (as in root's home), the database is below
 * this folder.
 */
const ELSEWHERE = '/var/lib/milepost';
/** The file in DATA_DIR with the database's location, if it is elsewhere. */
const POINTER = 'database.location';

export async function findPlace(dataDir: string, installed: Binaries): Promise<Place> {
  await mkdir(dataDir, { recursive: true });
  const home = await realpath(dataDir);
  const pointer = join(home, POINTER);
  const folder = folderOf(home);
  const cluster = join(folder, 'database');
  if (folder !== home && !existsSync(cluster)) {
    throw new StartupError(
      `The database of ${home} was kept in ${folder} (says ${pointer}), and is not there. Put it back from a backup, or remove ${pointer} to begin with an empty database.`,
    );
  }
  const owner = existsSync(cluster) ? statSync(cluster) : null;

  if (!isRoot()) {
    if (owner && owner.uid !== process.getuid?.()) {
      throw new StartupError(
        `The database in ${cluster} belongs to another user (id ${owner.uid}). Start Milepost as that user or as root, or set DATA_DIR to a folder of yours.`,
      );
    }
    return { cluster, folder, binaries: installed, user: null };
  }

  const user = owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : chooseSystemUser();
  const binaries = canRun(user, postgresOf(installed)) ? installed : await copyBinaries(installed);
  if (canEnter(user, folder)) {
    // Restored from a backup by root, so the database's user could not read it.
    if (owner?.uid === 0) spawnSync('chown', ['-R', `${user.uid}:${user.gid}`, cluster]);
    return { cluster, folder, binaries, user };
  }
  if (owner) {
    throw new StartupError(
      `The database's user (id ${user.uid}) may no longer enter ${folder}. Allow it (chmod o+x on that folder and those above it), then start again.`,
    );
  }
  const elsewhere = await makeFolderElsewhere(home);
  await writeFile(pointer, `${elsewhere}\n`);
  return { cluster: join(elsewhere, 'database'), folder: elsewhere, binaries, user };
}

/** The folder with the database of a data folder. */
export function folderOf(dataDir: string): string {
  const pointer = join(dataDir, POINTER);
  return existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : realpathSync(dataDir);
}

/** Where finished files of the database's journal wait for the backup, if there is one. */
export const spoolOf = ({ folder }: Pick<Place, 'folder'>): string => join(folder, 'database-wal');

async function makeFolderElsewhere(home: string): Promise<string> {
  const folder = join(ELSEWHERE, createHash('sha256').update(home).digest('hex').slice(0, 16));
  // DATA_DIR was deleted to start over: the old data is renamed, neither opened nor deleted.
  if (existsSync(folder)) await rename(folder, `${folder}.left-${Date.now()}`);
  await makeOpenFolder(ELSEWHERE);
  await makeOpenFolder(folder);
  await writeFile(join(folder, 'belongs-to'), `${home}\n`);
  return folder;
}

/** Copied under a temporary name, so that an interrupted copy is never used. */
async function copyBinaries(installed: Binaries): Promise<Binaries> {
  const folder = join(ELSEWHERE, `postgres-${installed.version}`);
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`;
    await makeOpenFolder(ELSEWHERE);
    await cp(installed.folder, unfinished, { recursive: true, verbatimSymlinks: true });
    // The checkout may be readable only by its owner (umask 077).
    spawnSync('chmod', ['-R', 'a+rX', unfinished]);
    await rename(unfinished, folder).catch(async error => {
      await rm(unfinished, { recursive: true, force: true });
      if (!existsSync(folder)) throw error;
    });
  }
  return { folder, version: installed.version };
}

async function makeOpenFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
}
