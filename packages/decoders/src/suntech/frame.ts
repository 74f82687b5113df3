import type { FrameScan } from '../protocol.ts';

/**
 * Text ends with CR, "Communication string format". A zip report of the universal protocol begins with 81 (status), 82
 * (alert) or a higher byte and its length; one of the older protocols begins with 02 and its length, and ends with 03.
 * A UEX report contains bytes of a serial device, possibly including a CR; their number comes before them.
 */
export const MAX_FRAME_BYTES = 4096;
export const ZIP_STATUS = 0x81;
export const ZIP_ALERT = 0x82;
const ZIP_LAST = 0x8f;
export const ZIP_OLDER = 0x02;
const ETX = 0x03;
const CR = 0x0d;
const SEMICOLON = 0x3b;
const HEAD_BYTES = 3;
/** The id alone; of the older protocols, which may have three bytes, after the header. */
const LEAST_ZIP_BYTES = 5;
const LEAST_OLDER_BYTES = 4;
const LONGEST_HEADER = 13;
/**
 * Two letters, then three digits in the first models and four in later ones: `SA200`, `ST300`, `ST3330`. Some write the
 * letters of the model, too: `ST310U`.
 */
const SERIES = '[A-Z]{2}\\d{3,4}[A-Z]{0,4}';
const UEX = new RegExp(`^(${SERIES})?UEX;`);

export const isZip = (byte: number | undefined): boolean =>
  byte !== undefined && byte >= ZIP_STATUS && byte <= ZIP_LAST;
const isStart = (byte: number): boolean =>
  (byte >= 0x41 && byte <= 0x5a) || byte === 0x2d || byte === ZIP_OLDER || isZip(byte);

export function nextFrame(buffer: Uint8Array): FrameScan {
  if (buffer.length === 0) return { status: 'more' };
  if (!isStart(buffer[0] ?? 0)) return skip(buffer);
  if (isZip(buffer[0]) || buffer[0] === ZIP_OLDER) return zipEnd(buffer);
  return textEnd(buffer);
}

function zipEnd(buffer: Uint8Array): FrameScan {
  if (buffer.length < HEAD_BYTES) return { status: 'more' };
  const older = buffer[0] === ZIP_OLDER;
  const length = (buffer[1] ?? 0) * 256 + (buffer[2] ?? 0);
  const end = HEAD_BYTES + length + (older ? 1 : 0);
  if (end > MAX_FRAME_BYTES || length < (older ? LEAST_OLDER_BYTES : LEAST_ZIP_BYTES))
    return { status: 'garbage', end: 1 };
  if (buffer.length < end) return { status: 'more' };
  return older && buffer[end - 1] !== ETX ? { status: 'garbage', end: 1 } : { status: 'frame', end };
}

function textEnd(buffer: Uint8Array): FrameScan {
  const reach = Math.min(buffer.length, MAX_FRAME_BYTES);
  const behind = serialData(buffer, reach);
  if (behind === 'more') return reach < MAX_FRAME_BYTES ? { status: 'more' } : { status: 'garbage', end: reach };
  // A letter beyond ASCII in a text, unless a control character shows that it was the start of a zip report.
  let letter: number | null = null;
  for (let i = behind?.to ?? 0; i < reach; i++) {
    const byte = buffer[i] ?? 0;
    if (byte === CR) return { status: 'frame', end: i + 1 };
    if ((byte < 0x20 && byte !== TAB) || byte === 0x7f) return { status: 'garbage', end: Math.max(1, letter ?? i) };
    if (byte >= 0x80) letter ??= i;
  }
  return reach < MAX_FRAME_BYTES ? { status: 'more' } : { status: 'garbage', end: reach };
}

export interface SerialData {
  readonly from: number;
  readonly to: number;
  /** The index of the field with the bytes. */
  readonly field: number;
}

const TAB = 0x09;

const isEndOfField = (byte: number | undefined): boolean => byte === undefined || byte === SEMICOLON || byte === CR;

const PLACE = /^[+-]\d{1,3}\.\d+$/;

/**
 * Where a UEX report has its bytes: after their number, which is eight fields after the latitude in the universal
 * protocol, nine in the older ones. Null for other reports, and if the number is wrong: then the first CR is the end.
 * `more` if they have not arrived yet.
 */
export function serialData(buffer: Uint8Array, reach: number): SerialData | 'more' | null {
  const header = String.fromCharCode(...buffer.subarray(0, LONGEST_HEADER + 1));
  if (!UEX.test(header)) {
    return buffer.length <= LONGEST_HEADER && /^[A-Z\d]{0,13}$/.test(header) && !header.includes(';') ? 'more' : null;
  }
  const older = !header.startsWith('UEX');
  let from = 0;
  let field = 0;
  let latitude = -1;
  for (let i = 0; i < reach; i++) {
    const byte = buffer[i] ?? 0;
    if (byte === CR) return null;
    if (byte !== SEMICOLON) continue;
    const text = String.fromCharCode(...buffer.subarray(from, Math.min(i, from + 16)));
    if (latitude < 0 && PLACE.test(text)) latitude = field;
    if (latitude >= 0 && field === latitude + (older ? 9 : 8)) {
      const length = /^\d{1,3}$/.test(text) ? Number(text) : 0;
      const to = i + 1 + length;
      if (to > reach) return 'more';
      return isEndOfField(buffer[to]) ? { from: i + 1, to, field: field + 1 } : null;
    }
    field++;
    from = i + 1;
  }
  return 'more';
}

function skip(buffer: Uint8Array): FrameScan {
  for (let i = 1; i < buffer.length; i++) if (isStart(buffer[i] ?? 0)) return { status: 'garbage', end: i };
  return { status: 'garbage', end: buffer.length };
}
