import { mkdir } from 'node:fs/promises';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { Config, DatabaseConnection } from '../config/config.ts';
import { claimFolder } from '../lifecycle/claim.ts';
import { StartupError } from '../lifecycle/startup-error.ts';
import { startEmbedded } from './embedded.ts';

/** The database server that Milepost uses, ready for connections. */
export interface DatabaseServer {
  readonly connection: DatabaseConnection;
  /** Trouble that a query could not report; null if there is none or it is unknown. */
  trouble(): string | null;
  stop(): Promise<void>;
}

const OLDEST = 15;
const CONNECT_TIMEOUT_MS = 10_000;

export async function openDatabaseServer(
  config: Pick<Config, 'databaseUrl' | 'dataDir'> & Partial<Pick<Config, 'natsUrl'>>,
  log: Logger,
): Promise<DatabaseServer> {
  try {
    return await (config.databaseUrl === null
      ? startEmbedded({ dataDir: config.dataDir, log })
      : openExternal(config.databaseUrl, config.dataDir, log, Boolean(config.natsUrl)));
  } catch (error) {
    throw folderFailure(error, config.dataDir) ?? error;
  }
}

async function openExternal(url: string, dataDir: string, log: Logger, isShared: boolean): Promise<DatabaseServer> {
  await mkdir(dataDir, { recursive: true });
  // Several servers share the folder: `claimSharedFolder` checks that it is theirs.
  const claim = isShared ? null : await claimFolder(dataDir);
  const connection = { connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
  try {
    const { isSuperuser } = await checkExternal(connection);
    if (isSuperuser) {
      log.warn('The user of DATABASE_URL is a superuser. Milepost only needs a user that owns the database');
    }
  } catch (error) {
    await claim?.release();
    throw error;
  }
  return { connection, trouble: () => null, stop: async () => claim?.release() };
}

async function checkExternal(connection: DatabaseConnection): Promise<{ readonly isSuperuser: boolean }> {
  const client = new Client(connection);
  // The failing query reports the error.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ version: number; superuser: boolean }>(
      `select current_setting('server_version_num')::integer / 10000 as version,
        (select rolsuper from pg_roles where rolname = current_user) as superuser`,
    );
    const version = rows[0]?.version ?? 0;
    if (version < OLDEST) {
      throw new StartupError(
        `The database of DATABASE_URL is PostgreSQL ${version}. Milepost needs ${OLDEST} or newer.`,
      );
    }
    return { isSuperuser: rows[0]?.superuser ?? false };
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `The database of DATABASE_URL can’t be reached: ${reasonOf(error)}. Check the address, the user and the password, or unset DATABASE_URL to use the embedded database.`,
    );
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * If a host name has several addresses, a refused connection is an AggregateError without a message; its inner errors
 * have messages.
 */
function reasonOf(error: unknown): string {
  const causes = error instanceof AggregateError ? error.errors : [error];
  return causes.map(cause => (cause instanceof Error ? cause.message : String(cause))).join('; ');
}

const FOLDER_FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'is not writable by this user',
  EPERM: 'is not writable by this user',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'is on a full disk',
  ENOTDIR: 'is not a folder, or is below a file',
  EEXIST: 'is not a folder',
};

/** The error for a data folder that can't be used; null for other failures. */
function folderFailure(error: unknown, dataDir: string): StartupError | null {
  const { code = '', path } = error as { code?: string; path?: string };
  const what = path === undefined ? undefined : FOLDER_FAILURES[code];
  return what
    ? new StartupError(`The data folder ${dataDir} ${what} (${path}). Cure that, or set DATA_DIR to another folder.`)
    : null;
}
