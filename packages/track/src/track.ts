import { ByteReader, ByteWriter, DamagedTrack, MAX_INTEGER } from './bytes.ts';
import { crc32 } from './checksum.ts';
import { COLUMN_NAMES, ColumnReader, type SomeColumns, type TrackColumns, writeColumns } from './columns.ts';
import type { TrackPosition } from './position.ts';

/** How the columns are compressed behind the header. The number is written; `plain` leaves them as they are. */
export interface Packing {
  readonly number: number;
  readonly pack: (bytes: Uint8Array) => Uint8Array;
  /** Refuses what would be longer. */
  readonly unpack: (bytes: Uint8Array, length: number) => Uint8Array;
  /** A faster CRC-32 (IEEE 802.3) than this package's own, if there is one. */
  readonly crc32?: (bytes: Uint8Array, before?: number) => number;
}

const PLAIN: Packing = { number: 0, pack: bytes => bytes, unpack: bytes => bytes };

/** What is known of a track without unpacking it. */
export interface TrackHeader {
  readonly count: number;
  /** Of valid fixes without a doubt. */
  readonly believed: number;
  readonly late: number;
  /** Milliseconds since 1970; of the first and the last fix. */
  readonly firstAt: number;
  readonly lastAt: number;
  readonly minLat: number;
  readonly minLon: number;
  readonly maxLat: number;
  readonly maxLon: number;
}

const MAGIC = 0x54_4d_50_01; // Read from its low byte: 1, "PMT".
const VERSION = 1;
/** More than one a 100 ms all day long: nothing a tracker sends, and a bound for what unpacking may take. */
const MAX_COUNT = 1_000_000;
/** Header with its own checksum and that of what follows. */
const HEADER_BYTES = 4 + 1 + 1 + 3 * 4 + 6 * 8 + 4 * 4;

/** Positions in the order of their fix times, each time once, as a header and columns. Refuses what it can't keep. */
export function packTrack(positions: readonly TrackPosition[], packing: Packing = PLAIN): Uint8Array {
  const columns: Record<string, unknown[]> = {};
  for (const name of COLUMN_NAMES) columns[name] = positions.map(position => position[name]);
  return packColumns(columns as unknown as TrackColumns, packing);
}

