import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MoveInFile } from '@milepost/contract';
import { parse } from 'csv-parse/sync';
import { store, type Upload } from './spool.ts';
import { CSV_OPTIONS, delimiterOf, guessColumns } from './tracks/read-csv.ts';

/** Files that people move in from, on the server's disk for a day; each account's in a folder of its own. */
export interface MoveInFiles {
  save(accountId: number, upload: Upload): Promise<MoveInFile>;
  /** Where it is, and what it is; null if there is none. */
  find(accountId: number, id: string): Promise<FoundFile | null>;
  remove(accountId: number, id: string): Promise<boolean>;
  /** Removes what was not looked at for a day. */
  sweep(nowMs: number): Promise<number>;
}

export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
}

export const KEPT_MS = 86_400_000;
const HEAD_BYTES = 64 * 1024;
const SAMPLE_ROWS = 3;
const ID = /^[0-9a-f-]{36}$/;

export function openMoveInFiles(dataDir: string): MoveInFiles {
  const folder = join(dataDir, 'move-ins');
  const pathOf = (accountId: number, id: string): string => {
    if (!ID.test(id)) throw new TypeError('No file has such a name');
    return join(folder, String(accountId), id);
  };
  return {
    save: async (accountId, upload) => {
      const id = randomUUID();
      const path = pathOf(accountId, id);
      await store(upload, path);
      return { id, bytes: (await stat(path)).size, ...lookAt(await headOf(path)) };
    },
    find: async (accountId, id) => {
      const path = pathOf(accountId, id);
      const found = await stat(path).catch(() => null);
      return found && { path, bytes: found.size };
    },
    remove: async (accountId, id) => {
      const path = pathOf(accountId, id);
      if ((await stat(path).catch(() => null)) === null) return false;
      await rm(path, { force: true });
      return true;
    },
    sweep: async nowMs => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      let removed = 0;
      for (const name of await readdir(folder, { recursive: true })) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => null);
        if (!found?.isFile() || nowMs - Math.max(found.mtimeMs, found.atimeMs) < KEPT_MS) continue;
        await rm(path, { force: true });
        removed++;
      }
      return removed;
    },
  };
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
  } finally {
    await file.close();
  }
}

export const formatOf = async (
  path: string,
): Promise<{ readonly format: MoveInFile['format']; readonly delimiter: string }> => {
  const head = await headOf(path);
  return { format: lookAt(head).format, delimiter: delimiterOf(head.split('\n', 1)[0] ?? '') };
};

/** What a file is by how it begins. */
function lookAt(head: string): Omit<MoveInFile, 'id' | 'bytes'> {
  const nothing = { columns: [], guessed: {}, sample: [] };
  const text = head.trimStart();
  if (text.startsWith('<')) return { format: /<([a-z0-9]+:)?gpx[\s>]/i.test(text) ? 'gpx' : 'other', ...nothing };
  if (text.startsWith('[') || text.startsWith('{')) return { format: 'json', ...nothing };
  const first = text.split('\n', 1)[0] ?? '';
  const delimiter = delimiterOf(first);
  if (text.includes('\0') || !first.includes(delimiter)) return { format: 'other', ...nothing };
  const lines = text.split('\n');
  // The last line may be cut.
  const whole = head.length < HEAD_BYTES / 4 || lines.length < 2 ? text : lines.slice(0, -1).join('\n');
  try {
    const rows: string[][] = parse(whole, { ...CSV_OPTIONS, delimiter, to: SAMPLE_ROWS + 1 });
    const [columns = [], ...sample] = rows;
    const cut = (cells: readonly string[]) => cells.slice(0, 100).map(cell => cell.slice(0, 200));
    return { format: 'csv', columns: cut(columns), guessed: guessColumns(columns), sample: sample.map(cut) };
  } catch {
    return { format: 'other', ...nothing };
  }
}
