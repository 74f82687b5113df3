/**
 * Values one after the other as PostgreSQL's binary protocol writes them in arrays and in rows of COPY: a length in four
 * bytes, −1 for null, then the value in network byte order. It spares both sides the text: a row costs a third of what it
 * costs as text here, and the database parses nothing but JSON.
 */

const NULL_LENGTH = -1;
/** PostgreSQL counts microseconds from 2000-01-01. */
const POSTGRES_EPOCH_MS = 946_684_800_000;
const TWO_TO_32 = 4_294_967_296;
const JSONB_VERSION = 1;

export class BinaryFields {
  readonly #start: number;
  #bytes: Buffer = Buffer.allocUnsafe(16_384);
  #end: number;
  #count = 0;
  #nulls = 0;

  /** Reserves `headerBytes` before the first value. */
  constructor(headerBytes: number) {
    this.#start = headerBytes;
    this.#end = headerBytes;
  }

  clear(): void {
    this.#end = this.#start;
    this.#count = 0;
    this.#nulls = 0;
  }

  get count(): number {
    return this.#count;
  }

  get hasNulls(): boolean {
    return this.#nulls > 0;
  }

  /** Header and values so far. The bytes are reused after `clear`. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  // In each of these, room is made before `#bytes` is looked at: making room may move it.

  /** Two bytes without a length, as between rows. */
  plainInt2(value: number): void {
    this.#reserve(2);
    this.#end = this.#bytes.writeInt16BE(value, this.#end);
  }

  int2(value: number | null): void {
    if (value === null) {
      this.#null();
      return;
    }
    const at = this.#element(2);
    this.#bytes.writeInt16BE(value, at);
  }

  int4(value: number): void {
    const at = this.#element(4);
    this.#bytes.writeInt32BE(value, at);
  }

  float4(value: number | null): void {
    if (value === null) {
      this.#null();
      return;
    }
    const at = this.#element(4);
    this.#bytes.writeFloatBE(value, at);
  }

  float8(value: number | null): void {
    if (value === null) {
      this.#null();
      return;
    }
    const at = this.#element(8);
    this.#bytes.writeDoubleBE(value, at);
  }

  bool(value: boolean | null): void {
    if (value === null) {
      this.#null();
      return;
    }
    const at = this.#element(1);
    this.#bytes[at] = value ? 1 : 0;
  }

  /** Whole milliseconds since 1970. */
  timestamptz(ms: number): void {
    const at = this.#element(8);
    const micros = (ms - POSTGRES_EPOCH_MS) * 1000;
    if (!Number.isSafeInteger(micros)) {
      this.#bytes.writeBigInt64BE(BigInt(ms - POSTGRES_EPOCH_MS) * 1000n, at);
      return;
    }
    const high = Math.floor(micros / TWO_TO_32);
    this.#bytes.writeInt32BE(high, at);
    this.#bytes.writeUInt32BE(micros - high * TWO_TO_32, at + 4);
  }

  text(value: string | null): void {
    if (value === null) {
      this.#null();
      return;
    }
    this.#utf8(value, 0);
  }

  json(value: unknown): void {
    if (value === null) {
      this.#null();
      return;
    }
    this.#utf8(JSON.stringify(value), 0);
  }

  jsonb(value: unknown): void {
    if (value === null) {
      this.#null();
      return;
    }
    const at = this.#utf8(JSON.stringify(value), 1);
    this.#bytes[at] = JSONB_VERSION;
  }

  #null(): void {
    this.#reserve(4);
    this.#end = this.#bytes.writeInt32BE(NULL_LENGTH, this.#end);
    this.#nulls++;
    this.#count++;
  }

  /** Answers where the value's `size` bytes go. */
  #element(size: number): number {
    this.#reserve(4 + size);
    const at = this.#bytes.writeInt32BE(size, this.#end);
    this.#end = at + size;
    this.#count++;
    return at;
  }

  #utf8(value: string, prefix: number): number {
    // No UTF-16 unit takes more than three bytes of UTF-8.
    this.#reserve(4 + prefix + value.length * 3);
    const at = this.#end + 4;
    const size = prefix + this.#bytes.write(value, at + prefix, 'utf8');
    this.#bytes.writeInt32BE(size, this.#end);
    this.#end = at + size;
    this.#count++;
    return at;
  }

  #reserve(size: number): void {
    if (this.#end + size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#end + size));
    this.#bytes.copy(grown, 0, 0, this.#end);
    this.#bytes = grown;
  }
}
