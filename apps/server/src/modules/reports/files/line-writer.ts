import { stringify } from 'csv-stringify/sync';

/** A spreadsheet runs a cell that starts like a formula (ASVS 5.0 1.2.10), so such cells get an apostrophe in front. */
export const CSV_FORMAT = { escape_formulas: true, record_delimiter: 'windows' } as const;

const PIECE_BYTES = 256 * 1024;
/** Most lines are shorter, and the parts of a line that are not text always are. */
const ROOM_BYTES = 4096;
const [COMMA, MINUS, POINT, ZERO, CR, LF] = [0x2c, 0x2d, 0x2e, 0x30, 0x0d, 0x0a];
/** Beyond this, a figure times its steps is no longer an exact integer. */
const EXACT = 1e15;
const TEXTS_REMEMBERED = 20_000;

/** A text as a cell of CSV, as `csv-stringify` writes it. */
export function cellBytes(text: string): Buffer {
  if (text === '') return Buffer.alloc(0);
  return Buffer.from(stringify([[text]], CSV_FORMAT).slice(0, -2));
}

/** Texts as cells; each is encoded once. */
export class TextCells {
  readonly #known = new Map<string, Buffer>();

  of(text: string): Buffer {
    let bytes = this.#known.get(text);
    if (bytes) return bytes;
    if (this.#known.size >= TEXTS_REMEMBERED) this.#known.clear();
    bytes = cellBytes(text);
    this.#known.set(text, bytes);
    return bytes;
  }
}

/**
 * Writes lines of CSV as bytes, digit by digit, because a string for each cell takes too long in a file of fifty million
 * lines. The bytes are those that `csv-stringify` gives.
 */
export class LineWriter {
  #bytes = Buffer.allocUnsafeSlow(PIECE_BYTES);
  #at = 0;

  /** Time to `take`. */
  get isFull(): boolean {
    return this.#at > PIECE_BYTES - ROOM_BYTES;
  }

  /** What was written since the last call. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#at);
    this.#bytes = Buffer.allocUnsafeSlow(PIECE_BYTES);
    this.#at = 0;
    return taken;
  }

  comma(): void {
    this.#bytes[this.#at++] = COMMA;
  }

  endLine(): void {
    this.#bytes[this.#at++] = CR;
    this.#bytes[this.#at++] = LF;
  }

  /** Bytes of a cell, or of the beginning of a line. */
  cell(bytes: Uint8Array): void {
    if (this.#at + bytes.length + ROOM_BYTES / 4 > this.#bytes.length) this.#grow(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** A figure rounded to steps of one in 10 to the power of `digits`, without zeros at its end. */
  figure(value: number, digits: number): void {
    const steps = POWERS[digits] as number;
    const whole = Math.round(value * steps);
    if (!(Math.abs(whole) < EXACT)) {
      this.cell(Buffer.from(String(whole / steps)));
      return;
    }
    if (whole < 0) this.#bytes[this.#at++] = MINUS;
    const size = Math.abs(whole);
    const units = Math.floor(size / steps);
    this.#units(units);
    let rest = size - units * steps;
    if (rest === 0) return;
    this.#bytes[this.#at++] = POINT;
    for (let step = steps / 10; rest > 0; step /= 10) {
      const digit = Math.floor(rest / step);
      this.#bytes[this.#at++] = ZERO + digit;
      rest -= digit * step;
    }
  }

  /** Two digits, `03`, and the character after them; 0 for none. */
  two(value: number, after: number): void {
    this.#bytes[this.#at] = ZERO + Math.floor(value / 10);
    this.#bytes[this.#at + 1] = ZERO + (value % 10);
    this.#bytes[this.#at + 2] = after;
    this.#at += after === 0 ? 2 : 3;
  }

  #units(value: number): void {
    let digits = 1;
    while (digits < POWERS.length && value >= (POWERS[digits] as number)) digits++;
    let rest = value;
    for (let i = this.#at + digits - 1; i >= this.#at; i--) {
      const next = Math.floor(rest / 10);
      this.#bytes[i] = ZERO + (rest - next * 10);
      rest = next;
    }
    this.#at += digits;
  }

  #grow(more: number): void {
    const larger = Buffer.allocUnsafeSlow(this.#at + more + PIECE_BYTES);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

const POWERS: readonly number[] = Array.from({ length: 17 }, (_, i) => 10 ** i);
