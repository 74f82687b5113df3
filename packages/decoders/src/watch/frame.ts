import type { FrameScan } from '../protocol.ts';

/**
 * `[maker*tracker*length*content]`, "Server Protocol contents": two letters of the maker, ten digits of the IMEI (some
 * send all of it, some letters), the length of the content in hexadecimal. Recordings have a serial number before the length, too.
 */
export const MAX_FRAME_BYTES = 0xffff + 64;

export const OPEN = 0x5b;
export const CLOSE = 0x5d;
const STAR = 0x2a;

const HEADER = /^\[([0-9A-Z]{2,4})\*([0-9A-Z]{4,20})\*(?:([0-9A-F]{1,6})\*)?([0-9A-F]{1,4})\*/i;
const BEGINNING =
  /^\[(?:[0-9A-Z]{0,4}|[0-9A-Z]{2,4}\*(?:[0-9A-Z]{0,20}|[0-9A-Z]{4,20}\*(?:[0-9A-F]{0,6}|[0-9A-F]{1,6}\*[0-9A-F]{0,4})))$/i;
const LONGEST_HEADER = 40;

export interface Header {
  readonly maker: string;
  readonly tracker: string;
  /** As sent; empty if there is none. */
  readonly serial: string;
  /** As sent, in hexadecimal. */
  readonly length: string;
  /** Where the content begins. */
  readonly end: number;
}

const headText = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + LONGEST_HEADER));

export function readHeader(bytes: Uint8Array, at = 0): Header | null {
  const [all, maker = '', tracker = '', serial = '', length = ''] = HEADER.exec(headText(bytes, at)) ?? [];
  return all === undefined ? null : { maker, tracker, serial, length, end: at + all.length };
}

/** Bytes between frames that mean nothing. */
export const isBlank = (byte: number | undefined): boolean => byte === 0x0d || byte === 0x0a || byte === 0;

const MORE: FrameScan = { status: 'more' };

export function nextFrame(buffer: Uint8Array): FrameScan {
  const [first] = buffer;
  if (first === undefined) return MORE;
  if (isBlank(first)) return { status: 'frame', end: 1 };
  if (first !== OPEN) return skip(buffer, 0);
  const header = readHeader(buffer);
  if (header === null) return BEGINNING.test(headText(buffer, 0)) ? MORE : skip(buffer, 1);
  const reach = Math.min(buffer.length, MAX_FRAME_BYTES);
  const close = buffer.subarray(0, reach).indexOf(CLOSE, header.end);
  const limit = close < 0 ? reach : close;
  const next = headerIn(buffer, header.end, limit);
  if (next >= 0) return { status: isWhole(buffer.subarray(0, next), header) ? 'frame' : 'garbage', end: next };
  if (close < 0) return reach < MAX_FRAME_BYTES ? MORE : skip(buffer, 1);
  return frameUntil(buffer, header, close);
}

const contentEnd = ({ end, length }: Header): number => end + Number.parseInt(length, 16);

/** Whether a frame without its closing bracket has all of its content, by its length. */
export const isWhole = (frame: Uint8Array, header: Header): boolean =>
  contentEnd(header) > header.end &&
  contentEnd(header) <= frame.length &&
  frame.subarray(contentEnd(header)).every(isBlank);

/**
 * Voice and pictures are sent without brackets ("Voice chat"), but the name of a Wi-Fi station may contain one. What
 * follows the first one shows whether to rely on the length, which some firmware counts wrongly.
 */
function frameUntil(buffer: Uint8Array, header: Header, close: number): FrameScan {
  const stated = contentEnd(header);
  const behind = buffer[close + 1];
  const isEnd = close >= stated || behind === undefined || behind === OPEN || isBlank(behind);
  if (isEnd) return { status: 'frame', end: close + 1 };
  if (stated >= buffer.length) return MORE;
  return { status: 'frame', end: (buffer[stated] === CLOSE ? stated : close) + 1 };
}

/** Where the next frame begins, if one lost its end; -1 if nowhere. */
function headerIn(buffer: Uint8Array, from: number, to: number): number {
  for (let at = buffer.indexOf(OPEN, from); at >= 0 && at < to; at = buffer.indexOf(OPEN, at + 1)) {
    const hasStar = buffer[at + 3] === STAR || buffer[at + 4] === STAR || buffer[at + 5] === STAR;
    if (hasStar && readHeader(buffer.subarray(0, to), at) !== null) return at;
  }
  return -1;
}

/** To the next frame or blank. */
function skip(buffer: Uint8Array, from: number): FrameScan {
  let end = from;
  while (end < buffer.length && buffer[end] !== OPEN && !isBlank(buffer[end])) end++;
  return { status: 'garbage', end: Math.max(end, 1) };
}
