import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { DatabaseConnection } from '../config/config.ts';
import { StartupError } from '../lifecycle/startup-error.ts';

/** A claim to be the only server of a database. */
export interface DatabaseClaim {
  release(): Promise<void>;
}

export interface ClaimOptions {
  readonly log: Logger;
  /** Called when another server claimed the database while the connection was lost: this one must stop. */
  readonly onTaken: () => void;
  /** How long to wait for a server that is stopping or was disconnected. */
  readonly waitMs?: number;
}

/** The advisory lock that a database's server holds for as long as its session lasts. */
export const SERVER_LOCK = 0x6d_69_6c_67;
const WAIT_MS = 20_000;
const TRY_EVERY_MS = 500;

/**
 * Claims a database for this server. A server keeps vehicles, sessions and commands in memory, so with two servers
 * both would act on outdated data. A separate connection holds the lock; PostgreSQL releases it as soon as that
 * connection ends for any reason. If only the connection is lost, the lock is taken again.
 */
export async function claimDatabase(
  connection: DatabaseConnection,
  { log, onTaken, waitMs = WAIT_MS }: ClaimOptions,
): Promise<DatabaseClaim> {
  let isReleased = false;
  let client: Client | null = null;

  /** False if another server holds it. */
  const take = async (): Promise<boolean> => {
    const next = new Client({ ...connection, application_name: 'milepost server', keepAlive: true });
    // The failing query reports the error.
    next.on('error', () => {});
    try {
      await next.connect();
      const { rows } = await next.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [SERVER_LOCK]);
      if (!rows[0]?.taken || isReleased) {
        await next.end();
        return isReleased;
      }
    } catch (error) {
      await next.end().catch(() => {});
      throw error;
    }
    client = next;
    next.once('end', () => {
      if (!isReleased) void takeAgain();
    });
    return true;
  };

  const takeAgain = async (): Promise<void> => {
    log.warn('The connection that keeps other servers off this database was lost; connecting again');
    while (!isReleased) {
      try {
        if (await take()) return;
        log.fatal('Another Milepost server took over this database; this one stops');
        return onTaken();
      } catch {
        await sleep(TRY_EVERY_MS, undefined, { ref: false });
      }
    }
  };

  for (const until = Date.now() + waitMs; !(await take()); await sleep(TRY_EVERY_MS)) {
    if (Date.now() >= until) {
      throw new StartupError(
        'Another Milepost server is running on this database. Stop it first: one database has one server.',
      );
    }
  }
  return {
    release: async () => {
      isReleased = true;
      await client?.end().catch(() => {});
    },
  };
}
