import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, type PoolConfig, TypeOverrides } from 'pg';
import type { Database } from './schema.ts';

/** A transaction that can see and change only one account's rows. It can't start another transaction. */
export type AccountTransaction = Omit<Kysely<Database>, 'transaction' | 'startTransaction' | 'connection' | 'destroy'>;

/**
 * The two ways to access the database. `system` sees every account and is only for ingest, sign-in and startup.
 * Requests go through `asAccount`, where row-level security backs up the queries' own account filters (invariant I2).
 */
export interface Databases {
  readonly system: Kysely<Database>;
  /** The pool behind `system`, for the hot path. */
  readonly pool: Pool;
  asAccount<T>(accountId: number, work: (trx: AccountTransaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** One round trip: without parameters, PostgreSQL accepts several statements at a time. */
function enterAccount(accountId: number): string {
  if (!Number.isInteger(accountId)) throw new TypeError('An account id is an integer');
  return `begin; set local role milepost_account; set local milepost.account_id = '${accountId}'`;
}

const DATE = 1082;
const types = new TypeOverrides();
// A date has no time zone: converted to a timestamp, it would be another day in some zones.
types.setTypeParser(DATE, text => text);

export function openDatabases(connection: PoolConfig): Databases {
  const pool = new Pool({ ...connection, types, max: 12, application_name: 'milepost' });
  // An idle connection that breaks is replaced by the next query, which reports its own error.
  pool.on('error', () => {});
  // A connection that breaks while in use fails its query; an unhandled `error` event would end the process too.
  pool.on('connect', client => client.on('error', () => {}));
  const system = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });

  return {
    system,
    pool,
    asAccount: (accountId, work) =>
      system.connection().execute(async connection => {
        try {
          await sql.raw(enterAccount(accountId)).execute(connection);
          const result = await work(connection);
          await sql`commit`.execute(connection);
          return result;
        } catch (error) {
          // If the connection is broken, there is nothing to roll back, and the first error is more useful.
          await sql`rollback`.execute(connection).catch(() => {});
          throw error;
        }
      }),
    close: async () => {
      await system.destroy();
      // Kysely only ends a pool that it has used.
      if (!pool.ended) await pool.end();
    },
  };
}
