import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** Files under names that the server generates. They can be read over the web only through a document's route. */
export interface Files {
  /** Writes all of the file safely to disk, or nothing. Returns its name. */
  write(bytes: Uint8Array): Promise<string>;
  read(name: string): Readable;
  /** Null if the file is gone. */
  readWhole(name: string): Promise<Buffer | null>;
  remove(name: string): Promise<void>;
  /** Removes files that no document refers to, such as after a crash. */
  sweep(isKnown: (names: readonly string[]) => Promise<ReadonlySet<string>>): Promise<number>;
}

const NAME = /^[0-9a-f]{32}$/;
/** A file being written has no document yet, so young files stay. */
const YOUNG_MS = 3_600_000;

export function openFiles(dataDir: string): Files {
  const folder = join(dataDir, 'documents');
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw new TypeError('No file has such a name');
    return join(folder, name);
  };
  return {
    write: async bytes => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = randomBytes(16).toString('hex');
      const unfinished = `${pathOf(name)}.part`;
      const file = await open(unfinished, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        await file.sync();
      } catch (error) {
        await file.close();
        await rm(unfinished, { force: true });
        throw error;
      }
      await file.close();
      await rename(unfinished, pathOf(name));
      return name;
    },
    read: name => createReadStream(pathOf(name)),
    readWhole: name =>
      readFile(pathOf(name)).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      }),
    remove: name => rm(pathOf(name), { force: true }),
    sweep: async isKnown => {
      const names = await readdir(folder).catch((): string[] => []);
      const old: string[] = [];
      for (const name of names) {
        const { mtimeMs } = await stat(join(folder, name));
        if (Date.now() - mtimeMs > YOUNG_MS) old.push(name);
      }
      const known = old.length === 0 ? new Set<string>() : await isKnown(old);
      const left = old.filter(name => !known.has(name));
      for (const name of left) await rm(join(folder, name), { force: true });
      return left.length;
    },
  };
}
