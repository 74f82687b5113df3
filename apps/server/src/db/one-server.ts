import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import type { Logger } from 'pino';
import type { DatabaseConnection } from '../config/config.ts';
import { StartupError } from '../lifecycle/startup-error.ts';

/** A claim to be the only server of a database, or one of several. */
export interface DatabaseClaim {
  /** Of several: keeps all others off until `share`; false if others are there. */
  takeAlone(): Promise<boolean>;
  share(): Promise<void>;
  release(): Promise<void>;
}

export interface ClaimOptions {
  readonly log: Logger;
  /** Called when another server claimed the database while the connection was lost: this one must stop. */
  readonly onTaken: () => void;
  /** Servers that share a bus may share the database. */
  readonly isShared?: boolean;
  /** How long to wait for a server that is stopping or was disconnected. */
  readonly waitMs?: number;
}

/** The advisory lock that a database's servers hold for as long as their sessions last. */
export const SERVER_LOCK = 0x6d_69_6c_67;
const WAIT_MS = 20_000;
const TRY_EVERY_MS = 500;

/**
 * Claims a database for this server, or for it and others that share a bus. A server on its own keeps vehicles, sessions
 * and commands in memory, so with two of these both would act on outdated data; it holds the lock alone. Servers that
 * share a bus share the lock, too, so neither kind starts beside the other. A separate connection holds the lock;
 * PostgreSQL releases it as soon as that connection ends for any reason. If only the connection is lost, the lock is
 * taken again.
 */
export async function claimDatabase(
  connection: DatabaseConnection,
  { log, onTaken, isShared = false, waitMs = WAIT_MS }: ClaimOptions,
): Promise<DatabaseClaim> {
  let isReleased = false;
  let client: Client | null = null;
  let isAlone = false;
  const take = isShared ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';

  /** False if another server holds it. */
  const claim = async (): Promise<boolean> => {
    const next = new Client({ ...connection, application_name: 'milepost server', keepAlive: true });
    // The failing query reports the error.
    next.on('error', () => {});
    try {
      await next.connect();
      if (!(await tryLock(next, take)) || isReleased) {
        await next.end();
        return isReleased;
      }
    } catch (error) {
      await next.end().catch(() => {});
      throw error;
    }
    client = next;
    next.once('end', () => {
      if (!isReleased) void claimAgain();
    });
    return true;
  };

  const claimAgain = async (): Promise<void> => {
    log.warn('The connection that keeps other servers off this database was lost; connecting again');
    while (!isReleased) {
      try {
        if (await claim()) return;
        log.fatal('Another Milepost server took over this database; this one stops');
        return onTaken();
      } catch {
        await sleep(TRY_EVERY_MS, undefined, { ref: false });
      }
    }
  };

  for (const until = Date.now() + waitMs; !(await claim()); await sleep(TRY_EVERY_MS)) {
    if (Date.now() >= until) {
      throw new StartupError(
        'Another Milepost server is running on this database. Stop it first, or set NATS_URL on all of them so that they share it.',
      );
    }
  }
  return {
    // A session may hold the lock both ways at once.
    takeAlone: async () => {
      isAlone = client !== null && (await tryLock(client, 'pg_try_advisory_lock'));
      return isAlone;
    },
    share: async () => {
      if (isAlone) await client?.query('select pg_advisory_unlock($1)', [SERVER_LOCK]);
      isAlone = false;
    },
    release: async () => {
      isReleased = true;
      await client?.end().catch(() => {});
    },
  };
}

async function tryLock(client: Client, how: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`select ${how}($1) as taken`, [SERVER_LOCK]);
  return rows[0]?.taken === true;
}
