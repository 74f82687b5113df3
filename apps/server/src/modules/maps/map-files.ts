import { createHash } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type MapFile, mapFileNameSchema } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import { withUpload } from '../data-transfer/spool.ts';
import { type Inspection, inspectMapFile } from './map-file.ts';

/** The largest file that can be uploaded; larger ones must be copied into the folder. */
const UPLOAD_LIMIT = 32 * 1024 ** 3;

export interface KnownMapFile extends MapFile {
  /** Changes with the file's content. */
  readonly version: string;
  readonly attribution: string;
}

/** The street maps in `DATA_DIR/maps`, uploaded or copied there. */
export interface MapFiles {
  readonly folder: string;
  list(): Promise<KnownMapFile[]>;
  find(name: string): Promise<KnownMapFile | null>;
  /** Saves an upload. It appears in the folder only once it is complete and checked. */
  add(name: string, body: Readable, length: number | null): Promise<KnownMapFile>;
  remove(name: string): Promise<void>;
}

export function openMapFiles(dataDir: string): MapFiles {
  const folder = join(dataDir, 'maps');
  const known = new Map<string, { readonly version: string; readonly inspection: Promise<Inspection> }>();

  async function look(name: string): Promise<KnownMapFile | null> {
    const path = join(folder, name);
    const found = await stat(path).catch(() => null);
    if (!found?.isFile()) return null;
    const { size, mtimeMs } = found;
    const version = createHash('sha256').update(`${name} ${size} ${mtimeMs}`).digest('base64url').slice(0, 22);
    let entry = known.get(name);
    if (entry?.version !== version) {
      entry = { version, inspection: inspectMapFile(path) };
      known.set(name, entry);
      entry.inspection.catch(() => known.delete(name));
    }
    const inspection = await entry.inspection;
    const facts = 'facts' in inspection ? inspection.facts : null;
    return {
      name,
      bytes: size,
      version,
      fault: 'fault' in inspection ? inspection.fault : null,
      bounds: facts && [...facts.bounds],
      maxZoom: facts?.maxZoom ?? null,
      attribution: facts?.attribution ?? '',
    };
  }

  const find = async (name: string): Promise<KnownMapFile | null> =>
    mapFileNameSchema.safeParse(name).success ? look(name) : null;

  return {
    folder,
    find,
    list: async () => {
      const names = await readdir(folder).catch((): string[] => []);
      const files = await Promise.all(names.toSorted().map(name => find(name).catch(() => null)));
      return files.filter(file => file !== null);
    },
    add: async (name, body, length) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await withUpload(
        dataDir,
        { body, length },
        async path => {
          const inspection = await inspectMapFile(path);
          if ('fault' in inspection) throw new AppError('map-file-wrong', { fault: inspection.fault });
          await rename(path, join(folder, name));
        },
        { limit: UPLOAD_LIMIT },
      );
      const added = await look(name);
      if (!added) throw new AppError('not-found');
      return added;
    },
    remove: async name => {
      if (!(await find(name))) throw new AppError('not-found');
      await rm(join(folder, name));
      known.delete(name);
    },
  };
}
