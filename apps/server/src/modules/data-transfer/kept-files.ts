import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../../app-error.ts';
import { roomIn } from './room.ts';

/** The files of jobs in one folder, each under the ID of its job. */
export interface KeptFiles {
  readonly folder: string;
  pathOf(id: string): string;
  read(id: string): Readable;
  has(id: string): Promise<boolean>;
  /**
   * Writes all of the lines, under another name until they are complete; null if aborted, with nothing left. Lines may be
   * overwritten once the next ones are asked for.
   */
  write(id: string, lines: AsyncIterable<string | Uint8Array>, signal: AbortSignal): Promise<number | null>;
  remove(id: string): Promise<void>;
  /** Removes the files of other jobs than these. Half-written ones stay while their job is open. */
  sweep(jobs: (ids: readonly string[]) => Promise<Jobs>, nowMs: number): Promise<number>;
}

interface Jobs {
  readonly open: ReadonlySet<string>;
  readonly finished: ReadonlySet<string>;
}

const FILE = /^([0-9a-f-]{36})(\.[0-9a-f]{16}\.part)?$/;
const PIECE_BYTES = 256 * 1024;
const LOOK_FOR_ROOM_EVERY = 64 * 1024 ** 2;
/** An upload has no job yet while it is put into its place. */
const YOUNG_MS = 3_600_000;

export function openKeptFiles(folder: string, keptFree?: number): KeptFiles {
  const pathOf = (id: string): string => {
    if (!FILE.test(id)) throw new TypeError('No file has such a name');
    return join(folder, id);
  };
  const list = async (): Promise<readonly { readonly name: string; readonly id: string; readonly isPart: boolean }[]> =>
    (await readdir(folder).catch((): string[] => [])).flatMap(name => {
      const [, id, part] = FILE.exec(name) ?? [];
      return id === undefined ? [] : [{ name, id, isPart: part !== undefined }];
    });
  const removeParts = async (of: string): Promise<void> => {
    for (const { name, id, isPart } of await list())
      if (isPart && id === of) await rm(join(folder, name), { force: true });
  };

  const writeAll = async (
    path: string,
    lines: AsyncIterable<string | Uint8Array>,
    signal: AbortSignal,
  ): Promise<number | null> => {
    const file = await open(path, 'wx', 0o600);
    try {
      let bytes = 0;
      let lookAt = LOOK_FOR_ROOM_EVERY;
      let piece: (string | Uint8Array)[] = [];
      let length = 0;
      const flush = async (): Promise<void> => {
        const parts = piece.map(part => (typeof part === 'string' ? Buffer.from(part) : part));
        const buffer = parts.length === 1 ? (parts[0] as Uint8Array) : Buffer.concat(parts);
        piece = [];
        length = 0;
        await file.writeFile(buffer);
        bytes += buffer.length;
      };
      for await (const line of lines) {
        if (signal.aborted) return null;
        length += line.length;
        const isKept = length < PIECE_BYTES;
        piece.push(isKept && typeof line !== 'string' ? Buffer.from(line) : line);
        if (isKept) continue;
        await flush();
        if (bytes < lookAt) continue;
        lookAt = bytes + LOOK_FOR_ROOM_EVERY;
        if ((await roomIn(folder, keptFree)) === 0) throw new AppError('disk-full');
      }
      await flush();
      await file.sync();
      return bytes;
    } finally {
      await file.close();
    }
  };

  return {
    folder,
    pathOf,
    read: id => createReadStream(pathOf(id)),
    has: id =>
      stat(pathOf(id)).then(
        () => true,
        () => false,
      ),
    write: async (id, lines, signal) => {
      if ((await roomIn(folder, keptFree)) === 0) throw new AppError('disk-full');
      // Of a try that was killed.
      await removeParts(id);
      const part = `${pathOf(id)}.${randomBytes(8).toString('hex')}.part`;
      try {
        const bytes = await writeAll(part, lines, signal);
        if (bytes !== null) await rename(part, pathOf(id));
        return bytes;
      } catch (error) {
        throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? new AppError('disk-full') : error;
      } finally {
        await rm(part, { force: true });
      }
    },
    remove: async id => {
      await rm(pathOf(id), { force: true });
      await removeParts(id);
    },
    sweep: async (jobs, nowMs) => {
      const files = await list();
      if (files.length === 0) return 0;
      const { open, finished } = await jobs(files.map(({ id }) => id));
      let removed = 0;
      for (const { name, id, isPart } of files) {
        if (open.has(id) || (finished.has(id) && !isPart)) continue;
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        if (!found || nowMs - found.mtimeMs < YOUNG_MS) continue;
        await rm(path, { force: true });
        removed++;
      }
      return removed;
    },
  };
}
