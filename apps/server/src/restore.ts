import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { BackupError } from './backup/backup-error.ts';
import { readCatalog, spansOf, windowsOf } from './backup/catalog.ts';
import { type BackupKey, parseKey } from './backup/key.ts';
import { type BackupPlace, openStore, placeName } from './backup/place.ts';
import { readConfig, runProgram, typedPlace } from './backup/program.ts';
import { restoreFolder } from './backup/restore.ts';
import { backupFolder, readKey, readSettings } from './backup/settings.ts';
import { openVault } from './backup/vault.ts';
import { readEnvironment } from './config/env.ts';
import { openDatabases } from './db/database.ts';
import { doServersRun } from './db/nodes.ts';
import { createLog } from './lifecycle/log.ts';

/**
 * `npm run restore -- --to TIME [--from PLACE] [--key-file FILE]` puts DATA_DIR back as it was at a moment. `--list`
 * says which moments there are. Never over a running server; what is there is moved aside.
 */
await runProgram(run);

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      from: { type: 'string' },
      'key-file': { type: 'string' },
      endpoint: { type: 'string' },
      region: { type: 'string' },
      list: { type: 'boolean' },
    },
  });
  const { dataDir, databaseUrl, logLevel } = readConfig();
  const { endpoint, from, list, region } = values;
  const place = from ? typedPlace(from, { endpoint, region }) : await placeInUse(dataDir);
  if (!list && values.to === undefined) {
    throw new BackupError(
      'Say to which moment: npm run restore -- --to 2026-11-26T14:30:00Z, or --to latest. --list says which there are.',
    );
  }
  const toMs = values.to === undefined || values.to === 'latest' ? null : momentOf(values.to);
  const key = await theKey(dataDir, values['key-file'], readEnvironment().BACKUP_KEY);
  const vault = await openVault(openStore(place), key);

  if (list) {
    for (const span of spansOf(windowsOf(await readCatalog(vault))))
      console.log(`${iso(span.fromMs)} – ${iso(span.toMs)}`);
    return 0;
  }
  if (databaseUrl !== null) await refuseBesideServers(databaseUrl);
  const log = createLog(logLevel === 'debug' || logLevel === 'trace' ? logLevel : 'error');
  const restored = await restoreFolder({
    ...{ vault, key, backup: place, dataDir, toMs, log },
    withDatabase: databaseUrl === null,
    say: line => console.log(line),
  });
  const settings = join(backupFolder(dataDir), 'settings-then.env');
  const lines = Object.entries(restored.environment).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(settings, lines.join(''), { mode: 0o600 });
  console.log(`Restored ${dataDir} from ${placeName(place)} as it was at ${iso(restored.toMs)}.`);
  if (restored.aside) console.log(`What was there before is in ${restored.aside}. Delete it once you don't need it.`);
  if (databaseUrl !== null)
    console.log('Only files and secrets: restore your PostgreSQL to the same moment with its own tools.');
  console.log(`The settings that the server then had are in ${settings}.`);
  console.log('Start Milepost as usual. Backups are paused until you turn them on again under Settings › System,');
  console.log('so that a copy does not write where the original still does.');
  return 0;
}

/** Several servers share the folder, and none of them has it for itself. A database that is lost, too, has none. */
async function refuseBesideServers(databaseUrl: string): Promise<void> {
  const databases = openDatabases({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  const doRun = await doServersRun(databases.system).catch(() => false);
  await databases.close();
  if (doRun) throw new BackupError('Milepost servers run on this database. Stop all of them, then restore the folder.');
}

async function placeInUse(dataDir: string): Promise<BackupPlace> {
  const settings = await readSettings(dataDir);
  if (!settings) {
    throw new BackupError('Say where the backup is: npm run restore -- --from /mnt/backup/milepost --to …');
  }
  return settings.place;
}

async function theKey(dataDir: string, file: string | undefined, variable: string | undefined): Promise<BackupKey> {
  if (file) {
    const text = await readFile(file, 'utf8').catch((error: Error) => {
      throw new BackupError(`The key file can't be read: ${error.message}`);
    });
    return parseKey(text);
  }
  if (variable) return parseKey(variable);
  const known = await readKey(dataDir);
  if (known) return known;
  if (!process.stdin.isTTY) throw new BackupError('Enter the backup key with --key-file FILE, or in BACKUP_KEY.');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return parseKey(await terminal.question('Backup key: '));
  } finally {
    terminal.close();
  }
}

/** A moment as people type it; without a zone, it is in that of this machine. */
function momentOf(text: string): number {
  const ms = Date.parse(text);
  if (!/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text) || Number.isNaN(ms)) {
    throw new BackupError(`"${text}" is no moment. Write it as 2026-11-26T14:30:00Z.`);
  }
  return ms;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
