import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../app-error.ts';

/** The largest file that an import takes. */
export const IMPORT_LIMIT = 2 * 1024 ** 3;

/**
 * Takes in a whole upload before anything is done with it: a slow line must not hold the database, and half a file is
 * none. It is gone when `use` has ended.
 */
export async function withUpload<T>(
  dataDir: string,
  body: Readable,
  use: (path: string) => Promise<T>,
  limit = IMPORT_LIMIT,
): Promise<T> {
  const folder = folderOf(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomBytes(16).toString('hex'));
  try {
    await pipeline(body, noMoreThan(limit), createWriteStream(path, { mode: 0o600 }));
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** An upload that nothing was added to for a day was left behind by a server that was killed. */
export const ABANDONED_MS = 24 * 3_600_000;

/** Removes the uploads that have not changed for a while. */
export async function clearUploads(dataDir: string, unchangedMs: number, nowMs = Date.now()): Promise<void> {
  const folder = folderOf(dataDir);
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const changed = await stat(path).catch(unlessMissing);
    if (changed && changed.mtimeMs <= nowMs - unchangedMs) await rm(path, { recursive: true, force: true });
  }
}

const namesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(unlessMissing)) ?? [];

function unlessMissing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw error;
}

const folderOf = (dataDir: string): string => join(dataDir, 'uploads');

export function noMoreThan(limit: number): Transform {
  let taken = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      taken += chunk.length;
      if (taken > limit) done(new AppError('payload-too-large', { limitBytes: limit }));
      else done(null, chunk);
    },
  });
}
