import { closeSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { BackupError } from './backup-error.ts';
import type { Vault } from './vault.ts';

/** A folder's files as chunks of a vault. */
export interface Packed {
  /** IDs of chunks. */
  readonly chunks: readonly string[];
  /** Paths below the folder, each before what is in it. */
  readonly folders: readonly string[];
  readonly files: readonly PackedFile[];
}

export interface PackedFile {
  /** Below the folder, with slashes. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
  /** Where its bytes are, one after the other: number of the chunk, offset in it, length. */
  readonly parts: readonly (readonly [chunk: number, offset: number, length: number])[];
}

/** Small files share a chunk; large ones are cut at multiples of it, so that what did not change has the same chunks. */
const CHUNK_BYTES = 4 * 1024 ** 2;
const SMALL_BYTES = 1024 ** 2;
/** Chunks that are on their way to the store at the same time. */
const UNDER_WAY = 3;
/** A database has a thousand small files: written one by one through the thread pool, they take ten times as long. */
const SYNC_AT_ONCE = 16;

export interface PackingOptions {
  readonly signal?: AbortSignal;
  /** Called after each chunk, with the bytes read so far: may wait, to leave the machine to others. */
  readonly pause?: (readBytes: number) => Promise<void>;
  /** A file of an earlier pack that is still the same, so that it need not be read. */
  readonly unchanged?: (path: string, bytes: number, modifiedMs: number) => readonly PartOf[] | null;
}
/** Where a part of a file is, by the chunk's ID. */
export type PartOf = readonly [id: string, offset: number, length: number];

export interface PackingResult extends Packed {
  readonly readBytes: number;
  /** Bytes that the store took: less, since chunks that it had were not sent again. */
  readonly writtenBytes: number;
}

/** Packs these files of a folder, in this order. A file that is gone by then is left out; one that shrinks is cut. */
export async function packFiles(
  vault: Vault,
  root: string,
  { folders, files }: { readonly folders: readonly string[]; readonly files: readonly string[] },
  { signal, pause, unchanged }: PackingOptions = {},
): Promise<PackingResult> {
  const ids: (string | undefined)[] = [];
  const numberOf = new Map<string, number>();
  const packed: PackedFile[] = [];
  let readBytes = 0;
  let writtenBytes = 0;
  let small: Buffer[] = [];
  let smallBytes = 0;
  let smallNumber = 0;
  let folder = '';
  const sending = new Set<Promise<void>>();
  let failure: unknown = null;

  const send = async (number: number, bytes: Buffer): Promise<void> => {
    while (sending.size >= UNDER_WAY) await Promise.race(sending);
    signal?.throwIfAborted();
    if (failure) throw failure;
    const one = vault.putChunk(bytes).then(
      ({ id, written }) => {
        ids[number] = id;
        writtenBytes += written;
      },
      error => {
        failure ??= error;
      },
    );
    sending.add(one);
    void one.finally(() => sending.delete(one));
    await pause?.(readBytes);
  };
  const sendSmall = async (): Promise<void> => {
    if (smallBytes === 0) return;
    const bytes = Buffer.concat(small);
    [small, smallBytes] = [[], 0];
    await send(smallNumber, bytes);
  };
  /** A new number, whose chunk follows. */
  const nextNumber = (): number => ids.push(undefined) - 1;

  const packSmall = async (handle: FileHandle, size: number): Promise<PackedFile['parts']> => {
    if (smallBytes + size > CHUNK_BYTES) await sendSmall();
    const bytes = await readUpTo(handle, 0, size);
    if (bytes.length === 0) return [];
    if (smallBytes === 0) smallNumber = nextNumber();
    const part = [smallNumber, smallBytes, bytes.length] as const;
    small.push(bytes);
    smallBytes += bytes.length;
    readBytes += bytes.length;
    return [part];
  };
  const packLarge = async (handle: FileHandle, size: number): Promise<PackedFile['parts']> => {
    await sendSmall();
    const parts: [number, number, number][] = [];
    for (let at = 0; at < size; at += CHUNK_BYTES) {
      const bytes = await readUpTo(handle, at, Math.min(CHUNK_BYTES, size - at));
      if (bytes.length === 0) break;
      readBytes += bytes.length;
      const number = nextNumber();
      parts.push([number, 0, bytes.length]);
      await send(number, bytes);
    }
    return parts;
  };

  for (const path of files) {
    if (dirname(path) !== folder) await sendSmall();
    folder = dirname(path);
    const known = unchanged ? await stat(join(root, path)).catch(missing) : null;
    const same = known && unchanged?.(path, known.size, known.mtimeMs);
    if (known && same) {
      const parts = same.map(([id, offset, length]) => {
        const number = numberOf.get(id) ?? ids.push(id) - 1;
        numberOf.set(id, number);
        return [number, offset, length] as const;
      });
      packed.push({ path, bytes: known.size, modifiedMs: known.mtimeMs, parts });
      continue;
    }
    const handle = await open(join(root, path), 'r').catch(missing);
    if (!handle) continue;
    try {
      const { size, mtimeMs } = await handle.stat();
      const parts = await (size < SMALL_BYTES ? packSmall(handle, size) : packLarge(handle, size));
      const bytes = parts.reduce((sum, [, , length]) => sum + length, 0);
      packed.push({ path, bytes, modifiedMs: mtimeMs, parts });
    } finally {
      await handle.close();
    }
  }
  await sendSmall();
  await Promise.all(sending);
  if (failure) throw failure;
  return { chunks: ids as string[], folders, files: packed, readBytes, writtenBytes };
}

const missing = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null;
  throw error;
};

