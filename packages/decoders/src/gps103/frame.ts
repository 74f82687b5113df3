import type { FrameScan } from '../protocol.ts';

/**
 * Coban, GPRS Protocol: text that begins with `##,imei:` or `imei:` and ends with a semicolon (sometimes a star or the
 * line), or the IMEI alone as a heartbeat. A lone separator is an empty frame.
 */
export const MAX_FRAME_BYTES = 4096;
export const IMEI_DIGITS = 15;

/** In capitals or small letters. */
const STARTS = ['##', 'imei:'].map(text => new TextEncoder().encode(text));
const SEMICOLON = 0x3b;
const STAR = 0x2a;

const MORE: FrameScan = { status: 'more' };
const frame = (end: number): FrameScan => ({ status: 'frame', end });
const garbage = (end: number): FrameScan => ({ status: 'garbage', end });

export const isSeparator = (byte: number): boolean => byte === SEMICOLON || byte === 0x0d || byte === 0x0a;
const small = (byte: number | undefined): number | undefined =>
  byte !== undefined && byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Whether the bytes at `at`, as far as they have arrived, can be the start of a text frame. */
const mayBegin = (buffer: Uint8Array, at: number): boolean =>
  STARTS.some(start => start.every((byte, i) => at + i >= buffer.length || small(buffer[at + i]) === byte));
const FIRST = new Set([0x23, 0x49, 0x69]);
const begins = (buffer: Uint8Array, at: number): boolean =>
  FIRST.has(buffer[at] ?? 0) &&
  STARTS.some(start => at + start.length <= buffer.length && start.every((byte, i) => small(buffer[at + i]) === byte));

export function nextFrame(buffer: Uint8Array): FrameScan {
  const [first] = buffer;
  if (first === undefined) return MORE;
  if (isSeparator(first)) return frame(1);
  if (isDigit(first)) return signOfLife(buffer);
  if (!mayBegin(buffer, 0)) return garbage(nextStart(buffer));
  for (let at = 1; at < buffer.length && at < MAX_FRAME_BYTES; at++) {
    if (isSeparator(buffer[at] ?? 0) || buffer[at] === STAR) return frame(at + 1);
    // A frame begins inside another: the end of the first one is missing.
    if (at > 3 && begins(buffer, at)) return garbage(at);
  }
  return buffer.length < MAX_FRAME_BYTES ? MORE : garbage(nextStart(buffer));
}

function signOfLife(buffer: Uint8Array): FrameScan {
  for (let at = 1; at < IMEI_DIGITS; at++) {
    if (at === buffer.length) return MORE;
    if (!isDigit(buffer[at])) return garbage(at);
  }
  return frame(IMEI_DIGITS);
}

function nextStart(buffer: Uint8Array): number {
  let at = 1;
  while (at < buffer.length && !mayBegin(buffer, at) && !isDigit(buffer[at]) && !isSeparator(buffer[at] ?? 0)) at++;
  return at;
}
