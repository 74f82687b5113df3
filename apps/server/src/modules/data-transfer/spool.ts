import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../app-error.ts';
import { roomIn } from './room.ts';

/** The largest file that an import takes, if the disk has room: one that a job imports within its six hours. */
export const IMPORT_LIMIT = 100 * 1024 ** 3;
const LOOK_FOR_ROOM_EVERY = 64 * 1024 ** 2;

export interface Upload {
  readonly body: Readable;
  /** As the request says. */
  readonly length: number | null;
}

export interface UploadLimits {
  readonly limit?: number;
  readonly roomIn?: (folder: string) => Promise<number>;
  /** How many times its size a file takes on this disk, with what is made of it. */
  readonly takes?: number;
}

/**
 * Takes in a whole upload before anything is done with it: a slow line must not hold the database, and half a file is
 * none. It is gone when `use` has ended.
 */
export async function withUpload<T>(
  dataDir: string,
  upload: Upload,
  use: (path: string) => Promise<T>,
  limits: UploadLimits = {},
): Promise<T> {
  const path = join(folderOf(dataDir), randomBytes(16).toString('hex'));
  try {
    await store(upload, path, limits);
    return await use(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Writes an upload to the disk, whole or not at all. Refuses what is too large, or has no room, before it comes. */
export async function store(
  { body, length }: Upload,
  path: string,
  { limit = IMPORT_LIMIT, takes = 1, ...disk }: UploadLimits = {},
): Promise<void> {
  const roomFor = async (bytes: number): Promise<void> => {
    const freeBytes = await (disk.roomIn ?? roomIn)(dirname(path));
    if (bytes > freeBytes) throw new AppError('no-room', { neededBytes: bytes, freeBytes });
  };
  if (length !== null && length > limit) throw new AppError('payload-too-large', { limitBytes: limit });
  await roomFor(Math.ceil((length ?? 1) * takes));
  let taken = 0;
  let lookAt = LOOK_FOR_ROOM_EVERY;
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      taken += chunk.length;
      if (taken > limit) return done(new AppError('payload-too-large', { limitBytes: limit }));
      if (taken < lookAt) return done(null, chunk);
      // Others write to the disk meanwhile.
      lookAt = taken + LOOK_FOR_ROOM_EVERY;
      roomFor(Math.max(1, (length ?? taken) - taken)).then(() => done(null, chunk), done);
    },
  });
  try {
    await pipeline(body, counted, createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
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
