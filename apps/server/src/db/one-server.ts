import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { DatabaseConnection } from '../config/config.ts';
import { StartupError } from '../lifecycle/startup-error.ts';

/** The right to be the server of a database; one process has it at a time. */
export interface DatabaseClaim {
  release(): Promise<void>;
}

export interface ClaimOptions {
  readonly log: Logger;
  /** Another server became this database's while the connection was lost: this one must stop. */
  readonly onTaken: () => void;
  /** How long a server that is stopping, or was cut off, is waited for. */
  readonly waitMs?: number;
}

/** The advisory lock that the server of a database holds for as long as its session lasts. */
export const SERVER_LOCK = 0x6d_69_6c_67;
const WAIT_MS = 20_000;
const TRY_EVERY_MS = 500;

/**
 * Claims a database for this server: what it knows of vehicles, sessions and commands it keeps in memory, so a second
 * server would say and do what is no longer true. A connection of its own holds the lock; PostgreSQL frees it as soon as
 * that ends, however it ends. When only the connection is lost, the lock is taken again.
 */
export async function claimDatabase(
  connection: DatabaseConnection,
  { log, onTaken, waitMs = WAIT_MS }: ClaimOptions,
): Promise<DatabaseClaim> {
  let isReleased = false;
  let client: Client | null = null;

  /** False when another server holds it. */
  const take = async (): Promise<boolean> => {
    const next = new Client({ ...connection, application_name: 'milepost server', keepAlive: true });
    // Reported by what it breaks.
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
