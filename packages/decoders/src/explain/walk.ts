import { ascii, hex, isText, viewOf } from '../bytes.ts';

/** A part of a frame and its meaning. `from` and `to` (exclusive) are byte offsets. */
export interface FramePart {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  /** The value in readable form; empty if the name says it all. */
  readonly value: string;
  readonly unit?: string;
  /** Its subparts, which cover it completely. */
  readonly parts?: readonly FramePart[];
}

/** Gives a number's meaning, or converts it to another unit. */
export type Say<T> = (value: T) => string | number;

/** Longer parts are shown only in part. */
const MOST_BYTES = 64;
export const CUT_SHORT = 'cut short';

const shown = (bytes: Uint8Array): string =>
  hex(bytes.subarray(0, MOST_BYTES)) + (bytes.length > MOST_BYTES ? '…' : '');
export const asText: Say<Uint8Array> = bytes => ascii(bytes.subarray(0, 4 * MOST_BYTES));
const asHex: Say<Uint8Array> = shown;
/** As text if it is text, otherwise as bytes. */
export const asEither: Say<Uint8Array> = bytes => (isText(bytes) ? asText(bytes) : shown(bytes));

/**
 * Walks through a frame and records each part, so that together they cover the whole frame. Past the end it records the
 * rest as cut short, then nothing; it never throws.
 */
export class Walk {
  readonly parts: FramePart[] = [];
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;
  private readonly view: DataView;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.view = viewOf(bytes);
    this.end = Math.min(end, bytes.length);
    this.at = Math.min(at, this.end);
  }

  get left(): number {
    return this.end - this.at;
  }

  /** A byte further on, without moving; 0 past the end. */
  peek(ahead = 0): number {
    return this.at + ahead < this.end ? (this.bytes[this.at + ahead] ?? 0) : 0;
  }

  take(name: string, count: number, say: Say<Uint8Array> = asHex, unit?: string): Uint8Array {
    const whole = count <= this.left;
    const from = this.at;
    this.at = whole ? from + Math.max(0, count) : this.end;
    const bytes = this.bytes.subarray(from, this.at);
    this.note(from, name, whole ? say(bytes) : CUT_SHORT, whole ? unit : undefined);
    return bytes;
  }

  rest(name: string, say: Say<Uint8Array> = asEither): Uint8Array {
    return this.take(name, this.left, say);
  }

  u8 = (name: string, say?: Say<number>, unit?: string): number =>
    this.number(name, 1, at => this.view.getUint8(at), say, unit);
  u16 = (name: string, say?: Say<number>, unit?: string): number =>
    this.number(name, 2, at => this.view.getUint16(at), say, unit);
  i16 = (name: string, say?: Say<number>, unit?: string): number =>
    this.number(name, 2, at => this.view.getInt16(at), say, unit);
  u24 = (name: string, say?: Say<number>, unit?: string): number =>
    this.number(name, 3, at => this.view.getUint16(at) * 256 + this.view.getUint8(at + 2), say, unit);
  u32 = (name: string, say?: Say<number>, unit?: string): number =>
    this.number(name, 4, at => this.view.getUint32(at), say, unit);
  i32 = (name: string, say?: Say<number>, unit?: string): number =>
    this.number(name, 4, at => this.view.getInt32(at), say, unit);
  u64 = (name: string, say?: Say<number>, unit?: string): number =>
    this.number(name, 8, at => this.view.getUint32(at) * 2 ** 32 + this.view.getUint32(at + 4), say, unit);
  /** Little endian, in one, two or four bytes. */
  little = (name: string, count: 1 | 2 | 4, say?: Say<number>, unit?: string, signed = false): number =>
    this.number(
      name,
      count,
      at => {
        if (count === 1) return signed ? this.view.getInt8(at) : this.view.getUint8(at);
        if (count === 2) return signed ? this.view.getInt16(at, true) : this.view.getUint16(at, true);
        return signed ? this.view.getInt32(at, true) : this.view.getUint32(at, true);
      },
      say,
      unit,
    );

  private number(
    name: string,
    count: number,
    read: (at: number) => number,
    say: Say<number> = value => value,
    unit?: string,
  ): number {
    if (count > this.left) {
      this.take(name, count);
      return 0;
    }
    const from = this.at;
    this.at += count;
    const value = read(from);
    this.note(from, name, say(value), unit);
    return value;
  }

  /** Everything that `inside` walks through, as one part; its value is what `inside` returns, if that is text. */
  group(name: string, inside: (walk: Walk) => unknown, until = this.end): void {
    const walk = new Walk(this.bytes, this.at, Math.max(this.at, Math.min(until, this.end)));
    const result = inside(walk);
    if (walk.at === this.at) return;
    this.parts.push({
      from: this.at,
      to: walk.at,
      name,
      value: typeof result === 'string' ? result : '',
      parts: walk.parts,
    });
    this.at = walk.at;
  }

  /** Ends the walk; what was not walked through is recorded as unexplained. */
  done(): readonly FramePart[] {
    this.rest('not explained', asHex);
    return this.parts;
  }

  private note(from: number, name: string, value: string | number, unit: string | undefined): void {
    if (this.at === from) return;
    this.parts.push({ from, to: this.at, name, value: String(value), ...(unit ? { unit } : {}) });
  }
}

/** A time, or a note that it is invalid. */
export function moment(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? 'no time' : date.toISOString().replace('.000Z', 'Z');
}

export const per =
  (divisor: number, digits = 6): Say<number> =>
  value =>
    Number((value / divisor).toFixed(digits));
export const hexOf =
  (digits: number): Say<number> =>
  value =>
    `0x${value.toString(16).toUpperCase().padStart(digits, '0')}`;
/** Shows `right`, or the expected value. */
export const verdict =
  (computed: number, digits: number): Say<number> =>
  value =>
    value === computed ? 'right' : `wrong: it would be ${hexOf(digits)(computed)}`;
/** The name of a number, if it has one. */
export const named =
  (names: Readonly<Record<number, string>>): Say<number> =>
  value =>
    names[value] ?? value;
