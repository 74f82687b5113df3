import { isDeepStrictEqual } from 'node:util';
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { type OpenTrack, openTrack, type Packing, packTrack, type TrackPosition, unpackColumns } from '@milepost/track';
import { POSITION_COLUMNS, type PositionRow } from './stored-position.ts';

const ZSTD: Packing = {
  number: 1,
  pack: bytes => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 9 } }),
  // Nearly all days fit into one piece, which needs no joining.
  unpack: (bytes, maxOutputLength) =>
    zstdDecompressSync(bytes, { maxOutputLength, chunkSize: Math.min(Math.max(64, maxOutputLength + 1), 2 ** 20) }),
  crc32,
};

/** The day in UTC, as in the tables: `2026-11-20`. */
export const dayOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 10);

export interface PackedDay {
  readonly track: Uint8Array;
  /** How many are valid and have no doubts. */
  readonly believed: number;
}

/**
 * Positions of one day, oldest first, as a block of bytes that was unpacked again and compared; null if they can't be
 * kept to the last bit.
 */
export function packDay(rows: readonly PositionRow[]): PackedDay | null {
  try {
    const track = packTrack(rows.map(toTrackPosition), ZSTD);
    const again = unpackDay(track, POSITION_COLUMNS);
    if (again.length !== rows.length || !rows.every((row, i) => isSameRow(row, again[i]))) return null;
    return { track, believed: rows.filter(({ valid, doubts }) => valid && doubts === 0).length };
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The positions of a sealed day, oldest first, with these columns and no other. Throws `DamagedTrack`. */
export function unpackDay<Column extends keyof PositionRow>(
  track: Uint8Array,
  columns: readonly Column[],
): Pick<PositionRow, Column>[] {
  const packed = unpackColumns(track, ['fixAt', ...columns.map(nameOf)], [ZSTD]);
  return packed.fixAt.map((_, i) => {
    const row: Record<string, unknown> = {};
    for (const column of columns) {
      const value = packed[nameOf(column)][i];
      row[column] = column === 'fix_at' || column === 'received_at' ? new Date(value as number) : value;
    }
    return row as Pick<PositionRow, Column>;
  });
}

/** The same as columns. */
export const columnsOfDay = <Name extends keyof TrackPosition>(
  track: Uint8Array,
  names: readonly Name[],
): { [K in Name | 'fixAt']: TrackPosition[K][] } => unpackColumns(track, ['fixAt', ...names], [ZSTD]) as never;

/** A packed day, to read its columns one after the other. Throws `DamagedTrack`. */
export const openDay = (track: Uint8Array): OpenTrack => openTrack(track, [ZSTD]);

/** What a packed day calls a column of the table. */
export const nameOf = (column: keyof PositionRow): keyof TrackPosition =>
  column === 'fix_at' ? 'fixAt' : column === 'received_at' ? 'receivedAt' : column;

const toTrackPosition = ({ fix_at, received_at, attributes, ...row }: PositionRow): TrackPosition => ({
  ...row,
  fixAt: fix_at.getTime(),
  receivedAt: received_at.getTime(),
  attributes: attributes as TrackPosition['attributes'],
});

function isSameRow(one: PositionRow, other: PositionRow | undefined): boolean {
  if (!other) return false;
  return (Object.keys(other) as (keyof PositionRow)[]).every(name => {
    const [a, b] = [one[name], other[name]];
    return Object.is(a, b) || (typeof a === 'object' && isDeepStrictEqual(a, b));
  });
}

/** As `json_populate_recordset` reads them; a negative zero would otherwise be lost. */
export const rowsAsJson = (rows: readonly object[]): string =>
  JSON.stringify(rows, (_name, value) => (Object.is(value, -0) ? rawJson('-0') : value));

/** ECMAScript 2026; the libraries of the compiler's target don't have it yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
