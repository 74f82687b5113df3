/** Reads bytes without ever throwing: checks before each read; big endian, as in all these protocols. */

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));

/** Upper-case hexadecimal; for packed decimals, these are their digits. */
export function hex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX[byte];
  return text;
}

/** Whether all bytes are within these limits. A loop, because `every` costs more than reading the text. */
function areWithin(bytes: Uint8Array, least: number, most: number): boolean {
  for (const byte of bytes) if (byte < least || byte > most) return false;
  return true;
}
const latin1 = new TextDecoder('latin1');

/** ASCII without control characters; other bytes become `?`. */
export function ascii(bytes: Uint8Array): string {
  // Building a string character by character would cost more than everything else in a text report.
  if (areWithin(bytes, 0x20, 0x7e)) return latin1.decode(bytes).trim();
  let text = '';
  for (const byte of bytes) {
    if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else if (byte >= 0x80) text += '?';
  }
  return text.trim();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** UTF-8 without control and format characters; null if it is something else. */
export function utf8Of(bytes: Uint8Array): string | null {
  try {
    return utf8
      .decode(bytes)
      .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
      .trim();
  } catch {
    return null;
  }
}

/**
 * Text that may have letters beyond ASCII, such as names that someone has entered: UTF-8 where it is that, otherwise each
 * of those bytes becomes `?`.
 */
export const letters = (bytes: Uint8Array): string =>
  areWithin(bytes, 0, 0x7f) ? ascii(bytes) : (utf8Of(bytes) ?? ascii(bytes));

/** Every byte is a printable ASCII character, white space, or part of a letter beyond ASCII. */
export function hasLetters(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte < 0x20 ? byte !== 0x0a && byte !== 0x0d && byte !== 0x09 : byte === 0x7f) return false;
  }
  return bytes.length > 0;
}

/** Every byte is a printable ASCII character or white space. */
export function isText(bytes: Uint8Array): boolean {
  for (const byte of bytes) {
    if (byte < 0x20 ? byte !== 0x0a && byte !== 0x0d && byte !== 0x09 : byte >= 0x7f) return false;
  }
  return bytes.length > 0;
}

export const isAsciiDigits = (bytes: Uint8Array): boolean => bytes.every(byte => byte >= 0x30 && byte <= 0x39);

/** Reads forward; past the end it returns zero and remembers that it did. */
export class Reader {
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;
  overrun = false;
  private readonly view: DataView;

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.view = viewOf(bytes);
    this.at = at;
    this.end = end;
  }

  get remaining(): number {
    return this.end - this.at;
  }

  /** Offset of the next `count` bytes, or -1. */
  private take(count: number): number {
    if (this.end - this.at < count) {
      this.overrun = true;
      return -1;
    }
    const at = this.at;
    this.at += count;
    return at;
  }

  u8(): number {
    const at = this.take(1);
    return at < 0 ? 0 : this.view.getUint8(at);
  }

  u16(): number {
    const at = this.take(2);
    return at < 0 ? 0 : this.view.getUint16(at);
  }

  i16(): number {
    const at = this.take(2);
    return at < 0 ? 0 : this.view.getInt16(at);
  }

  u24(): number {
    const at = this.take(3);
    return at < 0 ? 0 : this.view.getUint16(at) * 256 + this.view.getUint8(at + 2);
  }

  u32(): number {
    const at = this.take(4);
    return at < 0 ? 0 : this.view.getUint32(at);
  }

  i32(): number {
    const at = this.take(4);
    return at < 0 ? 0 : this.view.getInt32(at);
  }

  f32(): number {
    const at = this.take(4);
    return at < 0 ? 0 : this.view.getFloat32(at);
  }

  /** Exact up to 2^53, more than any cell id or time. */
  u64(): number {
    const high = this.u32();
    return high * 2 ** 32 + this.u32();
  }

  take8(count: number): Uint8Array {
    const at = this.take(count);
    return at < 0 ? new Uint8Array(0) : this.bytes.subarray(at, at + count);
  }

  rest(): Uint8Array {
    return this.take8(Math.max(0, this.remaining));
  }

  skip(count: number): void {
    this.take(count);
  }
}

/** All parts, one after the other. */
export function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
