import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { DatabaseConnection } from '../src/config/config.ts';
import { type Databases, openDatabases } from '../src/db/database.ts';

export const TEMPLATE = 'milepost_template';

export interface TestDatabase {
  readonly databases: Databases;
  /** For code that opens its own connections. */
  readonly connection: DatabaseConnection;
  readonly url: string;
  /** Closes the connections and drops the database, even if others are connected. */
  close(): Promise<void>;
}

/** A new migrated database on the run's PostgreSQL. Call it in `beforeAll`, and `close` in `afterAll`. */
export async function testDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('databaseUrl');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(serverUrl, `create database ${name} template ${TEMPLATE} strategy file_copy`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const connection = { connectionString: url.href };
  const databases = openDatabases(connection);
  return {
    databases,
    connection,
    url: url.href,
    close: async () => {
      await databases.close();
      await drop(serverUrl, name);
    },
  };
}

/**
 * Dropping fails while an autovacuum worker is in the database, which only a superuser can end; the worker is soon
 * done.
 */
async function drop(url: string, name: string): Promise<void> {
  for (;;) {
    try {
      return await administer(url, `drop database ${name} with (force)`);
    } catch (error) {
      if ((error as { readonly code?: string }).code !== '42501') throw error;
      await sleep(100);
    }
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
