import type { FrameScan } from '../protocol.ts';

/**
 * Three kinds of frames: `@P` with a CRC, a length and content, in binary or as text; keep-alive messages (0xFE 0x02);
 * and lines of text that begin with `$`. The second character of the prefix is set in the tracker.
 */
export const MAX_FRAME_BYTES = 4096;
export const PREFIX = 0x40;
export const KEEP_ALIVE = 0xfe;
export const KEEP_ALIVE_BYTES = 12;
export const SIZED_FROM = 6;
/** Sequence number and unit ID. */
export const HEAD_BYTES = 16;
const DOLLAR = 0x24;
const CR = 0x0d;
const LF = 0x0a;
const LONGEST_TEXT_HEAD = 14;

const MORE: FrameScan = { status: 'more' };
const frame = (end: number): FrameScan => ({ status: 'frame', end });

/** `@P,3A34,146`: prefix, CRC, length of what follows. */
export const TEXT_HEAD = /^@.,([0-9A-F]{4}),(\d{1,4}),/is;
const MAY_BE_TEXT = /^@.,[0-9A-F]{0,4}$|^@.,[0-9A-F]{4},\d{0,4}$/is;

export function nextFrame(buffer: Uint8Array): FrameScan {
  const [first] = buffer;
  if (first === undefined) return MORE;
  // A line end alone is an empty frame.
  if (first === CR || first === LF) return frame(1);
  if (!mayStart(buffer, 0)) return garbage(buffer);
  if (first === KEEP_ALIVE) return buffer.length < KEEP_ALIVE_BYTES ? MORE : frame(KEEP_ALIVE_BYTES);
  if (first === DOLLAR) return line(buffer, 0);
  if (buffer.length < SIZED_FROM) return MORE;
  const head = String.fromCharCode(...buffer.subarray(0, LONGEST_TEXT_HEAD));
  const text = TEXT_HEAD.exec(head);
  if (text) return report(buffer, text[0].length - 1 + Number(text[2]));
  if (MAY_BE_TEXT.test(head)) return MORE;
  const end = SIZED_FROM + (buffer[4] ?? 0) * 256 + (buffer[5] ?? 0);
  if (end < HEAD_BYTES || end > MAX_FRAME_BYTES) return garbage(buffer);
  return buffer.length < end ? MORE : frame(end);
}

/** Up to the stated length; one recorded tracker states one byte more than it sends. */
function report(buffer: Uint8Array, stated: number): FrameScan {
  for (const end of [stated, stated - 1]) if (isLineEnd(buffer, end)) return frame(end);
  return buffer.length < Math.min(stated, MAX_FRAME_BYTES) ? MORE : line(buffer, 0);
}

const isLineEnd = (buffer: Uint8Array, end: number): boolean => buffer[end - 2] === CR && buffer[end - 1] === LF;

function line(buffer: Uint8Array, from: number): FrameScan {
  const limit = Math.min(buffer.length, MAX_FRAME_BYTES);
  const at = buffer.subarray(0, limit).indexOf(LF, from);
  if (at >= 0) return frame(at + 1);
  return buffer.length < MAX_FRAME_BYTES ? MORE : garbage(buffer);
}

/** Whether the bytes at `at`, as far as they have arrived, can be the start of a frame. */
function mayStart(buffer: Uint8Array, at: number): boolean {
  const first = buffer[at];
  const second = buffer[at + 1];
  if (first === KEEP_ALIVE) return second === undefined || second === 0x02;
  if (first === DOLLAR) return second === undefined || (second >= 0x41 && second <= 0x5a);
  return first === PREFIX && (second === undefined || (second > 0x20 && second < 0x7f));
}

function garbage(buffer: Uint8Array): FrameScan {
  let at = 1;
  while (at < buffer.length && !mayStart(buffer, at)) at++;
  return { status: 'garbage', end: at };
}
