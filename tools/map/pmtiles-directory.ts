import { gzipSync } from 'node:zlib';

/**
 * The location of a tile's content, the first tile that has it, and the number of consecutive tiles. A `run` of 0 is a
 * leaf directory.
 */
export interface Entry {
  readonly id: number;
  run: number;
  readonly offset: number;
  readonly length: number;
}

/**
 * The root directory must end within the first 16 KiB of the archive, of which the header takes 127 bytes (PMTiles v3,
 * §3).
 */
const ROOT_MOST = 16_384 - 127;
const ENTRIES_A_LEAF = 4096;

function writeVarint(bytes: number[], value: number): void {
  let rest = value;
  // Division instead of shifts, because offsets may be longer than 32 bits.
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
}

/**
 * One directory (PMTiles v3, §4): column by column, ids as differences, an offset of 0 for "right after the previous
 * one".
 */
function serialise(entries: readonly Entry[]): Buffer {
  const bytes: number[] = [];
  writeVarint(bytes, entries.length);
  let id = 0;
  for (const entry of entries) {
    writeVarint(bytes, entry.id - id);
    id = entry.id;
  }
  for (const entry of entries) writeVarint(bytes, entry.run);
  for (const entry of entries) writeVarint(bytes, entry.length);
  let end: number | null = null;
  for (const entry of entries) {
    writeVarint(bytes, entry.offset === end ? 0 : entry.offset + 1);
    end = entry.offset + entry.length;
  }
  return gzipSync(Buffer.from(bytes), { level: 9 });
}

/**
 * The directories of an archive: all entries in the root if they fit, otherwise in as many leaves as needed for the
 * root to fit.
 */
export function serialiseDirectories(entries: readonly Entry[]): { readonly root: Buffer; readonly leaves: Buffer } {
  const all = serialise(entries);
  if (all.length <= ROOT_MOST) return { root: all, leaves: Buffer.alloc(0) };
  for (let size = ENTRIES_A_LEAF; ; size *= 2) {
    const leaves: Buffer[] = [];
    const pointers: Entry[] = [];
    let offset = 0;
    for (let first = 0; first < entries.length; first += size) {
      const leaf = serialise(entries.slice(first, first + size));
      pointers.push({ id: entries[first]?.id ?? 0, run: 0, offset, length: leaf.length });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const root = serialise(pointers);
    if (root.length <= ROOT_MOST) return { root, leaves: Buffer.concat(leaves) };
  }
}