/** The same from the columns of the positions. */
export function packColumns(columns: SomeColumns, packing: Packing = PLAIN): Uint8Array {
  const { fixAt, receivedAt = fixAt, lat, lon, valid, doubts, late = [] } = columns;
  const [first, last] = [fixAt[0], fixAt.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('A track has at least one position');
  if (fixAt.length > MAX_COUNT) throw new RangeError(`A track has at most ${MAX_COUNT} positions`);
  for (let i = 0; i < fixAt.length; i++) {
    const at = fixAt[i] as number;
    if (!isMoment(at) || !isMoment(receivedAt[i] as number)) throw new RangeError('A track keeps whole milliseconds');
    if (i > 0 && at <= (fixAt[i - 1] as number)) {
      throw new RangeError('Positions of a track are in the order of time, each moment once');
    }
  }
  const header: TrackHeader = {
    count: fixAt.length,
    believed: valid.filter((isValid, i) => isValid && doubts[i] === 0).length,
    late: late.filter(Boolean).length,
    firstAt: first,
    lastAt: last,
    minLat: least(lat),
    minLon: least(lon),
    maxLat: greatest(lat),
    maxLon: greatest(lon),
  };
  return withHeader(header, writeColumns(columns), packing);
}

function withHeader(header: TrackHeader, columns: Uint8Array, { crc32: crc = crc32, ...packing }: Packing): Uint8Array {
  const packed = packing.pack(columns);
  const to = new ByteWriter();
  to.uint32(MAGIC);
  to.byte(VERSION);
  to.byte(packing.number);
  to.uint32(header.count);
  to.uint32(header.believed);
  to.uint32(header.late);
  to.float64(header.firstAt);
  to.float64(header.lastAt);
  to.float64(header.minLat);
  to.float64(header.minLon);
  to.float64(header.maxLat);
  to.float64(header.maxLon);
  to.uint32(columns.length);
  to.uint32(packed.length);
  to.uint32(crc(columns));
  to.uint32(crc(packed, crc(to.finish())));
  to.bytes(packed);
  return to.finish();
}

const isMoment = (time: number): boolean => Number.isInteger(time) && Math.abs(time) <= MAX_INTEGER / 4;
const least = (values: readonly number[]): number =>
  values.reduce((known, value) => Math.min(known, value), Number.POSITIVE_INFINITY);
const greatest = (values: readonly number[]): number =>
  values.reduce((known, value) => Math.max(known, value), Number.NEGATIVE_INFINITY);

function readHead(bytes: Uint8Array) {
  if (bytes.length < HEADER_BYTES) throw new DamagedTrack('The track ends within its header');
  const from = new ByteReader(bytes);
  if (from.uint32() !== MAGIC) throw new DamagedTrack('This is no track');
  const version = from.byte();
  const packing = from.byte();
  const [count, believed, late] = [from.uint32(), from.uint32(), from.uint32()];
  const [firstAt, lastAt] = [from.float64(), from.float64()];
  const [minLat, minLon, maxLat, maxLon] = [from.float64(), from.float64(), from.float64(), from.float64()];
  const [length, packedLength, columnsSum] = [from.uint32(), from.uint32(), from.uint32()];
  const header: TrackHeader = { count, believed, late, firstAt, lastAt, minLat, minLon, maxLat, maxLon };
  return { from, version, packing, header, length, packedLength, columnsSum };
}

function read(bytes: Uint8Array, crc = crc32) {
  const { from, version, packing, header, length, packedLength, columnsSum } = readHead(bytes);
  const sum = from.uint32();
  if (from.left !== packedLength) throw new DamagedTrack('The track has another length than its header says');
  const packed = from.bytes(packedLength);
  if (crc(packed, crc(bytes.subarray(0, HEADER_BYTES - 4))) !== sum) {
    throw new DamagedTrack('The track’s checksum is wrong');
  }
  refuseImpossible(version, header);
  return { header, packing, length, columnsSum, packed };
}

function refuseImpossible(version: number, { count }: TrackHeader): void {
  if (version !== VERSION) throw new DamagedTrack(`The track is of version ${version}; this program reads ${VERSION}`);
  if (count === 0 || count > MAX_COUNT) throw new DamagedTrack('The track has an impossible number of positions');
}

/** What the header says, after a look at the checksum. */
export const headerOf = (bytes: Uint8Array): TrackHeader => read(bytes).header;

/** The same from the first 128 bytes alone: without the checksum, which is over all of them. */
export function headOf(bytes: Uint8Array): TrackHeader {
  const { header, version } = readHead(bytes);
  refuseImpossible(version, header);
  return header;
}

/** A track whose checksums are right; some of its columns can be read now, others later. */
export interface OpenTrack {
  readonly header: TrackHeader;
  /** Columns as they were packed. What stands behind the last one asked for is not read. */
  columns<Name extends keyof TrackPosition>(
    names: readonly Name[],
    /** Only the values from this place to before that one. */
    part?: readonly [lo: number, hi: number],
  ): Pick<TrackColumns, Name>;
  /**
   * A track of the same positions, not compressed, with these columns, copied byte by byte; the others say nothing, as
   * in `SomeColumns`. Far quicker than reading and packing them again.
   */
  only(names: readonly (keyof TrackPosition)[]): Uint8Array;
}

/** Looks at the header and its checksum now, and unpacks the columns when the first one is asked for; or a `DamagedTrack`. */
export function openTrack(bytes: Uint8Array, packings: readonly Packing[] = []): OpenTrack {
  const crc = packings.find(each => each.crc32)?.crc32 ?? crc32;
  const { header, packing: number, length, columnsSum, packed } = read(bytes, crc);
  const packing = [PLAIN, ...packings].find(each => each.number === number);
  if (!packing) throw new DamagedTrack(`The track is packed in a way that is unknown here: ${number}`);
  let opened: ColumnReader | null = null;
  const reader = (): ColumnReader => {
    if (opened) return opened;
    const columns = unpackWith(packing, packed, length);
    if (columns.length !== length || crc(columns) !== columnsSum) {
      throw new DamagedTrack('The track’s columns are not those that were packed');
    }
    opened = new ColumnReader(columns, header);
    return opened;
  };
  return {
    header,
    columns: (names, [lo, hi] = [0, header.count]) => reader().read(names, lo, hi),
    only: names =>
      withHeader({ ...header, late: names.includes('late') ? header.late : 0 }, reader().copy(names), {
        ...PLAIN,
        crc32: crc,
      }),
  };
}

/** Columns as they were packed, or a `DamagedTrack`. What stands behind the last one asked for is not read. */
export const unpackColumns = <Name extends keyof TrackPosition>(
  bytes: Uint8Array,
  names: readonly Name[],
  packings: readonly Packing[] = [],
): Pick<TrackColumns, Name> => openTrack(bytes, packings).columns(names);

/** The positions as they were packed, or a `DamagedTrack`. */
export function unpackTrack(bytes: Uint8Array, packings: readonly Packing[] = []): TrackPosition[] {
  const columns = unpackColumns(bytes, COLUMN_NAMES, packings);
  return columns.fixAt.map((_, i) => {
    const position: Record<string, unknown> = {};
    for (const name of COLUMN_NAMES) position[name] = columns[name][i];
    return position as unknown as TrackPosition;
  });
}

function unpackWith({ unpack }: Packing, packed: Uint8Array, length: number): Uint8Array {
  try {
    return unpack(packed, length);
  } catch (error) {
    throw new DamagedTrack('The track’s columns can’t be unpacked', { cause: error });
  }
}