async function readUpTo(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** Everything below a folder that `skip` does not name; paths with slashes, in the order of names. */
export async function listFolder(root: string, skip: (path: string) => boolean) {
  const folders: string[] = [];
  const files: string[] = [];
  const walk = async (below: string): Promise<void> => {
    const entries = await readdir(join(root, below), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' && below !== '') return [];
      throw error;
    });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (skip(path)) continue;
      if (entry.isDirectory()) {
        folders.push(path);
        await walk(path);
      } else if (entry.isFile()) files.push(path);
      else if (entry.isSymbolicLink())
        throw new BackupError(`${join(root, path)} is a link, which a backup can't keep.`);
    }
  };
  await walk('');
  return { folders, files };
}

/** Writes packed files below a folder; each chunk is read once. */
export async function unpackFiles(
  vault: Vault,
  { chunks, folders, files }: Packed,
  root: string,
  { signal, onBytes }: { readonly signal?: AbortSignal; readonly onBytes?: (bytes: number) => void } = {},
): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (const path of folders) await mkdir(join(root, safe(path)), { recursive: true, mode: 0o700 });
  const wanted = new Map<number, { path: string; at: number; offset: number; length: number }[]>();
  for (const [number, { path, parts }] of files.entries()) {
    closeSync(openSync(join(root, safe(path)), 'wx', 0o600));
    let at = 0;
    for (const [chunk, offset, length] of parts) {
      const ofChunk = wanted.get(chunk) ?? [];
      wanted.set(chunk, ofChunk);
      ofChunk.push({ path, at, offset, length });
      at += length;
    }
    if (number % SYNC_AT_ONCE === 0) await others();
  }
  const numbers = [...wanted.keys()].sort((a, b) => a - b);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let number = numbers[next++]; number !== undefined; number = numbers[next++]) {
      signal?.throwIfAborted();
      const bytes = await vault.getChunk(chunks[number] ?? '');
      for (const [i, { path, at, offset, length }] of (wanted.get(number) ?? []).entries()) {
        const file = openSync(join(root, path), 'r+');
        try {
          writeSync(file, bytes, offset, length, at);
        } finally {
          closeSync(file);
        }
        if (i % SYNC_AT_ONCE === 0) await others();
      }
      onBytes?.(bytes.length);
    }
  };
  await Promise.all(Array.from({ length: UNDER_WAY }, worker));
}

/** A path from a manifest stays below its folder. */
function safe(path: string): string {
  if (path.startsWith('/') || path.split('/').includes('..')) throw new BackupError(`The backup names "${path}".`);
  return path;
}
