import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, type PoolConfig, TypeOverrides } from 'pg';
import type { Database } from './schema.ts';

/** Inside a transaction that can see and change one account's rows and no other's; it begins no other. */
export type AccountTransaction = Omit<Kysely<Database>, 'transaction' | 'startTransaction' | 'connection' | 'destroy'>;

/**
 * The two doors to the database. `system` sees every account: ingest, sign-in and start-up only. Everything that serves
 * a request goes through `asAccount`, where row-level security stands behind the queries (invariant I2).
 */
export interface Databases {
  readonly system: Kysely<Database>;
  /** The pool behind `system`, for the hot path. */
  readonly pool: Pool;
  asAccount<T>(accountId: number, work: (trx: AccountTransaction) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** One round trip: without parameters, PostgreSQL takes several statements at once. */
function enterAccount(accountId: number): string {
  if (!Number.isInteger(accountId)) throw new TypeError('An account id is an integer');
  return `begin; set local role milepost_account; set local milepost.account_id = '${accountId}'`;
}

const DATE = 1082;
const types = new TypeOverrides();
// A date has no zone: as a moment it would be another day somewhere.
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
          // Where the connection itself is broken there is nothing left to roll back, and the first error says more.
          await sql`rollback`.execute(connection).catch(() => {});
          throw error;
        }
      }),
    close: async () => {
      await system.destroy();
      // Kysely ends only a pool that it has used itself.
      if (!pool.ended) await pool.end();
    },
  };
}
