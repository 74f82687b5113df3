import { Client } from 'pg';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import type { DatabaseConnection } from '../config/config.ts';
import { openDatabases } from '../db/database.ts';
import { SERVER_ROLE } from '../db/embedded/server-role.ts';
import { administratorOfRunning, startEmbedded } from '../db/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { TEMPLATE } from './database.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A connection string to the run's database server, as the server has it, which here may make databases. */
    databaseUrl: string;
  }
}

/** Boots one embedded database for the whole run, with a migrated template that each test file gets a copy of. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = makeScratchFolder();
  const embedded = await startEmbedded({
    dataDir,
    log: pino({ level: 'silent' }),
    // Its data lives as long as the run. Tests about durability start a database of their own.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
  });
  const stop = async () => {
    await embedded.stop();
    removeScratchFolder(dataDir);
  };
  try {
    const administrator = new Client((await administratorOfRunning(dataDir)) ?? embedded.connection);
    await administrator.connect();
    await administrator.query(`alter role ${SERVER_ROLE} createdb`);
    await administrator.end();
    await makeTemplate(embedded.connection);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('databaseUrl', embedded.url);
  return stop;
}

async function makeTemplate(connection: DatabaseConnection): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const template = openDatabases({ ...connection, database: TEMPLATE });
  await migrate(template.pool);
  await template.close();
}
