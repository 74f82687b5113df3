import type { FrameScan } from '../protocol.ts';

/**
 * `$$<flag><length>,<IMEI>,<command> … *<checksum>\r\n`, "GPRS Command Format". The length counts from the first comma
 * to the end. Text ends with its first CR LF, whatever the length; binary content ends by the length.
 */
export const MAX_FRAME_BYTES = 4096;

const DOLLAR = 0x24;
const COMMA = 0x2c;
const STAR = 0x2a;
const CR = 0x0d;
const LF = 0x0a;
const LONGEST_HEAD = 8;
const TAIL_BYTES = 5;

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39;
const isFlag = (byte: number): boolean => byte >= 0x41 && byte <= 0x7a;

/** Where the first comma is, and the length; null if this is not a frame. */
export function readHead(buffer: Uint8Array): { comma: number; length: number } | 'more' | null {
  let length = 0;
  for (let i = 0; i < Math.min(buffer.length, LONGEST_HEAD); i++) {
    const byte = buffer[i] ?? 0;
    if (i < 2 ? byte !== DOLLAR : i === 2 && !isFlag(byte)) return null;
    if (i < 3) continue;
    if (byte === COMMA) return i > 3 ? { comma: i, length } : null;
    if (!isDigit(byte)) return null;
    length = length * 10 + byte - 0x30;
  }
  return buffer.length < LONGEST_HEAD ? 'more' : null;
}

export function nextFrame(buffer: Uint8Array): FrameScan {
  if (buffer.length === 0) return { status: 'more' };
  const head = readHead(buffer);
  if (head === 'more') return { status: 'more' };
  if (head === null) return skip(buffer, 1);
  const text = endOfText(buffer, head.comma);
  if (text === 'more') return buffer.length < MAX_FRAME_BYTES ? { status: 'more' } : skip(buffer, MAX_FRAME_BYTES);
  if (text !== 'binary') return { status: 'frame', end: text };
  const end = head.comma + head.length;
  if (end > MAX_FRAME_BYTES || head.length < TAIL_BYTES) return skip(buffer, 2);
  return buffer.length < end ? { status: 'more' } : { status: 'frame', end };
}

/** After the first CR LF, if there is a checksum before it and only text before that. */
function endOfText(buffer: Uint8Array, from: number): number | 'binary' | 'more' {
  const reach = Math.min(buffer.length, MAX_FRAME_BYTES);
  for (let i = from; i < reach; i++) {
    const byte = buffer[i] ?? 0;
    if (byte >= 0x20 && byte < 0x7f) continue;
    if (byte !== CR || buffer[i - 3] !== STAR) return 'binary';
    if (i + 1 >= reach) return 'more';
    return buffer[i + 1] === LF ? i + 2 : 'binary';
  }
  return 'more';
}

function skip(buffer: Uint8Array, from: number): FrameScan {
  const next = buffer.indexOf(DOLLAR, from);
  return { status: 'garbage', end: next < 0 ? Math.max(1, buffer.length) : next };
}

/** The sum of all bytes up to and including the star, in its lowest eight bits. */
export function checksum(bytes: Uint8Array, end: number): number {
  let sum = 0;
  for (let i = 0; i < end; i++) sum += bytes[i] ?? 0;
  return sum & 0xff;
}
