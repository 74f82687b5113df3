import { isZlib } from '../inflate.ts';
import type { FrameScan } from '../protocol.ts';

/**
 * `#TYPE#message\r\n`; over UDP (with some trackers, over TCP too) preceded by `imei` or `2.0;imei`. Wialon IPS,
 * "General structure".
 */
export const MAX_FRAME_BYTES = 131_072;

const HASH = 0x23;
const LF = 0x0a;
const LONGEST_LEAD = 48;
const LONGEST_TYPE = 4;
/** Packets followed by bytes, and the index of the field with their number: a picture, a tachograph file. */
const SIZE_FIELD: Readonly<Record<string, number>> = { I: 0, T: 1 };

export interface Header {
  /** The text before the first `#`; empty on a connection. */
  readonly lead: string;
  readonly type: string;
  /** Where the message begins. */
  readonly at: number;
}

const isLead = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2e ||
  byte === 0x3b ||
  byte === 0x2d;

/** The header, `more` if it has not arrived completely, or null if this is not one. */
export function readHeader(buffer: Uint8Array): Header | 'more' | null {
  let at = 0;
  while (at < buffer.length && at <= LONGEST_LEAD && buffer[at] !== HASH) {
    if (!isLead(buffer[at] ?? 0)) return null;
    at++;
  }
  if (at > LONGEST_LEAD) return null;
  const from = at + 1;
  let end = from;
  while (end < buffer.length && end - from <= LONGEST_TYPE && buffer[end] !== HASH) {
    const byte = buffer[end] ?? 0;
    if (byte < 0x41 || byte > 0x5a) return null;
    end++;
  }
  if (end - from > LONGEST_TYPE || (end < buffer.length && end === from)) return null;
  if (end >= buffer.length) return 'more';
  const word = (start: number, stop: number): string => String.fromCharCode(...buffer.subarray(start, stop));
  return { lead: word(0, at), type: word(from, end), at: end + 1 };
}

/**
 * "Data Compression": one packet, compressed by zlib, after 0xFF and the number of its bytes, the lower one first. Only
 * the document's text about it could be found, not its table; what begins so and is no zlib is skipped.
 */
export const CONTAINER = 0xff;
export const CONTAINER_HEAD_BYTES = 3;
/** Records compress to a tenth at best. */
export const MOST_GROWTH = 16;

function containerEnd(buffer: Uint8Array): FrameScan {
  if (buffer.length < CONTAINER_HEAD_BYTES + 2) return { status: 'more' };
  if (!isZlib(buffer.subarray(CONTAINER_HEAD_BYTES))) return skip(buffer, 1);
  const end = CONTAINER_HEAD_BYTES + (buffer[1] ?? 0) + (buffer[2] ?? 0) * 256;
  if (end < CONTAINER_HEAD_BYTES + 2) return skip(buffer, 1);
  return buffer.length < end ? { status: 'more' } : { status: 'frame', end };
}

export function nextFrame(buffer: Uint8Array): FrameScan {
  if (buffer.length === 0) return { status: 'more' };
  if (buffer[0] === CONTAINER) return containerEnd(buffer);
  const header = readHeader(buffer);
  if (header === null) return skip(buffer, 1);
  if (header === 'more') return { status: 'more' };
  const reach = Math.min(buffer.length, MAX_FRAME_BYTES);
  const line = buffer.subarray(0, reach).indexOf(LF, header.at);
  if (line < 0) return reach < MAX_FRAME_BYTES ? { status: 'more' } : skip(buffer, reach);
  const end = line + 1 + attached(buffer.subarray(header.at, line), header.type);
  if (end > MAX_FRAME_BYTES) return skip(buffer, line + 1);
  return buffer.length < end ? { status: 'more' } : { status: 'frame', end };
}

/** The number of bytes after the line. */
export function attached(message: Uint8Array, type: string): number {
  const field = SIZE_FIELD[type];
  if (field === undefined) return 0;
  const text = String.fromCharCode(...message.subarray(0, 40)).split(';')[field] ?? '';
  return /^\d{1,6}$/.test(text) ? Number(text) : 0;
}

/** After the invalid line, or to the next `#`. */
function skip(buffer: Uint8Array, from: number): FrameScan {
  for (let i = from; i < buffer.length; i++) {
    if (buffer[i] === HASH || buffer[i] === CONTAINER) return { status: 'garbage', end: i };
    if (buffer[i] === LF) return { status: 'garbage', end: i + 1 };
  }
  return { status: 'garbage', end: buffer.length };
}
