import { type ByteReader, type ByteWriter, DamagedTrack, MAX_INTEGER, zigzag } from './bytes.ts';

/** A number as a whole one, so that differences are small; `back` gives exactly what was there, or it isn't used. */
interface Scale {
  readonly to: (value: number) => number;
  readonly back: (whole: number) => number;
}

const parts = (divisor: number): Scale => ({
  to: value => Math.round(value * divisor),
  back: whole => whole / divisor,
});

/** As a column of four bytes gives it back: the shortest decimal that means the same. */
export function shortestOfFour(value: number): number {
  const kept = Math.fround(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(kept.toPrecision(digits));
    if (Math.fround(short) === kept) return short;
  }
  return Number(kept.toPrecision(9));
}

/** Speeds are few, and their shortest decimal takes a while to find: up to 409 km/h in tenths are remembered. */
const FEW_BACK = 4096;

function partsOfFour(divisor: number): Scale {
  const known = new Float64Array(FEW_BACK).fill(Number.NaN);
  const back = (whole: number): number => {
    const before = known[whole] ?? Number.NaN;
    // Not a number: not known yet, or not one of those that are kept.
    if (!Number.isNaN(before)) return before;
    const value = shortestOfFour(whole / divisor);
    if (whole >= 0 && whole < FEW_BACK) known[whole] = value;
    return value;
  };
  return { to: value => Math.round(value * divisor), back };
}

/** The place in this list is written: add at its end only. Tried from the left: the coarsest that is exact is used. */
const SCALES: readonly Scale[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(digits => parts(10 ** digits)),
  // Degrees of trackers that count 1/10,000 minutes and their like.
  parts(600_000),
  parts(1_800_000),
  parts(3_600_000),
  parts(6_000_000),
  // km/h in m/s, in whole numbers and tenths.
  partsOfFour(3.6),
  partsOfFour(36),
  partsOfFour(360),
];
const FEW = SCALES.length;
const RAW = SCALES.length + 1;

const isKept = ({ to, back }: Scale, value: number): boolean => {
  const whole = to(value);
  return Math.abs(whole) <= MAX_INTEGER && Object.is(back(whole), value);
};

/** Numbers without gaps: whole ones at the coarsest exact scale, else from a list of the few that occur, else as is. */
export function writeNumbers(to: ByteWriter, values: readonly number[]): void {
  const scale = SCALES.findIndex(each => values.every(value => isKept(each, value)));
  if (scale >= 0) {
    to.byte(scale);
    writeWhole(
      to,
      // Without the sign of a zero that rounding may leave.
      values.map(value => (SCALES[scale] as Scale).to(value) + 0),
    );
    return;
  }
  const places = new Map<number, number>();
  // A map takes both zeros for one.
  const hasMinusZero = values.some(value => Object.is(value, -0));
  for (const value of values) if (!places.has(value)) places.set(value, places.size);
  if (!hasMinusZero && places.size * 2 <= values.length) {
    to.byte(FEW);
    to.varint(places.size);
    for (const value of places.keys()) to.float64(value);
    for (const value of values) to.varint(places.get(value) as number);
    return;
  }
  to.byte(RAW);
  writePlanes(to, values);
}

/** All of them, or those from `lo` to before `hi`. */
export function readNumbers(from: ByteReader, count: number, lo = 0, hi = count): number[] {
  const kind = from.byte();
  if (kind === RAW) return readPlanes(from, count).slice(lo, hi);
  if (kind === FEW) {
    const few = fewIn(from, count);
    from.skipVarints(lo);
    const values = from.wholes(hi - lo, 0, 0, hi - lo);
    for (let i = 0; i < values.length; i++) {
      // Read as one of either sign.
      const value = few[zigzag(values[i] as number)];
      if (value === undefined) throw new DamagedTrack('A number of the track is not in its list');
      values[i] = value;
    }
    from.skipVarints(count - hi);
    return values;
  }
  const scale = SCALES[kind];
  if (!scale) throw new DamagedTrack(`The track has numbers of an unknown kind: ${kind}`);
  const values = readWhole(from, count, lo, hi);
  for (let i = 0; i < values.length; i++) values[i] = scale.back(values[i] as number);
  return values;
}

const fewIn = (from: ByteReader, count: number): number[] =>
  Array.from({ length: bounded(from.varint(), count) }, () => from.float64());

/** Goes past a column of numbers. */
export function skipNumbers(from: ByteReader, count: number): void {
  const kind = from.byte();
  if (kind === RAW) from.bytes(count * 8);
  else if (kind === FEW) {
    fewIn(from, count);
    from.skipVarints(count);
  } else skipWhole(from, count);
}

const bounded = (length: number, count: number): number => {
  if (length > count) throw new DamagedTrack('A list of the track is longer than the track');
  return length;
};

/** All first bytes, then all second ones…: what is alike stands together. */
function writePlanes(to: ByteWriter, values: readonly number[]): void {
  const bytes = new Uint8Array(Float64Array.from(values).buffer);
  for (let plane = 7; plane >= 0; plane--) {
    for (let i = 0; i < values.length; i++) to.byte(bytes[i * 8 + plane] as number);
  }
}

