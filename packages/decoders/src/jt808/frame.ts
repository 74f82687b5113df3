import type { FrameScan } from '../protocol.ts';

/**
 * JT/T 808-2013 §4.4.1: a packet is enclosed in two 0x7E; inside it, 0x7E is sent as 7D 02 and 0x7D as 7D 01. A message
 * too long for one packet comes as numbered parts; consecutive parts make one frame here, so that nothing has to be
 * kept between frames. Jointech locks also send text in parentheses.
 */
export const FLAG = 0x7e;
export const ESCAPE = 0x7d;
const OPEN = 0x28;
const CLOSE = 0x29;

/** Header, 1023 bytes of body and the checksum, with every byte possibly escaped, and some margin. */
const MAX_PACKET_BYTES = 4096;
const MAX_TEXT_BYTES = 1024;
export const MAX_FRAME_BYTES = 65_536;

/** Pictures come in parts, too; these are not collected, because they are too long and their content is not decoded. */
export const MULTIMEDIA = 0x0801;

const MORE: FrameScan = { status: 'more' };
const frame = (end: number): FrameScan => ({ status: 'frame', end });
const garbage = (end: number): FrameScan => ({ status: 'garbage', end });

export function nextFrame(buffer: Uint8Array): FrameScan {
  if (buffer.length === 0) return MORE;
  if (buffer[0] === OPEN) return textFrame(buffer);
  if (buffer[0] !== FLAG) return garbage(nextStart(buffer));
  if (buffer.length === 1) return MORE;
  // Two flags in a row: the first ended a packet whose start is lost.
  if (buffer[1] === FLAG) return garbage(1);
  const end = packetEnd(buffer, 0);
  if (end === 'more') return MORE;
  if (end === 'none') return garbage(nextStart(buffer));
  const first = partOf(buffer, 0, end);
  if (first === null || first.index !== 1 || first.id === MULTIMEDIA) return frame(end);
  return partsEnd(buffer, end, first);
}

function textFrame(buffer: Uint8Array): FrameScan {
  const close = buffer.subarray(0, MAX_TEXT_BYTES).indexOf(CLOSE);
  if (close > 0) return frame(close + 1);
  return close < 0 && buffer.length < MAX_TEXT_BYTES ? MORE : garbage(nextStart(buffer));
}

/** Where the parts that follow the first one end; the end of the first one if none follow it. */
function partsEnd(buffer: Uint8Array, firstEnd: number, first: Part): FrameScan {
  let at = firstEnd;
  for (let index = 2; index <= first.total; index++) {
    if (at > MAX_FRAME_BYTES - MAX_PACKET_BYTES) return frame(firstEnd);
    if (at === buffer.length) return MORE;
    const end = buffer[at] === FLAG ? packetEnd(buffer, at) : 'none';
    if (end === 'more') return MORE;
    if (end === 'none') return frame(firstEnd);
    const part = partOf(buffer, at, end);
    if (part?.id !== first.id || part.index !== index || part.total !== first.total) return frame(firstEnd);
    at = end;
  }
  return frame(at);
}

/** The offset after the flag that ends the packet at `start`. */
export function packetEnd(buffer: Uint8Array, start: number): number | 'more' | 'none' {
  const flag = buffer.subarray(start, start + MAX_PACKET_BYTES).indexOf(FLAG, 1);
  if (flag === 1) return 'none';
  if (flag > 0) return unescapedEnd(buffer, start, start + flag);
  return buffer.length - start < MAX_PACKET_BYTES ? 'more' : 'none';
}

/**
 * Some recorded trackers do not escape. A flag before the stated end counts if the checksum before it is right;
 * otherwise the packet ends at its stated length, if there is a flag.
 */
function unescapedEnd(buffer: Uint8Array, start: number, flag: number): number | 'more' {
  const properties = (buffer[start + 3] ?? 0) * 256 + (buffer[start + 4] ?? 0);
  const announced = start + 1 + headerBytes(properties) + bodyBytes(properties) + 1;
  if (announced <= flag || isSound(buffer, start, flag)) return flag + 1;
  if (announced >= buffer.length) return 'more';
  return buffer[announced] === FLAG ? announced + 1 : flag + 1;
}

function isSound(buffer: Uint8Array, start: number, flag: number): boolean {
  const content = unescaped(buffer, start + 1, flag, flag - start);
  const end = content.length - 1;
  return end > 0 && xor(content, end) === content[end];
}

/** Exclusive or of the first `end` bytes: the checksum (§4.4.4). */
export function xor(bytes: Uint8Array, end: number): number {
  let sum = 0;
  for (let i = 0; i < end; i++) sum ^= bytes[i] ?? 0;
  return sum;
}

export const bodyBytes = (properties: number): number => properties & 0x03ff;

interface Part {
  readonly id: number;
  readonly total: number;
  /** From 1. */
  readonly index: number;
}

const PARTED = 0x2000;
const LONGEST_HEADER = 21;

/** The part numbers of a longer message; null for a complete one. */
function partOf(buffer: Uint8Array, start: number, end: number): Part | null {
  const head = unescaped(buffer, start + 1, end - 1, LONGEST_HEADER);
  const word = (at: number): number => (head[at] ?? 0) * 256 + (head[at + 1] ?? 0);
  const properties = word(2);
  if ((properties & PARTED) === 0) return null;
  const at = headerBytes(properties) - 4;
  return word(at) > 1 ? { id: word(0), total: word(at), index: word(at + 2) } : null;
}

/** §4.4.3: id, properties, (version since 2019,) phone number, serial number, and the part numbers, if any. */
const VERSIONED = 0x4000;
export const isVersioned = (properties: number): boolean => (properties & VERSIONED) !== 0;
export const isParted = (properties: number): boolean => (properties & PARTED) !== 0;
export const headerBytes = (properties: number): number =>
  (isVersioned(properties) ? 17 : 12) + (isParted(properties) ? 4 : 0);

/** The unescaped bytes, at most `limit` of them. */
export function unescaped(bytes: Uint8Array, start: number, end: number, limit: number): Uint8Array {
  const plain = new Uint8Array(Math.min(limit, Math.max(0, end - start)));
  let length = 0;
  for (let at = start; at < end && length < plain.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === ESCAPE && at + 1 < end && (bytes[at + 1] === 1 || bytes[at + 1] === 2)) {
      at++;
      plain[length++] = bytes[at] === 2 ? FLAG : ESCAPE;
    } else plain[length++] = byte;
  }
  return plain.subarray(0, length);
}

function nextStart(buffer: Uint8Array): number {
  let at = 1;
  while (at < buffer.length && buffer[at] !== FLAG && buffer[at] !== OPEN) at++;
  return at;
}
