import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BackupError } from '../backup-error.ts';
import type { Store, StoredObject } from './store.ts';

const UNFINISHED = /\.[0-9a-f]{8}\.part$/;

/** Backups in a folder: of another disk, or of another machine that is mounted. The folder itself must be there. */
export function folderStore(folder: string): Store {
  const made = new Set<string>();
  const make = async (parent: string): Promise<void> => {
    if (made.has(parent)) return;
    // Made by hand: a disk that is not mounted must not be filled at its mount point.
    if (!existsSync(folder)) throw new BackupError(`The backup folder ${folder} is not there. Is its disk mounted?`);
    await mkdir(parent, { recursive: true, mode: 0o700 });
    made.add(parent);
  };
  return {
    place: folder,
    put: async (name, bytes) => {
      const path = join(folder, name);
      await make(dirname(path));
      const unfinished = `${path}.${randomBytes(4).toString('hex')}.part`;
      try {
        const file = await open(unfinished, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, path);
      } catch (error) {
        made.clear();
        await rm(unfinished, { force: true }).catch(() => {});
        throw error;
      }
      await syncFolder(dirname(path));
    },
    get: async name => {
      try {
        return await readFile(join(folder, name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        return null;
      }
    },
    list: prefix => listBelow(folder, prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix),
    remove: async name => {
      await rm(join(folder, name), { force: true });
    },
  };
}

/** So that a name is as durable as what it names. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch {
    // Some network file systems have no such thing.
  } finally {
    await handle.close();
  }
}

async function* listBelow(root: string, below: string, prefix: string): AsyncGenerator<StoredObject> {
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && existsSync(root)) return [];
    throw error;
  });
  for (const entry of entries) {
    const name = below + entry.name;
    if (entry.isDirectory()) {
      yield* listBelow(root, `${name}/`, prefix);
    } else if (UNFINISHED.test(name)) {
      // Left by a backup that was killed; one that is being written is younger.
      const { mtimeMs } = await stat(join(root, name)).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > 3_600_000) await rm(join(root, name), { force: true });
    } else if (name.startsWith(prefix)) {
      const found = await stat(join(root, name)).catch(() => null);
      if (found) yield { name, bytes: found.size };
    }
  }
}
