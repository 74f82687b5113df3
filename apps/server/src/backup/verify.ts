import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, type Pool } from 'pg';
import type { Logger } from 'pino';
import { readPassword } from '../db/embedded/initialise.ts';
import type { Place } from '../db/embedded/place.ts';
import { asServer } from '../db/embedded.ts';
import { checkSealedDays } from '../tracks/check.ts';
import { BackupError } from './backup-error.ts';
import { readCatalog } from './catalog.ts';
import { readFiles } from './files.ts';
import { chooseWindow, recoverDatabase } from './recover.ts';
import type { Vault } from './vault.ts';

/** Tables in which nothing comes or goes unseen: their rows are counted before and after the moment that is restored. */
const COUNTED = ['account', 'app_user', 'driver', 'vehicle', 'document', 'geofence', 'migration'] as const;
const SPARE_BYTES = 512 * 1024 ** 2;

export type Counts = Readonly<Record<string, number>>;

export async function countRows(pool: Pick<Pool, 'query'>): Promise<Counts> {
  const { rows: tables } = await pool.query<{ name: string }>(
    'select name from unnest($1::text[]) name where to_regclass(name) is not null',
    [COUNTED],
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await pool.query<{ rows: number }>(`select count(*)::integer as rows from ${name}`);
    counts[name] = rows[0]?.rows ?? 0;
  }
  return counts;
}

export interface Verification {
  readonly vault: Vault;
  readonly dataDir: string;
  readonly place: Place;
  readonly toMs: number;
  /** Of the live database, before and after that moment; null: nothing to compare with. */
  readonly expected: readonly [before: Counts, after: Counts] | null;
  readonly log: Logger;
  readonly settings?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Verified {
  readonly throughMs: number;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
}

/**
 * Restores the newest state beside the live database, starts it, reads every row of every table (the database compares
 * its page checksums), every packed day of positions and every file, and removes all of it again. Throws `BackupError`
 * with what is wrong.
 */
export async function verifyBackup(verification: Verification): Promise<Verified> {
  const { vault, dataDir, place: live, toMs, expected, log, settings, signal } = verification;
  const catalog = await readCatalog(vault);
  const { window } = chooseWindow(catalog, toMs);
  const place: Place = { ...live, cluster: trialFolder(live) };
  await rm(place.cluster, { recursive: true, force: true });
  await refuseFullDisk(place, vault, window.base.name);
  let stop = async (): Promise<void> => {};
  try {
    const recovered = await recoverDatabase({
      ...{ vault, catalog, window, toMs, place, log, isGentle: true },
      ...(signal && { signal }),
      // It is thrown away: what it writes need not be safe.
      settings: { ...settings, fsync: 'off', full_page_writes: 'off', autovacuum: 'off', shared_buffers: '32MB' },
    });
    stop = () => recovered.postmaster.stop();
    const client = new Client(asServer(recovered.port, (await readPassword(dataDir)) ?? ''));
    client.on('error', () => {});
    await client.connect();
    try {
      if (expected) compare(await countRows(client), expected);
      const read = await readAll(client, signal);
      await checkSealedDays(client);
      return { throughMs: toMs, ...read, files: await checkFiles(vault, signal) };
    } finally {
      await client.end().catch(() => {});
    }
  } catch (error) {
    if (error instanceof BackupError || signal?.aborted) throw error;
    throw new BackupError(`The restored database is damaged: ${(error as Error).message}`, { cause: error });
  } finally {
    await stop();
    await rm(place.cluster, { recursive: true, force: true });
    await rm(`${place.cluster}-journal`, { recursive: true, force: true });
  }
}

const trialFolder = (place: Place): string => join(place.folder, 'database-trial');

async function refuseFullDisk(place: Place, vault: Vault, name: string): Promise<void> {
  const { bytes } = JSON.parse(((await vault.get(name)) ?? Buffer.from('{"bytes":0}')).toString('utf8')) as {
    bytes: number;
  };
  const disk = await statfs(place.folder);
  const free = disk.bavail * disk.bsize;
  if (free < bytes * 1.2 + SPARE_BYTES) {
    throw new BackupError(
      `To try the backup, ${gigabytes(bytes * 1.2 + SPARE_BYTES)} GB must be free in ${place.folder}; ${gigabytes(free)} GB are.`,
    );
  }
}
const gigabytes = (bytes: number): string => (bytes / 1e9).toFixed(1);

function compare(found: Counts, [before, after]: readonly [Counts, Counts]): void {
  for (const [name, rows] of Object.entries(found)) {
    const [least, most] = [before[name] ?? 0, after[name] ?? 0].sort((a, b) => a - b);
    if (rows >= (least ?? 0) && rows <= (most ?? 0)) continue;
    throw new BackupError(`The restored table ${name} has ${rows} rows, and the original had ${before[name]}.`);
  }
}

async function readAll(client: Client, signal?: AbortSignal): Promise<{ tables: number; rows: number }> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  );
  let rows = 0;
  for (const { name } of tables) {
    signal?.throwIfAborted();
    const { rows: counted } = await client.query<{ rows: string }>(`select count(*) as rows from only ${name}`);
    rows += Number(counted[0]?.rows ?? 0);
  }
  return { tables: tables.length, rows };
}

/** Reads every chunk of the newest files. */
export async function checkFiles(vault: Vault, signal?: AbortSignal): Promise<number> {
  const newest = (await readCatalog(vault)).files.at(-1);
  if (!newest) throw new BackupError('This backup has no files yet.');
  const { chunks, files } = await readFiles(vault, newest.name);
  for (const id of new Set(chunks)) {
    signal?.throwIfAborted();
    await vault.getChunk(id);
  }
  return files.length;
}
