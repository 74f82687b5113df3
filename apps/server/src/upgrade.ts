import { existsSync } from 'node:fs';
import { readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig, runProgram } from './backup/program.ts';
import { readSettings, readState } from './backup/settings.ts';
import { openDatabases } from './db/database.ts';
import { connectionToRunning } from './db/embedded.ts';
import { readMigrations } from './db/migrate.ts';
import { doServersRun } from './db/nodes.ts';
import { openDatabaseServer } from './db/open.ts';
import { FolderInUse } from './lifecycle/claim.ts';
import { createLog } from './lifecycle/log.ts';
import { StartupError } from './lifecycle/startup-error.ts';

/**
 * `npm run upgrade -- --check`: what starting this version would do to the data, and whether there is a way back.
 * Changes nothing. Exit status 0: go on; 1: cure what it says first.
 */
const LEAST_FREE_BYTES = 1024 ** 3;
const OLD_BACKUP_MS = 24 * 3_600_000;

await runProgram(async () => ((await check()) ? 0 : 1));

async function check(): Promise<boolean> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
  if (!values.check) {
    throw new StartupError(
      'This only looks: npm run upgrade -- --check. To upgrade, get the new code and start it as usual (docs/install.md).',
    );
  }
  const config = readConfig();
  const { dataDir, databaseUrl, version } = config;
  console.log(`Milepost ${version} on Node ${process.versions.node}, data in ${dataDir}.`);
  if (databaseUrl === null && !existsSync(dataDir)) {
    console.log('There is no data yet: nothing to upgrade.');
    return true;
  }
  const log = createLog('error');
  const server = await openDatabaseServer(config, log).catch(async error => {
    const running = error instanceof FolderInUse ? await connectionToRunning(dataDir) : null;
    if (!running) throw error;
    return { connection: running, stop: async () => {} };
  });
  const databases = openDatabases(server.connection);
  const troubles: string[] = [];
  try {
    const { applied, missing, newer, notAdditive, canGoBack } = await readMigrations(databases.pool);
    console.log(`The data was last changed by ${applied.at(-1) ?? 'no migration'} (${applied.length} migrations).`);
    if (newer.some(name => notAdditive.includes(name))) {
      troubles.push(`The data is of a newer Milepost (${newer.join(', ')}). Start that version, or restore a backup.`);
    } else if (newer.length > 0) {
      console.log(`The data is of a newer Milepost, which only added to it (${newer.join(', ')}): this one can start.`);
    } else if (missing.length === 0)
      console.log('No migration would run: you can go back by starting the old version.');
    else {
      console.log(`Migrations that would run: ${missing.join(', ')}.`);
      if (await doServersRun(databases.system)) {
        const changes = missing.some(name => notAdditive.includes(name));
        console.log(
          changes
            ? 'Servers run on the database that can’t work with it afterward: stop all of them before this version starts.'
            : 'Servers run on the database, and can go on: replace them one after the other.',
        );
      }
      if (canGoBack) console.log('They only add to the data: you can go back by starting the old version.');
      else troubles.push(...(await wayBack(dataDir, databaseUrl)));
    }
  } finally {
    await databases.close();
    await server.stop();
  }
  const { bavail, bsize } = await statfs(dataDir);
  console.log(`${(bavail * bsize * 1e-9).toFixed(1)} GB are free on the disk of the data folder.`);
  if (bavail * bsize < LEAST_FREE_BYTES) troubles.push('Free at least 1 GB on the disk of the data folder first.');
  for (const trouble of troubles) console.log(`• ${trouble}`);
  console.log(troubles.length === 0 ? 'Ready to upgrade.' : 'Not ready to upgrade.');
  return troubles.length === 0;
}

/** Migrations only go forward, so the way back is a backup from before. */
async function wayBack(dataDir: string, databaseUrl: string | null): Promise<string[]> {
  if (databaseUrl !== null) {
    console.log('The way back is a backup of your own PostgreSQL: make one now.');
    return [];
  }
  const [settings, state] = [await readSettings(dataDir), await readState(dataDir)];
  if (!settings || !state.last) {
    return ['There is no backup, so there is no way back. Make one: npm run backup -- --to FOLDER (docs/backup.md).'];
  }
  const ageMs = Date.now() - state.last.atMs;
  const last = new Date(state.last.atMs).toISOString();
  if (state.failures.copy) return [`The last backup failed: ${state.failures.copy.message}`];
  if (ageMs > OLD_BACKUP_MS) return [`The last backup is of ${last}. Make a new one: npm run backup`];
  const tried = state.verified ? `restored on trial ${new Date(state.verified.atMs).toISOString()}` : 'never tried';
  console.log(`The way back: the backup of ${last} (${tried}), with npm run restore.`);
  const left = (await readdir(dataDir)).filter(name => name.startsWith('before-restore-'));
  if (left.length > 0) console.log(`Still there from a restore: ${left.map(name => join(dataDir, name)).join(', ')}.`);
  return [];
}
