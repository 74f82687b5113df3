import { readAttributes, writeAttributes } from './attributes.ts';
import { ByteReader, ByteWriter, DamagedTrack, MAX_INTEGER } from './bytes.ts';
import { crc32 } from './checksum.ts';
import {
  readNumbers,
  readSparse,
  readWhole,
  skipNumbers,
  skipSparse,
  skipWhole,
  writeNumbers,
  writeSparse,
  writeWhole,
} from './numbers.ts';
import type { TrackPosition } from './position.ts';
import { readTexts, skipTexts, writeTexts } from './texts.ts';

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

const NUMBERS = [
  'speed',
  'course',
  'altitude',
  'odometer',
  'fuel',
  'temperature',
  'hdop',
  'satellites',
  'gsm',
] as const;

/** Positions in the order of their fix times, each time once, as a header and columns. Refuses what it can't keep. */
export function packTrack(positions: readonly TrackPosition[], packing: Packing = PLAIN): Uint8Array {
  const columns: Record<string, unknown[]> = {};
  for (const name of COLUMN_NAMES) columns[name] = positions.map(position => position[name]);
  return packColumns(columns as unknown as TrackColumns, packing);
}

/** The same from the columns of the positions. */
export function packColumns(columns: TrackColumns, packing: Packing = PLAIN): Uint8Array {
  const { fixAt, receivedAt, lat, lon, valid, doubts } = columns;
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
  const written = writeColumns(columns);
  const packed = packing.pack(written);
  const header = new ByteWriter();
  header.uint32(MAGIC);
  header.byte(VERSION);
  header.byte(packing.number);
  header.uint32(fixAt.length);
  header.uint32(valid.filter((isValid, i) => isValid && doubts[i] === 0).length);
  header.uint32(columns.late.filter(Boolean).length);
  header.float64(first);
  header.float64(last);
  header.float64(least(lat));
  header.float64(least(lon));
  header.float64(greatest(lat));
  header.float64(greatest(lon));
  header.uint32(written.length);
  header.uint32(packed.length);
  header.uint32(crc32(written));
  header.uint32(crc32(packed, crc32(header.finish())));
  header.bytes(packed);
  return header.finish();
}

const isMoment = (time: number): boolean => Number.isInteger(time) && Math.abs(time) <= MAX_INTEGER / 4;
const least = (values: readonly number[]): number =>
  values.reduce((known, value) => Math.min(known, value), Number.POSITIVE_INFINITY);
const greatest = (values: readonly number[]): number =>
  values.reduce((known, value) => Math.max(known, value), Number.NEGATIVE_INFINITY);

function writeColumns({ fixAt, receivedAt, lat, lon, ...columns }: TrackColumns): Uint8Array {
  const to = new ByteWriter();
  writeWhole(to, fixAt);
  const delays = receivedAt.map((at, i) => at - (fixAt[i] as number));
  writeWhole(to, delays);
  writeNumbers(to, lat);
  writeNumbers(to, lon);
  for (const name of NUMBERS) writeSparse(to, columns[name], writeNumbers);
  writeWhole(to, columns.valid.map(Number));
  writeWhole(to, columns.late.map(Number));
  const ignition = columns.ignition.map(value => (value === null ? null : Number(value)));
  writeSparse(to, ignition, writeWhole);
  writeWhole(to, columns.doubts);
  writeTexts(to, columns.protocol);
  writeSparse(to, columns.event, writeTexts);
  writeSparse(to, columns.rfid, writeTexts);
  writeSparse(to, columns.attributes, writeAttributes);
  return to.finish();
}

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

/** The columns of a track: of each property the values of all positions, in their order. */
export type TrackColumns = { readonly [Name in keyof TrackPosition]: readonly TrackPosition[Name][] };

/** A track whose checksums are right; some of its columns can be read now, others later. */
export interface OpenTrack {
  readonly header: TrackHeader;
  /** Columns as they were packed. What stands behind the last one asked for is not read. */
  columns<Name extends keyof TrackPosition>(
    names: readonly Name[],
    /** Only the values from this place to before that one. */
    part?: readonly [lo: number, hi: number],
  ): Pick<TrackColumns, Name>;
}

