import { readAttributes, writeAttributes } from './attributes.ts';
import { ByteReader, ByteWriter, DamagedTrack } from './bytes.ts';
import {
  readNumbers,
  readSparse,
  readWhole,
  skipNumbers,
  skipSparse,
  skipWhole,
  writeNoneOf,
  writeNumbers,
  writeSparse,
  writeWhole,
  writeZeros,
} from './numbers.ts';
import type { TrackPosition } from './position.ts';
import { readTexts, skipTexts, writeTexts } from './texts.ts';

/** The columns of a track: of each property the values of all positions, in their order. */
export type TrackColumns = { readonly [Name in keyof TrackPosition]: readonly TrackPosition[Name][] };

/** When and where each position is, and whether it is believed: no track is without these. */
const LEAST = ['fixAt', 'lat', 'lon', 'valid', 'doubts'] as const;

/**
 * Columns that make a track. Those that are missing say nothing: received at the moment of the fix, not late, an empty
 * protocol, and null everywhere else.
 */
export type SomeColumns = Pick<TrackColumns, (typeof LEAST)[number]> & Partial<TrackColumns>;

interface Column {
  readonly read: (
    from: ByteReader,
    count: number,
    lo: number,
    hi: number,
    times: readonly number[],
  ) => readonly unknown[];
  readonly skip: (from: ByteReader, count: number) => void;
  readonly write: (to: ByteWriter, values: readonly never[], times: readonly number[]) => void;
  /** As many values that say nothing; not for columns that no track is without. */
  readonly writeNothing: (to: ByteWriter, count: number) => void;
}

const sparse = <T>(
  read: (from: ByteReader, count: number, lo: number, hi: number) => T[],
  skip: (from: ByteReader, count: number) => void,
  write: (to: ByteWriter, values: readonly T[]) => void,
): Column => ({
  read: (from, count, lo, hi) => readSparse(from, count, read, lo, hi),
  skip: (from, count) => skipSparse(from, count, skip),
  write: (to, values) => writeSparse<T>(to, values, write),
  writeNothing: writeNoneOf,
});
const whole: Column = { read: readWhole, skip: skipWhole, write: writeWhole, writeNothing: writeZeros };
const degrees: Column = { read: readNumbers, skip: skipNumbers, write: writeNumbers, writeNothing: writeZeros };
const numbers = sparse(readNumbers, skipNumbers, writeNumbers);
const texts = sparse(readTexts, skipTexts, writeTexts);
const readSwitches = (from: ByteReader, count: number, lo: number, hi: number): boolean[] => {
  const values = readWhole(from, count, lo, hi);
  const switches = new Array<boolean>(values.length);
  for (let i = 0; i < values.length; i++) switches[i] = values[i] === 1;
  return switches;
};
const writeSwitches = (to: ByteWriter, values: readonly boolean[]): void => writeWhole(to, values.map(Number));
const switches: Column = { ...whole, read: readSwitches, write: writeSwitches };

/** In the order in which they stand. */
const COLUMNS: Readonly<Record<keyof TrackPosition, Column>> = {
  fixAt: whole,
  receivedAt: {
    ...whole,
    // Kept as delays.
    read: (from, count, lo, hi, times) =>
      readWhole(from, count, lo, hi).map((delay, i) => (times[lo + i] ?? 0) + delay),
    write: (to, values: readonly number[], times) =>
      writeWhole(
        to,
        values.map((at, i) => at - (times[i] as number)),
      ),
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
  ignition: sparse(readSwitches, skipWhole, writeSwitches),
  doubts: whole,
  protocol: {
    read: readTexts,
    skip: skipTexts,
    write: writeTexts,
    writeNothing: (to, count) => writeTexts(to, new Array<string>(count).fill('')),
  },
  event: texts,
  rfid: texts,
  attributes: sparse(
    (from, count, lo, hi) => readAttributes(from, count).slice(lo, hi),
    // The last one: all that is left.
    from => from.bytes(from.left),
    writeAttributes,
  ),
};
export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly (keyof TrackPosition)[];

export function writeColumns(columns: SomeColumns): Uint8Array {
  const to = new ByteWriter();
  for (const name of COLUMN_NAMES) {
    const values = columns[name];
    if (values) COLUMNS[name].write(to, values as readonly never[], columns.fixAt);
    else COLUMNS[name].writeNothing(to, columns.fixAt.length);
  }
  return to.finish();
}

/** What a track's header tells about its columns. */
interface Counts {
  readonly count: number;
  readonly believed: number;
  readonly late: number;
}

/** Finds columns behind each other, and remembers where each begins. */
export class ColumnReader {
  readonly #from: ByteReader;
  readonly #count: number;
  /** Columns of one value, as the header says. */
  readonly #same: Partial<Record<keyof TrackPosition, unknown>>;
  readonly #begins: number[] = [0];
  #fixAt: readonly number[] | null = null;

  constructor(bytes: Uint8Array, { believed, count, late }: Counts) {
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

  /** These columns as they stand, and those that no track is without; the others say nothing. */
  copy(names: readonly (keyof TrackPosition)[]): Uint8Array {
    const copied = new Set<keyof TrackPosition>([...LEAST, ...names]);
    const to = new ByteWriter();
    for (const [nth, name] of COLUMN_NAMES.entries()) {
      if (!copied.has(name)) {
        COLUMNS[name].writeNothing(to, this.#count);
        continue;
      }
      this.#goTo(nth + 1);
      const end = this.#from.at;
      const begin = this.#begins[nth] as number;
      this.#from.goTo(begin);
      to.bytes(this.#from.bytes(end - begin));
    }
    return to.finish();
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
