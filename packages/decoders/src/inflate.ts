/**
 * Data compressed with DEFLATE (RFC 1951) in the zlib format (RFC 1950). Pure and bounded: null for wrong data, and for
 * more than `most` bytes.
 */
export function inflate(zlib: Uint8Array, most: number): Uint8Array | null {
  if (!isZlib(zlib) || zlib.length < HEADER_BYTES + CHECKSUM_BYTES) return null;
  const bits = new Bits(zlib, HEADER_BYTES, zlib.length - CHECKSUM_BYTES);
  const out = new Output(most);
  for (let last = false; !last; ) {
    last = bits.take(1) === 1;
    if (!block(bits, out) || bits.overrun || out.overrun) return null;
  }
  const content = out.done();
  const view = new DataView(zlib.buffer, zlib.byteOffset, zlib.byteLength);
  return view.getUint32(zlib.length - CHECKSUM_BYTES) === adler32(content) ? content : null;
}

const HEADER_BYTES = 2;
const CHECKSUM_BYTES = 4;

/** Method 8 without a dictionary, and the header divisible by 31. */
export function isZlib(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x0f) === 8 && (flags & 0x20) === 0 && (method * 256 + flags) % 31 === 0;
}

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}

/** Bits from the lowest of each byte; past the end they are zeros. */
class Bits {
  overrun = false;
  private readonly bytes: Uint8Array;
  private readonly end: number;
  private at: number;
  private bit = 0;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }

  take(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++) value |= this.one() << i;
    return value;
  }

  one(): number {
    if (this.at >= this.end) {
      this.overrun = true;
      return 0;
    }
    const value = ((this.bytes[this.at] ?? 0) >> this.bit) & 1;
    this.bit = (this.bit + 1) & 7;
    if (this.bit === 0) this.at++;
    return value;
  }

  /** The next whole bytes. */
  aligned(count: number): Uint8Array {
    if (this.bit !== 0) {
      this.bit = 0;
      this.at++;
    }
    const from = this.at;
    this.at += count;
    this.overrun ||= this.at > this.end;
    return this.bytes.subarray(from, Math.min(this.at, this.end));
  }
}

class Output {
  overrun = false;
  private readonly bytes: Uint8Array;
  private length = 0;

  constructor(most: number) {
    this.bytes = new Uint8Array(most);
  }

  put(byte: number): void {
    if (this.length < this.bytes.length) this.bytes[this.length++] = byte;
    else this.overrun = true;
  }

  /** Repeats `length` bytes from `distance` before the end; false if there are none. */
  repeat(length: number, distance: number): boolean {
    if (distance > this.length) return false;
    for (let i = 0; i < length && !this.overrun; i++) this.put(this.bytes[this.length - distance] ?? 0);
    return true;
  }

  done(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }
}

function block(bits: Bits, out: Output): boolean {
  const type = bits.take(2);
  if (type === 0) return stored(bits, out);
  if (type === 1) return compressed(bits, out, FIXED, FIXED_DISTANCES);
  const codes = type === 2 ? readCodes(bits) : null;
  return codes !== null && compressed(bits, out, codes.literals, codes.distances);
}

function stored(bits: Bits, out: Output): boolean {
  const [low = 0, high = 0, invertedLow = 0, invertedHigh = 0] = bits.aligned(4);
  const length = low + high * 256;
  if (length + invertedLow + invertedHigh * 256 !== 0xffff) return false;
  for (const byte of bits.aligned(length)) out.put(byte);
  return true;
}

/** Canonical Huffman codes: how many there are of each length, and their symbols in order. */
interface Code {
  readonly counts: readonly number[];
  readonly symbols: readonly number[];
}

const LONGEST_CODE = 15;

function codeOf(lengths: readonly number[]): Code {
  const counts: number[] = new Array(LONGEST_CODE + 1).fill(0);
  for (const length of lengths) if (length > 0) counts[length] = (counts[length] ?? 0) + 1;
  const symbols = lengths.map((length, symbol) => ({ length, symbol })).filter(({ length }) => length > 0);
  return {
    counts,
    symbols: symbols.sort((a, b) => a.length - b.length || a.symbol - b.symbol).map(each => each.symbol),
  };
}

/** -1: no such code. */
function symbolOf(bits: Bits, { counts, symbols }: Code): number {
  let [code, first, index] = [0, 0, 0];
  for (let length = 1; length <= LONGEST_CODE; length++) {
    code |= bits.one();
    const count = counts[length] ?? 0;
    if (code - first < count) return symbols[index + code - first] ?? -1;
    index += count;
    first = (first + count) << 1;
    code <<= 1;
  }
  return -1;
}

const repeated = (count: number, length: number): number[] => new Array(count).fill(length);
const FIXED = codeOf([...repeated(144, 8), ...repeated(112, 9), ...repeated(24, 7), ...repeated(8, 8)]);
const FIXED_DISTANCES = codeOf(repeated(30, 5));

const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12_289, 16_385, 24_577,
];
const END_OF_BLOCK = 256;

function compressed(bits: Bits, out: Output, literals: Code, distances: Code): boolean {
  while (!bits.overrun && !out.overrun) {
    const symbol = symbolOf(bits, literals);
    if (symbol === END_OF_BLOCK) return true;
    if (symbol < 0) return false;
    if (symbol < END_OF_BLOCK) {
      out.put(symbol);
      continue;
    }
    const base = LENGTHS[symbol - END_OF_BLOCK - 1];
    if (base === undefined) return false;
    const length = base + bits.take(LENGTH_BITS[symbol - END_OF_BLOCK - 1] ?? 0);
    const code = symbolOf(bits, distances);
    const distance = DISTANCES[code];
    if (distance === undefined || !out.repeat(length, distance + bits.take(code < 4 ? 0 : (code >> 1) - 1)))
      return false;
  }
  return false;
}

/** The order in which the lengths of the codes for lengths come. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function readCodes(bits: Bits): { readonly literals: Code; readonly distances: Code } | null {
  const literals = bits.take(5) + 257;
  const distances = bits.take(5) + 1;
  const ordered = bits.take(4) + 4;
  const ofLengths: number[] = repeated(ORDER.length, 0);
  for (const symbol of ORDER.slice(0, ordered)) ofLengths[symbol] = bits.take(3);
  const code = codeOf(ofLengths);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const symbol = symbolOf(bits, code);
    if (symbol < 0 || bits.overrun) return null;
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) lengths.push(...repeated(3 + bits.take(2), lengths.at(-1) ?? 0));
    else lengths.push(...repeated(symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7), 0));
  }
  return {
    literals: codeOf(lengths.slice(0, literals)),
    distances: codeOf(lengths.slice(literals, literals + distances)),
  };
}
