import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { DatabaseConnection } from '../config/config.ts';
import { claimFolder } from '../lifecycle/claim.ts';
import { StartupError } from '../lifecycle/startup-error.ts';
import { installedBinaries } from './embedded/binaries.ts';
import { freePort } from './embedded/free-port.ts';
import { initialiseDatabase, readPassword } from './embedded/initialise.ts';
import { keepRunning } from './embedded/keep-running.ts';
import { runningPostmaster, stopLeftover } from './embedded/leftover.ts';
import { findPlace, folderOf, type Place } from './embedded/place.ts';
import { type Postmaster, runPostmaster, SUPERUSER } from './embedded/postmaster.ts';
import { BACKUP_ROLE, backupPassword, prepareServerRole, SERVER_ROLE, serverPassword } from './embedded/server-role.ts';

/** Our own PostgreSQL: a child process with its data in DATA_DIR, restarted when it dies. */
export interface EmbeddedDatabase {
  readonly connection: DatabaseConnection;
  readonly url: string;
  /** What is wrong with the database, for `/health`; null if nothing. */
  trouble(): string | null;
  /** Stops cleanly: checkpointed, with nothing to recover at the next start. Close all connections first. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  readonly dataDir: string;
  readonly log: Logger;
  /** PostgreSQL settings, e.g. `{ fsync: 'off' }` for tests that need no durability. */
  readonly settings?: Readonly<Record<string, string>>;
}

const DATABASE = 'milepost';
/** Temporary errors to retry: another program took the port; a killed database's child processes are still ending. */
const PASSING = /could not bind|could not create any TCP\/IP sockets|pre-existing shared memory block/;
const PASSING_FOR_MS = 15_000;

export async function startEmbedded({ dataDir, log, settings = {} }: EmbeddedOptions): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') {
    throw new StartupError(
      'The embedded database runs on Linux and macOS. Set DATABASE_URL to a PostgreSQL 15 or newer.',
    );
  }
  const place = await findPlace(dataDir, installedBinaries());
  const claim = await claimFolder(place.folder);
  try {
    const password = await initialiseDatabase(place, realpathSync(dataDir));
    if (await stopLeftover(place.cluster)) log.warn('Stopped a database that was left running by an earlier start');
    const { postmaster, port } = await startOnFreePort(place, settings, log);
    const connection = asServer(port, password);
    await prepare(port, password).catch(async error => {
      await postmaster.stop();
      throw error;
    });
    const kept = keepRunning(postmaster, () => runPostmaster(place, port, settings, log), log);
    return {
      connection,
      url: `postgresql://${connection.user}:${connection.password}@127.0.0.1:${port}/${DATABASE}`,
      trouble: kept.trouble,
      stop: async () => {
        await kept.stop();
        await claim.release();
      },
    };
  } catch (error) {
    await claim.release();
    throw error;
  }
}

/** How to connect to the database of the Milepost running on this folder; null if none is running. */
export async function connectionToRunning(dataDir: string): Promise<DatabaseConnection | null> {
  const running = runningPostmaster(join(folderOf(dataDir), 'database'));
  const password = await readPassword(dataDir);
  if (!running || password === null) return null;
  return asServer(running.port, password);
}

/** The same as superuser, for tests and benches that measure the database itself; the server does not use it. */
export async function administratorOfRunning(dataDir: string): Promise<DatabaseConnection | null> {
  const running = runningPostmaster(join(folderOf(dataDir), 'database'));
  const password = await readPassword(dataDir);
  return running && password !== null ? asSuperuser(running.port, password) : null;
}

/** The same as the role that copies the database's files. */
export async function backupConnection(dataDir: string): Promise<DatabaseConnection | null> {
  const running = runningPostmaster(join(folderOf(dataDir), 'database'));
  const password = await readPassword(dataDir);
  if (!running || password === null) return null;
  return { ...at(running.port), database: 'postgres', user: BACKUP_ROLE, password: backupPassword(password) };
}

const at = (port: number) => ({ host: '127.0.0.1', port, database: DATABASE });
/** As the server itself connects. */
export const asServer = (port: number, password: string) => ({
  ...at(port),
  user: SERVER_ROLE,
  password: serverPassword(password),
});
const asSuperuser = (port: number, password: string) => ({ ...at(port), user: SUPERUSER, password });

async function startOnFreePort(
  place: Place,
  settings: Readonly<Record<string, string>>,
  log: Logger,
): Promise<{ postmaster: Postmaster; port: number }> {
  for (const until = Date.now() + PASSING_FOR_MS; ; await sleep(200)) {
    const port = await freePort();
    const postmaster = runPostmaster(place, port, settings, log);
    const reason = await postmaster.started;
    if (reason === null) return { postmaster, port };
    if (PASSING.test(reason) && Date.now() < until) continue;
    throw new StartupError(
      `The database in ${place.cluster} does not start: ${reason}. Put it back from a backup, or move it away to begin with an empty database. LOG_LEVEL=debug shows all that it says.`,
    );
  }
}

async function prepare(port: number, password: string): Promise<void> {
  try {
    await prepareServerRole(asSuperuser(port, password), password, DATABASE);
  } catch (error) {
    if ((error as { code?: string }).code !== '28P01') throw error;
    throw new StartupError(
      'The password in DATA_DIR does not match the database in it. Restore both from the same backup.',
    );
  }
}
