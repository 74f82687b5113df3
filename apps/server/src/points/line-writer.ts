import { stringify } from 'csv-stringify/sync';

/** A spreadsheet runs a cell that starts like a formula (ASVS 5.0 1.2.10), so such cells get an apostrophe in front. */
export const CSV_FORMAT = { escape_formulas: true, record_delimiter: 'windows' } as const;

/** The parts of a line that are no texts are never longer. */
const ROOM_BYTES = 1024;
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

/** `000001002…999`. */
const THREES = Buffer.from(Array.from({ length: 1000 }, (_, i) => String(i).padStart(3, '0')).join(''));

/**
 * Writes lines of CSV as bytes, digit by digit, because a string for each cell takes too long in a file of fifty million
 * lines. The bytes are those that `csv-stringify` gives.
 */
export class LineWriter {
  readonly #room: Uint8Array;
  #bytes: Uint8Array;
  #at = 0;

  /** @param room where to write, as long as there is room */
  constructor(room: Uint8Array) {
    this.#room = room;
    this.#bytes = room;
  }

  get length(): number {
    return this.#at;
  }

  /** All that was written: in the room, or in memory of its own if the room was too small. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }

  get isInRoom(): boolean {
    return this.#bytes === this.#room;
  }

  comma(): void {
    this.#bytes[this.#at++] = COMMA;
  }

  endLine(): void {
    this.#bytes[this.#at++] = CR;
    this.#bytes[this.#at++] = LF;
  }

  /** Bytes of a cell, or of the beginning of a line. */
  cell(cell: Uint8Array): void {
    const { length } = cell;
    if (this.#at + length + ROOM_BYTES > this.#bytes.length) this.#grow(length);
    this.#bytes.set(cell, this.#at);
    this.#at += length;
  }

  /** A figure rounded to steps of one in 10 to the power of `digits`, without zeros at its end. */
  figure(value: number, digits: 1 | 3 | 6): void {
    const steps = digits === 1 ? 10 : digits === 3 ? 1000 : 1_000_000;
    const whole = Math.round(value * steps);
    const size = Math.abs(whole);
    if (!(size < EXACT)) {
      this.cell(Buffer.from(String(whole / steps)));
      return;
    }
    const bytes = this.#bytes;
    if (whole < 0) bytes[this.#at++] = MINUS;
    const units = Math.floor(size / steps);
    this.#units(units);
    const rest = (size - units * steps) | 0;
    if (rest === 0) return;
    let at = this.#at;
    bytes[at++] = POINT;
    if (digits === 1) bytes[at++] = ZERO + rest;
    else {
      let last = rest;
      if (digits === 6) {
        const first = (rest / 1000) | 0;
        last = rest - first * 1000;
        bytes[at] = THREES[first * 3] as number;
        bytes[at + 1] = THREES[first * 3 + 1] as number;
        bytes[at + 2] = THREES[first * 3 + 2] as number;
        at += 3;
      }
      bytes[at] = THREES[last * 3] as number;
      bytes[at + 1] = THREES[last * 3 + 1] as number;
      bytes[at + 2] = THREES[last * 3 + 2] as number;
      at += 3;
      while (bytes[at - 1] === ZERO) at--;
    }
    this.#at = at;
  }

  /** Two digits, `03`. */
  two(value: number): void {
    this.#bytes[this.#at] = THREES[value * 3 + 1] as number;
    this.#bytes[this.#at + 1] = THREES[value * 3 + 2] as number;
    this.#at += 2;
  }

  #units(value: number): void {
    const bytes = this.#bytes;
    let rest = value;
    if (value >= 1000) {
      const thousands = Math.floor(value / 1000);
      this.#units(thousands);
      rest = (value - thousands * 1000) | 0;
      bytes[this.#at++] = THREES[rest * 3] as number;
      bytes[this.#at++] = THREES[rest * 3 + 1] as number;
    } else {
      if (rest >= 100) bytes[this.#at++] = THREES[rest * 3] as number;
      if (rest >= 10) bytes[this.#at++] = THREES[rest * 3 + 1] as number;
    }
    bytes[this.#at++] = THREES[rest * 3 + 2] as number;
  }

  #grow(more: number): void {
    const larger = Buffer.allocUnsafeSlow(2 * this.#bytes.length + more + ROOM_BYTES);
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}
