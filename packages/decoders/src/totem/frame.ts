import type { FrameScan } from '../protocol.ts';

/**
 * Text that begins with `$$`. AVL02 User Guide V1.5, §3: the length in two hexadecimal digits, and `\r\n` at the end,
 * which the length of recorded trackers does not count. The AT series has four decimal digits, the type of data and the
 * IMEI before the first bar, and may omit the line end.
 */
export const MAX_FRAME_BYTES = 2048;
const DOLLAR = 0x24;
const CR = 0x0d;
const LF = 0x0a;

const MORE: FrameScan = { status: 'more' };
const frame = (end: number): FrameScan => ({ status: 'frame', end });

/** `$$0113AA862010037348253|`: length, type, IMEI. */
const LONG_HEAD = /^\$\$(\d{4})[0-9A-F]{2}\d{15}\|/;
const LONG_HEAD_BYTES = 24;
const LEAST_LONG = 40;

const isLineEnd = (byte: number | undefined): boolean => byte === CR || byte === LF;

export function nextFrame(buffer: Uint8Array): FrameScan {
  if (buffer.length === 0) return MORE;
  // A line end alone is an empty frame.
  if (isLineEnd(buffer[0])) return frame(1);
  if (!mayStart(buffer, 0)) return { status: 'garbage', end: nextStart(buffer, 1) };
  const limit = Math.min(buffer.length, MAX_FRAME_BYTES);
  const stated = statedEnd(buffer);
  for (let at = 2; at < limit; at++) {
    if (at === stated) return frame(at);
    if (isLineEnd(buffer[at])) return buffer[at] === CR ? lineEnd(buffer, at) : frame(at + 1);
    // A frame begins inside another: the end of the first one is missing.
    if (buffer[at] === DOLLAR && at + 1 < limit && buffer[at + 1] === DOLLAR) return frame(at);
  }
  if (stated === limit) return frame(limit);
  return buffer.length < MAX_FRAME_BYTES ? MORE : { status: 'garbage', end: nextStart(buffer, 1) };
}

/** `\r\n`, or a `\r` alone. */
function lineEnd(buffer: Uint8Array, at: number): FrameScan {
  if (at + 1 === buffer.length) return MORE;
  return frame(buffer[at + 1] === LF ? at + 2 : at + 1);
}

/** Where a frame of the AT series ends by its length; −1 for others. */
function statedEnd(buffer: Uint8Array): number {
  if (buffer.length < LONG_HEAD_BYTES) return -1;
  const [, digits] = LONG_HEAD.exec(String.fromCharCode(...buffer.subarray(0, LONG_HEAD_BYTES))) ?? [];
  const length = Number(digits ?? -1);
  return length >= LEAST_LONG && length <= MAX_FRAME_BYTES ? length : -1;
}

/** Whether the bytes at `at`, as far as they have arrived, can be the start of a frame. */
const mayStart = (buffer: Uint8Array, at: number): boolean =>
  buffer[at] === DOLLAR && (at + 1 >= buffer.length || buffer[at + 1] === DOLLAR);

function nextStart(buffer: Uint8Array, from: number): number {
  let at = from;
  while (at < buffer.length && !mayStart(buffer, at)) at++;
  return at;
}

/** AT series: all characters before the two of the checksum. */
export function xorOf(bytes: Uint8Array, to: number): number {
  let sum = 0;
  for (const byte of bytes.subarray(0, to)) sum ^= byte;
  return sum;
}
