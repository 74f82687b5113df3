import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { DatabaseConnection } from '../config/config.ts';
import { type Databases, openDatabases } from '../db/database.ts';

export const TEMPLATE = 'milepost_template';

export interface TestDatabase {
  readonly databases: Databases;
  /** For parts that open their own connections. */
  readonly connection: DatabaseConnection;
  readonly url: string;
  /** Closes the connections and drops the database, whoever else is still connected. */
  close(): Promise<void>;
}

/** A fresh migrated database on the run's PostgreSQL. Call it in `beforeAll`, `close` in `afterAll`. */
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
      await administer(serverUrl, `drop database ${name} with (force)`);
    },
  };
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
