import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from 'pg';
import { BackupError } from './backup-error.ts';
import { baseName } from './catalog.ts';
import { listFolder, type Packed, type PackingOptions, packFiles } from './pack.ts';
import type { Vault } from './vault.ts';

/** A copy of the database's files, with what it takes to open them. */
export interface BaseManifest extends Packed {
  readonly kind: 'base';
  readonly line: string;
  readonly startedMs: number;
  readonly endMs: number;
  /** The journal is needed from here on … */
  readonly startSegment: string;
  /** … and at least to here. */
  readonly stopSegment: string;
  /** The content of `backup_label`. */
  readonly label: string;
  /** PostgreSQL's major version, which alone can open the files. */
  readonly postgres: string;
  readonly milepost: string;
  readonly bytes: number;
}

/** What a copy must leave out, or may (PostgreSQL documentation, "Making a Base Backup Using the Low Level API"). */
const EMPTY_FOLDERS = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/.+/;
const LEFT_OUT = /(^|\/)(pgsql_tmp[^/]*|pg_internal\.init.*|postmaster\.(pid|opts)|backup_label|tablespace_map)(\/|$)/;
const KEPT_FOLDERS = ['pg_wal/archive_status', 'pg_wal/summaries'];
/** A copy of it from during the checkpoint would be too new for the rest, so it comes last. */
const CONTROL = 'global/pg_control';

export interface BaseOptions extends PackingOptions {
  readonly client: Client;
  readonly cluster: string;
  readonly line: string;
  readonly milepost: string;
  /** A checkpoint at once, instead of one that takes its time to spare the disk. */
  readonly fast: boolean;
  /** Resolves once the journal is in the store up to this segment. */
  readonly journalThrough: (segment: string) => Promise<void>;
  readonly step?: (name: string) => void;
}

export interface BaseResult {
  readonly name: string;
  readonly manifest: BaseManifest;
  readonly readBytes: number;
  readonly writtenBytes: number;
}

/**
 * Copies the database while it works. The copy counts only once its manifest is written, which is last: one that is
 * killed before leaves chunks that the next cleaning removes, and nothing else changes.
 */
export async function copyDatabase(vault: Vault, options: BaseOptions): Promise<BaseResult> {
  const { client, cluster, line, milepost, fast, journalThrough, step, ...packing } = options;
  const startedMs = Date.now();
  step?.('start');
  const start = await ask<{ segment: string }>(
    client,
    `select pg_walfile_name(pg_backup_start('milepost', $1)) as segment`,
    [fast],
  );
  step?.('copy');
  const { folders, files } = await listFolder(cluster, path => EMPTY_FOLDERS.test(path) || LEFT_OUT.test(path));
  if (files.some(path => path.startsWith('pg_tblspc/'))) {
    throw new BackupError('The database uses tablespaces, which a backup of Milepost does not hold.');
  }
  const ordered = [...files.filter(path => path !== CONTROL), CONTROL];
  const packed = await packFiles(vault, cluster, { folders: [...folders, ...KEPT_FOLDERS], files: ordered }, packing);
  step?.('stop');
  const stop = await ask<{ segment: string; label: string; now: Date }>(
    client,
    `select pg_walfile_name(lsn) as segment, labelfile as label, clock_timestamp() as now
      from pg_backup_stop(wait_for_archive => false)`,
  );
  step?.('journal');
  await journalThrough(stop.segment);
  packing.signal?.throwIfAborted();
  const manifest: BaseManifest = {
    kind: 'base',
    line,
    startedMs,
    // Rounded up: all that was committed before the end is in it.
    endMs: stop.now.getTime() + 1,
    startSegment: start.segment,
    stopSegment: stop.segment,
    label: stop.label,
    postgres: (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim(),
    milepost,
    bytes: packed.readBytes,
    chunks: packed.chunks,
    folders: packed.folders,
    files: packed.files,
  };
  step?.('manifest');
  const name = baseName(manifest.endMs, line, manifest.startSegment);
  const written = await vault.put(name, Buffer.from(JSON.stringify(manifest)));
  return { name, manifest, readBytes: packed.readBytes, writtenBytes: packed.writtenBytes + written };
}

async function ask<Row extends object>(client: Client, text: string, values: unknown[] = []): Promise<Row> {
  const { rows } = await client.query<Row>(text, values);
  if (!rows[0]) throw new Error('The database gave no answer');
  return rows[0];
}

export async function readBase(vault: Vault, name: string): Promise<BaseManifest> {
  const bytes = await vault.get(name);
  if (!bytes) throw new BackupError(`The backup in ${vault.place} has lost ${name}.`);
  return JSON.parse(bytes.toString('utf8')) as BaseManifest;
}
