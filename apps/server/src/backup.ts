import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createBackupAgent } from './backup/agent.ts';
import { BackupError } from './backup/backup-error.ts';
import { readCatalog, spansOf, windowsOf } from './backup/catalog.ts';
import { keyText, makeKey } from './backup/key.ts';
import { openStore, placeName } from './backup/place.ts';
import { readConfig, runProgram, typedPlace } from './backup/program.ts';
import {
  type Asked,
  ask,
  type BackupState,
  DEFAULTS,
  readKey,
  readSettings,
  readState,
  writeKey,
  writeSettings,
} from './backup/settings.ts';
import { openVault } from './backup/vault.ts';
import type { Config } from './config/config.ts';
import { openDatabases } from './db/database.ts';
import { doServersRun } from './db/nodes.ts';
import { openDatabaseServer } from './db/open.ts';
import { FolderInUse } from './lifecycle/claim.ts';
import { createLog } from './lifecycle/log.ts';

/**
 * `npm run backup`: backs up now. `--verify` does a test restore of the newest backup, `--list` says which times it reaches,
 * `--to` sets up where it is kept. Beside a running server, that server does the work.
 */
await runProgram(run);

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      verify: { type: 'boolean' },
      list: { type: 'boolean' },
      to: { type: 'string' },
      endpoint: { type: 'string' },
      region: { type: 'string' },
      every: { type: 'string' },
      keep: { type: 'string' },
      maps: { type: 'boolean' },
    },
  });
  const config = readConfig();
  const { dataDir } = config;
  if (values.to !== undefined) await setUp(config, { ...values, to: values.to });
  const settings = await readSettings(dataDir);
  if (!settings) {
    throw new BackupError(
      'No backup is set up. Say where to keep it: npm run backup -- --to /mnt/backup/milepost (or in the browser: Settings › System).',
    );
  }
  if (values.list) {
    await list(config);
    return 0;
  }
  if (settings.pausedSince !== null) {
    throw new BackupError(
      'Backups are paused since this data was restored. To go on with this installation, set the place again: npm run backup -- --to PLACE',
    );
  }
  const what: Asked = values.verify ? 'verify' : 'copy';
  const state = await atWork(config, what);
  if (what === 'verify') {
    const { rows = 0, tables = 0, tookMs = 0, throughMs = 0 } = state.verified ?? {};
    console.log(`Test restore as of ${at(throughMs)}: ${tables} tables with ${rows} rows, in ${seconds(tookMs)} s.`);
  } else {
    const { bytes = 0, tookMs = 0, writtenBytes = 0 } = state.last ?? {};
    console.log(
      `Backed up ${megabytes(bytes)} MB to ${placeName(settings.place)} in ${seconds(tookMs)} s; ${megabytes(writtenBytes)} MB were new.`,
    );
  }
  return 0;
}

interface SetUp {
  readonly to: string;
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly every?: string | undefined;
  readonly keep?: string | undefined;
  readonly maps?: boolean | undefined;
}

async function setUp({ dataDir }: Config, { to, endpoint, region, every, keep, maps }: SetUp): Promise<void> {
  const place = typedPlace(to, { endpoint, region });
  const known = await readKey(dataDir);
  const key = known ?? makeKey();
  await openVault(openStore(place), key, { create: true });
  const before = (await readSettings(dataDir)) ?? DEFAULTS;
  await writeKey(dataDir, key);
  await writeSettings(dataDir, {
    ...before,
    place,
    everyHours: number('--every', every, 1, 168) ?? before.everyHours,
    keepDays: number('--keep', keep, 1, 3650) ?? before.keepDays,
    withMaps: maps ?? before.withMaps,
    pausedSince: null,
  });
  if (known) return;
  console.log(`Your backup key, shown once:\n\n  ${keyText(key)}\n`);
  console.log('Write it down, away from this machine. Without it nobody can read the backup, not even we.');
}

function number(name: string, text: string | undefined, least: number, most: number): number | null {
  if (text === undefined) return null;
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new BackupError(`${name} must be a whole number from ${least} to ${most}.`);
}

async function list({ dataDir, databaseUrl }: Config): Promise<void> {
  const [settings, key] = [await readSettings(dataDir), await readKey(dataDir)];
  if (!settings || !key) throw new BackupError('The backup key is gone (DATA_DIR/backup/key).');
  const catalog = await readCatalog(await openVault(openStore(settings.place), key));
  const spans =
    databaseUrl === null
      ? spansOf(windowsOf(catalog))
      : catalog.files.map(({ atMs }) => ({ fromMs: atMs, toMs: atMs }));
  if (spans.length === 0) console.log('The backup is empty so far.');
  for (const { fromMs, toMs } of spans) console.log(`${at(fromMs)} – ${at(toMs)}`);
  console.log(`${catalog.bases.length} copies of the database, ${megabytes(catalog.bytes)} MB in all.`);
}

/** In the running server, or here if none is running. Returns the state after it. */
async function atWork(config: Config, what: Asked): Promise<BackupState> {
  const log = createLog('error');
  const server = await openDatabaseServer(config, log).catch((error: unknown) => {
    if (error instanceof FolderInUse) return null;
    throw error;
  });
  if (!server) return inServer(config, what);
  const databases = openDatabases(server.connection);
  if (await doServersRun(databases.system)) {
    await databases.close();
    await server.stop();
    return inServer(config, what);
  }
  const agent = createBackupAgent({
    ...{ config, pool: databases.pool, log },
    pace: { lookEveryMs: 1000, journalEveryMs: 60_000, isGentle: false },
  });
  try {
    await agent.runNow(what);
    return await readState(config.dataDir);
  } finally {
    await agent.stop();
    await databases.close();
    await server.stop();
  }
}

async function inServer({ dataDir }: Config, what: Asked): Promise<BackupState> {
  const done = ({ last, verified }: BackupState) => (what === 'copy' ? last : verified)?.atMs ?? 0;
  const before = await readState(dataDir);
  await ask(dataDir, what);
  console.log('The running server does it…');
  for (;;) {
    await sleep(1000);
    const now = await readState(dataDir);
    const failure = now.failures[what];
    if (failure && failure.atMs > (before.failures[what]?.atMs ?? 0)) throw new BackupError(failure.message);
    if (done(now) > done(before)) return now;
  }
}

function at(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