/** Looks at the header and its checksum now, and unpacks the columns when the first one is asked for; or a `DamagedTrack`. */
export function openTrack(bytes: Uint8Array, packings: readonly Packing[] = []): OpenTrack {
  const crc = packings.find(each => each.crc32)?.crc32 ?? crc32;
  const { header, packing: number, length, columnsSum, packed } = read(bytes, crc);
  const packing = [PLAIN, ...packings].find(each => each.number === number);
  if (!packing) throw new DamagedTrack(`The track is packed in a way that is unknown here: ${number}`);
  let reader: ColumnReader | null = null;
  const unpack = (): ColumnReader => {
    const columns = unpackWith(packing, packed, length);
    if (columns.length !== length || crc(columns) !== columnsSum) {
      throw new DamagedTrack('The track’s columns are not those that were packed');
    }
    return new ColumnReader(columns, header);
  };
  return {
    header,
    columns: (names, [lo, hi] = [0, header.count]) => {
      reader ??= unpack();
      return reader.read(names, lo, hi);
    },
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

interface Column {
  readonly read: (
    from: ByteReader,
    count: number,
    lo: number,
    hi: number,
    times: readonly number[],
  ) => readonly unknown[];
  readonly skip: (from: ByteReader, count: number) => void;
}

const sparse = <T>(
  read: (from: ByteReader, count: number, lo: number, hi: number) => T[],
  skip: (from: ByteReader, count: number) => void,
): Column => ({
  read: (from, count, lo, hi) => readSparse(from, count, read, lo, hi),
  skip: (from, count) => skipSparse(from, count, skip),
});
const whole: Column = { read: readWhole, skip: skipWhole };
const degrees: Column = { read: readNumbers, skip: skipNumbers };
const numbers = sparse(readNumbers, skipNumbers);
const texts = sparse(readTexts, skipTexts);
const readSwitches = (from: ByteReader, count: number, lo: number, hi: number): boolean[] => {
  const values = readWhole(from, count, lo, hi);
  const switches = new Array<boolean>(values.length);
  for (let i = 0; i < values.length; i++) switches[i] = values[i] === 1;
  return switches;
};
const switches: Column = { read: readSwitches, skip: skipWhole };

/** In the order in which they stand. */
const COLUMNS: Readonly<Record<keyof TrackPosition, Column>> = {
  fixAt: whole,
  receivedAt: {
    // Kept as delays.
    read: (from, count, lo, hi, times) =>
      readWhole(from, count, lo, hi).map((delay, i) => (times[lo + i] ?? 0) + delay),
    skip: skipWhole,
  },
  lat: degrees,
  lon: degrees,
  speed: numbers,
  course: numbers,
  altitude: numbers,
  odometer: numbers,
  fuel: numbers,
  temperature: numbers,
  hdop: numbers,
  satellites: numbers,
  gsm: numbers,
  valid: switches,
  late: switches,
  ignition: sparse(readSwitches, skipWhole),
  doubts: whole,
  protocol: { read: readTexts, skip: skipTexts },
  event: texts,
  rfid: texts,
  // The last one is never gone past.
  attributes: sparse(
    (from, count, lo, hi) => readAttributes(from, count).slice(lo, hi),
    () => {},
  ),
};
const COLUMN_NAMES = Object.keys(COLUMNS) as readonly (keyof TrackPosition)[];

/** Finds columns behind each other, and remembers where each begins. */
class ColumnReader {
  readonly #from: ByteReader;
  readonly #count: number;
  /** Columns of one value, as the header says. */
  readonly #same: Partial<Record<keyof TrackPosition, unknown>>;
  readonly #begins: number[] = [0];
  #fixAt: readonly number[] | null = null;

  constructor(bytes: Uint8Array, { believed, count, late }: TrackHeader) {
    this.#from = new ByteReader(bytes);
    this.#count = count;
    this.#same = { ...(believed === count && { valid: true, doubts: 0 }), ...(late === 0 && { late: false }) };
  }

  read<Name extends keyof TrackPosition>(names: readonly Name[], lo: number, hi: number): Pick<TrackColumns, Name> {
    const columns: Partial<Record<keyof TrackPosition, readonly unknown[]>> = {};
    this.#fixAt ??= this.#column('fixAt', 0, this.#count) as readonly number[];
    columns.fixAt = lo === 0 && hi === this.#count ? this.#fixAt : this.#fixAt.slice(lo, hi);
    for (const name of COLUMN_NAMES) {
      if (name === 'fixAt' || !(names as readonly string[]).includes(name)) continue;
      columns[name] = name in this.#same ? new Array(hi - lo).fill(this.#same[name]) : this.#column(name, lo, hi);
    }
    return columns as Pick<TrackColumns, Name>;
  }

  #column(name: keyof TrackPosition, lo: number, hi: number): readonly unknown[] {
    const nth = COLUMN_NAMES.indexOf(name);
    this.#goTo(nth);
    const values = COLUMNS[name].read(this.#from, this.#count, lo, hi, this.#fixAt ?? []);
    if (nth + 1 < COLUMN_NAMES.length) this.#begins[nth + 1] = this.#from.at;
    else if (this.#from.left > 0) throw new DamagedTrack('The track goes on behind its last column');
    return values;
  }

  #goTo(nth: number): void {
    let known = Math.min(nth, this.#begins.length - 1);
    this.#from.goTo(this.#begins[known] as number);
    for (; known < nth; known++) {
      COLUMNS[COLUMN_NAMES[known] as keyof TrackPosition].skip(this.#from, this.#count);
      this.#begins[known + 1] = this.#from.at;
    }
  }
}
