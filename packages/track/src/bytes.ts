/** What was read is not what was packed. Says what is wrong; nothing of it may be used. */
export class DamagedTrack extends Error {
  override readonly name = 'DamagedTrack';
}

/** The biggest number that a varint holds here: sums and differences of two stay exact. */
export const MAX_INTEGER = 2 ** 50;

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes that grow. */
export class ByteWriter {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  length = 0;

  #room(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const more = new Uint8Array(Math.max(this.#bytes.length * 2, this.length + count));
    more.set(this.#bytes);
    this.#bytes = more;
    this.#view = new DataView(more.buffer);
  }

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.length++] = value;
  }

  uint32(value: number): void {
    this.#room(4);
    this.#view.setUint32(this.length, value, true);
    this.length += 4;
  }

  float64(value: number): void {
    this.#room(8);
    this.#view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** A whole number from 0 on, seven bits a byte. */
  varint(value: number): void {
    this.#room(8);
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.length++] = (rest % 0x80) + 0x80;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.length++] = rest;
  }

  /** A whole number of either sign. */
  signed(value: number): void {
    this.varint(zigzag(value));
  }

  allSigned(values: readonly number[]): void {
    this.#room(values.length * 8);
    const bytes = this.#bytes;
    for (const value of values) {
      // Most are a single byte.
      if (value >= -64 && value < 64) bytes[this.length++] = (value << 1) ^ (value >> 31);
      else this.signed(value);
    }
  }

  text(value: string): void {
    const bytes = utf8.encode(value);
    this.varint(bytes.length);
    this.bytes(bytes);
  }

  bytes(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }
}

const unzigzag = (value: number): number => (value % 2 === 0 ? value / 2 : -(value + 1) / 2);
export const zigzag = (value: number): number => (value < 0 ? -value * 2 - 1 : value * 2);

/** Reads what a writer wrote, and never past its end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  get at(): number {
    return this.#at;
  }

  /** Goes on from a place where it was before. */
  goTo(at: number): void {
    this.#at = at;
  }

  #take(count: number): number {
    if (count > this.left) throw new DamagedTrack('The track ends early');
    const at = this.#at;
    this.#at += count;
    return at;
  }

  byte(): number {
    return this.#view.getUint8(this.#take(1));
  }

  uint32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  float64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 56; scale *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new DamagedTrack('A number of the track has no end');
  }

  signed(): number {
    return unzigzag(this.varint());
  }

  /**
   * Those from `lo` to before `hi` of so many whole numbers that were kept as they are, as differences (1) or as
   * differences of these (2), in less time than one by one.
   */
  wholes(count: number, order: 0 | 1 | 2, lo: number, hi: number): number[] {
    const bytes = this.#bytes;
    const values = new Array<number>(hi - lo);
    let at = this.#at;
    let [once, twice] = [0, 0];
    for (let i = 0; i < hi; i++) {
      let value: number;
      const byte = bytes[at] ?? 0x80;
      // What stays as it is stands as a row of zeros.
      if (byte === 0 && order === 1) {
        do {
          if (i >= lo) values[i - lo] = once;
          at++;
          i++;
        } while (i < hi && bytes[at] === 0);
        i--;
        continue;
      }
      const second = byte < 0x80 ? 0 : (bytes[at + 1] ?? 0x80);
      const third = second < 0x80 ? 0 : (bytes[at + 2] ?? 0x80);
      // Most are a single byte, and nearly all others two or three.
      if (byte < 0x80) {
        at++;
        value = (byte >>> 1) ^ -(byte & 1);
      } else if (third < 0x80) {
        const zigzagged = (byte & 0x7f) | ((second & 0x7f) << 7) | (third << 14);
        at += second < 0x80 ? 2 : 3;
        value = (zigzagged >>> 1) ^ -(zigzagged & 1);
      } else {
        this.#at = at;
        value = this.signed();
        at = this.#at;
      }
      once += value;
      twice += once;
      if (i >= lo) values[i - lo] = order === 0 ? value : order === 1 ? once : twice;
    }
    this.#at = at;
    this.skipVarints(count - hi);
    return values;
  }

  /** Goes past so many varints. */
  skipVarints(count: number): void {
    const bytes = this.#bytes;
    let [at, left] = [this.#at, count];
    // Four bytes at a time: the last one of each varint is below 0x80.
    for (const before = bytes.length - 4; left >= 4 && at <= before; at += 4) {
      const lasts = ~this.#view.getUint32(at) & 0x80808080;
      left -= Math.imul(lasts >>> 7, 0x01010101) >>> 24;
    }
    for (; left > 0; at++) {
      const byte = bytes[at];
      if (byte === undefined) throw new DamagedTrack('The track ends early');
      if (byte < 0x80) left--;
    }
    this.#at = at;
  }

  text(): string {
    const bytes = this.bytes(this.varint());
    try {
      return strictUtf8.decode(bytes);
    } catch {
      throw new DamagedTrack('A text of the track is not UTF-8');
    }
  }

  bytes(count: number): Uint8Array {
    const at = this.#take(count);
    return this.#bytes.subarray(at, at + count);
  }
}
