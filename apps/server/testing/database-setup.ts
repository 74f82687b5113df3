import { join } from 'node:path';
import { Client } from 'pg';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import type { DatabaseConnection } from '../src/config/config.ts';
import { openDatabases } from '../src/db/database.ts';
import { folderOf } from '../src/db/embedded/place.ts';
import { SERVER_ROLE } from '../src/db/embedded/server-role.ts';
import { administratorOfRunning, startEmbedded } from '../src/db/embedded.ts';
import { migrate } from '../src/db/migrate.ts';
import { prepareJobs } from '../src/jobs/jobs.ts';
import { TEMPLATE } from './database.ts';
import { makeMemoryFolder } from './memory-folder.ts';
import { removeScratchFolder } from './scratch.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * A connection string to the run's database server, as the role the server uses, which may create databases here.
     */
    databaseUrl: string;
  }
}

/** Starts one embedded database for the whole run, with a migrated template that is copied for each test file. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = makeMemoryFolder();
  // The cluster's own folder, which its user may write to.
  const sockets = join(folderOf(dataDir), 'database');
  const embedded = await startEmbedded({
    dataDir,
    log: pino({ level: 'silent' }),
    // Its data is only needed during the run. Tests of durability start their own database.
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
      // A connection hashes its password 4,096 times otherwise, at both ends.
      scram_iterations: '1',
      // Without a journal for others, less is written to it.
      ...{ wal_level: 'minimal', max_wal_senders: '0', archive_mode: 'off' },
      // A question and its answer cost a quarter less than over TCP.
      unix_socket_directories: sockets,
    },
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
  const url = new URL(embedded.url);
  url.searchParams.set('host', sockets);
  project.provide('databaseUrl', url.href);
  return stop;
}

async function makeTemplate(connection: DatabaseConnection): Promise<void> {
  const client = new Client(connection);
  await client.connect();
  await client.query(`create database ${TEMPLATE}`);
  await client.end();
  const template = openDatabases({ ...connection, database: TEMPLATE });
  await migrate(template.pool);
  await prepareJobs(template);
  await template.close();
}