function readPlanes(from: ByteReader, count: number): number[] {
  const bytes = new Uint8Array(count * 8);
  for (let plane = 7; plane >= 0; plane--) {
    const read = from.bytes(count);
    for (let i = 0; i < count; i++) bytes[i * 8 + plane] = read[i] as number;
  }
  return [...new Float64Array(bytes.buffer)];
}

/** Whole numbers up to MAX_INTEGER as they are, as differences, or as differences of these: what is shortest. */
export function writeWhole(to: ByteWriter, values: readonly number[]): void {
  const once = differences(values);
  const twice = differences(once);
  const rows = [values, once, twice];
  const lengths = rows.map(cost);
  const order = lengths.indexOf(Math.min(...lengths));
  to.byte(order);
  to.allSigned(rows[order] as readonly number[]);
}

/** The same for nothing but zeros. */
export function writeZeros(to: ByteWriter, count: number): void {
  to.byte(0);
  to.bytes(new Uint8Array(count));
}

export function readWhole(from: ByteReader, count: number, lo = 0, hi = count): number[] {
  const order = from.byte();
  if (order !== 0 && order !== 1 && order !== 2) {
    throw new DamagedTrack(`The track has differences of an unknown order: ${order}`);
  }
  return from.wholes(count, order, lo, hi);
}

/** Goes past a column of whole numbers. */
export function skipWhole(from: ByteReader, count: number): void {
  from.byte();
  from.skipVarints(count);
}

function differences(values: readonly number[]): number[] {
  const all = new Array<number>(values.length);
  let before = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    all[i] = value - before;
    before = value;
  }
  return all;
}

/** How many values tell what a row costs. */
const SAMPLE = 1024;

/** About the bits that a row takes when it is compressed behind. */
function cost(values: readonly number[]): number {
  let bits = 0;
  const step = Math.ceil(values.length / SAMPLE);
  for (let i = 0; i < values.length; i += step) {
    const size = Math.abs(values[i] as number);
    bits += size < 2 ** 31 ? 32 - Math.clz32(size) : Math.log2(size);
  }
  return bits;
}

/** Numbers of which some are missing: which ones, as lengths of runs, and those that are there. */
export function writeSparse<T>(
  to: ByteWriter,
  values: readonly (T | null)[],
  writeDense: (to: ByteWriter, dense: readonly T[]) => void,
): void {
  if (!values.includes(null)) {
    to.varint(1);
    to.varint(values.length);
    writeDense(to, values as readonly T[]);
    return;
  }
  const runs: number[] = [];
  let isPresent = true;
  let run = 0;
  for (const value of values) {
    if ((value !== null) !== isPresent) {
      runs.push(run);
      run = 0;
      isPresent = !isPresent;
    }
    run++;
  }
  if (run > 0) runs.push(run);
  to.varint(runs.length);
  for (const length of runs) to.varint(length);
  const dense = values.filter(value => value !== null);
  if (dense.length > 0) writeDense(to, dense);
}

/** The same if none of them is there. */
export function writeNoneOf(to: ByteWriter, count: number): void {
  to.varint(2);
  to.varint(0);
  to.varint(count);
}

export function readSparse<T>(
  from: ByteReader,
  count: number,
  readDense: (from: ByteReader, count: number, lo: number, hi: number) => T[],
  lo = 0,
  hi = count,
): (T | null)[] {
  const { runs, present } = runsOf(from, count);
  if (present === count) return readDense(from, present, lo, hi);
  if (present === 0) return new Array<null>(hi - lo).fill(null);
  // How many of those that are there stand before either end.
  let [first, last, at] = [0, 0, 0];
  for (const [i, run] of runs.entries()) {
    if (i % 2 === 0) {
      first += Math.max(0, Math.min(run, lo - at));
      last += Math.max(0, Math.min(run, hi - at));
    }
    at += run;
  }
  const dense = present > 0 ? readDense(from, present, first, last) : [];
  const values: (T | null)[] = [];
  let next = 0;
  at = 0;
  for (const [i, run] of runs.entries()) {
    const shown = Math.min(hi, at + run) - Math.max(lo, at);
    for (let n = 0; n < shown; n++) values.push(i % 2 === 0 ? (dense[next++] as T) : null);
    at += run;
  }
  return values;
}

/** Goes past a column of which some are missing. */
export function skipSparse(
  from: ByteReader,
  count: number,
  skipDense: (from: ByteReader, count: number) => void,
): void {
  const { present } = runsOf(from, count);
  if (present > 0) skipDense(from, present);
}

function runsOf(from: ByteReader, count: number): { readonly runs: readonly number[]; readonly present: number } {
  const runs = Array.from({ length: bounded(from.varint(), count + 1) }, () => from.varint());
  if (runs.reduce((sum, run) => sum + run, 0) !== count) throw new DamagedTrack('A column of the track has gaps');
  return { runs, present: runs.reduce((sum, run, i) => (i % 2 === 0 ? sum + run : sum), 0) };
}
