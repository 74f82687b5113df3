import { BackupError } from './backup-error.ts';
import { filesName } from './catalog.ts';
import { listFolder, type Packed, type PackedFile, type PackingOptions, type PartOf, packFiles } from './pack.ts';
import type { Vault } from './vault.ts';

/** The data folder without the database: uploads, secrets and settings. */
export interface FilesManifest extends Packed {
  readonly kind: 'files';
  readonly atMs: number;
  readonly bytes: number;
  /** Settings from the environment, which are kept outside of the data folder. */
  readonly environment: Readonly<Record<string, string>>;
}

/** What a backup leaves out: the database, which has its own copy, what is only under way, what Node compiled, and the key. */
const LEFT_OUT =
  /^(database([.-](unfinished|location|wal|trial|restoring)(-journal)?)?|server\.pid.*|owner-link|compiled|uploads|imports|exports|move-ins|restoring|before-restore-.*|backup\/(key|state\.json|asked|verify-.*))(\/|$)|\.part$/;
const MAPS = /^maps(\/|$)/;

export interface FilesOptions extends PackingOptions {
  readonly dataDir: string;
  /** Maps are large, and can be had again. */
  readonly withMaps: boolean;
  readonly environment: Readonly<Record<string, string>>;
}

/** Keeps track of the files between two backups, so that only new ones are read. */
export class FilesBackup {
  #last: FilesManifest | null = null;

  /** Writes a manifest if anything changed. Returns it, or null. */
  async run(vault: Vault, { dataDir, withMaps, environment, ...packing }: FilesOptions): Promise<FilesManifest | null> {
    const before = this.#last;
    const parts = new Map(before?.files.map(file => [file.path, file]));
    const unchanged = (path: string, bytes: number, modifiedMs: number): PartOf[] | null => {
      const file = parts.get(path);
      if (!before || file?.bytes !== bytes || file.modifiedMs !== modifiedMs) return null;
      return file.parts.map(([chunk, offset, length]) => [before.chunks[chunk] ?? '', offset, length] as const);
    };
    const listed = await listFolder(dataDir, path => LEFT_OUT.test(path) || (!withMaps && MAPS.test(path)));
    const atMs = Date.now();
    const packed = await packFiles(vault, dataDir, listed, { ...packing, unchanged });
    const manifest: FilesManifest = {
      kind: 'files',
      atMs,
      bytes: packed.files.reduce((sum, { bytes }) => sum + bytes, 0),
      environment,
      chunks: packed.chunks,
      folders: packed.folders,
      files: packed.files,
    };
    if (before && isSame(before, manifest)) return null;
    await vault.put(filesName(atMs), Buffer.from(JSON.stringify(manifest)));
    this.#last = manifest;
    return manifest;
  }

  /** Reads every file again the next time. */
  forget(): void {
    this.#last = null;
  }
}

const isSame = (one: FilesManifest, other: FilesManifest): boolean =>
  JSON.stringify([one.folders, one.files.map(stampOf), one.environment]) ===
  JSON.stringify([other.folders, other.files.map(stampOf), other.environment]);
const stampOf = ({ path, bytes, modifiedMs }: PackedFile): unknown => [path, bytes, modifiedMs];

export async function readFiles(vault: Vault, name: string): Promise<FilesManifest> {
  const bytes = await vault.get(name);
  if (!bytes) throw new BackupError(`The backup in ${vault.place} has lost ${name}.`);
  return JSON.parse(bytes.toString('utf8')) as FilesManifest;
}

/**
 * The files as they were at a moment: those of the last manifest before it, and those that the next one adds, since
 * a file is written before the row that names it. One in both is taken from the earlier.
 */
export function filesAt(before: FilesManifest | null, after: FilesManifest | null): FilesManifest | null {
  if (!before || !after) return before ?? after;
  const has = new Set(before.files.map(({ path }) => path));
  const shift = before.chunks.length;
  const added = after.files
    .filter(({ path }) => !has.has(path))
    .map(file => ({
      ...file,
      parts: file.parts.map(([chunk, offset, length]) => [chunk + shift, offset, length] as const),
    }));
  return {
    ...before,
    chunks: [...before.chunks, ...after.chunks],
    folders: [...new Set([...before.folders, ...after.folders])].sort(),
    files: [...before.files, ...added],
  };
}
