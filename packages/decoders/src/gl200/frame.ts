import type { FrameScan } from '../protocol.ts';

/**
 * "Message Format": text from `+RESP:`, `+BUFF:` or `+ACK:` to `$`, or of the first models to a zero byte; a binary report
 * has its length near the start. Line ends and zero bytes between frames are empty frames.
 */
export const MAX_FRAME_BYTES = 8192;

const PLUS = 0x2b;
const MINUS = 0x2d;
const DOLLAR = 0x24;
const NUL = 0x00;
const CR = 0x0d;
const LF = 0x0a;
const LETTER_A = 0x41;
const LETTER_T = 0x54;
/** The second byte of a sign of life of the newer models; in their reports it is zero. */
const LIFE = 0x10;
const COLON = 0x3a;
const COMMA = 0x2c;
const HEAD_BYTES = 5;

/**
 * The offset of the length by header, and its size in bytes. "HEX Format", +RSP, +EVT, +INF, +ACK, +HBD and their
 * buffered forms.
 */
const LENGTHS: Readonly<Record<string, readonly [at: number, bytes: 1 | 2]>> = {
  '+RSP': [9, 2],
  '+BSP': [9, 2],
  '+EVT': [9, 2],
  '+BVT': [9, 2],
  '+INF': [7, 2],
  '+BNF': [7, 2],
  '+CRD': [9, 2],
  '+BRD': [9, 2],
  '+ACK': [6, 1],
  '+HBD': [5, 1],
};

/**
 * What the frame starts with: text, a binary report, one in records or a sign of life (GL601 and similar models); null
 * while it is too short to tell.
 */
export type FrameForm = 'text' | 'binary' | 'records' | 'life';

export const isSeparator = (byte: number): boolean => byte === NUL || byte === CR || byte === LF;

export const headerOf = (frame: Uint8Array): string => String.fromCharCode(...frame.subarray(0, 4));

export function formOf(frame: Uint8Array): FrameForm | null {
  if (frame.length < 2) return null;
  if (frame[1] === 0) return 'records';
  if (frame[1] === LIFE) return 'life';
  if (frame.length < HEAD_BYTES) return null;
  const follows = frame[4];
  return LENGTHS[headerOf(frame)] && follows !== COLON && follows !== COMMA ? 'binary' : 'text';
}

/** The last is the first models' sign of life; `+NACK` and `+QRY` are answers of the newest. */
const TEXT_HEADS = ['+RESP:', '+BUFF:', '+ACK:', '+NACK:', '+QRY:', 'AT+GTHBD='];

/** Whether the bytes so far can become one of the words that text begins with. */
function beginsLikeText(buffer: Uint8Array): boolean {
  return TEXT_HEADS.some(head => {
    for (let i = 0; i < Math.min(head.length, buffer.length); i++) if (buffer[i] !== head.charCodeAt(i)) return false;
    return true;
  });
}

export function nextFrame(buffer: Uint8Array): FrameScan {
  if (buffer.length === 0) return { status: 'more' };
  if (isSeparator(buffer[0] ?? PLUS)) return { status: 'frame', end: 1 };
  if (!isStart(buffer, 0)) return skip(buffer, 1);
  const form = formOf(buffer);
  if (form === 'records') return bytesEnd(buffer, 2, 2);
  if (form === 'life' && buffer[0] === PLUS) return bytesEnd(buffer, 2, 1);
  if (buffer[0] === MINUS) return buffer.length < 2 ? { status: 'more' } : skip(buffer, 1);
  if (form === 'binary') return bytesEnd(buffer, ...(LENGTHS[headerOf(buffer)] ?? [2, 2]));
  if (beginsLikeText(buffer)) return textEnd(buffer);
  const few = buffer.length < HEAD_BYTES && Object.keys(LENGTHS).some(head => head.startsWith(headerOf(buffer)));
  return few ? { status: 'more' } : skip(buffer, 1);
}

/** Whether the bytes at `at`, as far as they have arrived, can be the start of a frame. */
function isStart(buffer: Uint8Array, at: number): boolean {
  const first = buffer[at];
  if (first === PLUS || first === MINUS) return true;
  return first === LETTER_A && (at + 1 >= buffer.length || buffer[at + 1] === LETTER_T);
}

function bytesEnd(buffer: Uint8Array, at: number, bytes: 1 | 2): FrameScan {
  if (buffer.length < at + bytes) return { status: 'more' };
  const length = bytes === 1 ? (buffer[at] ?? 0) : (buffer[at] ?? 0) * 256 + (buffer[at + 1] ?? 0);
  if (length < at + bytes || length > MAX_FRAME_BYTES) return skip(buffer, 1);
  return buffer.length < length ? { status: 'more' } : { status: 'frame', end: length };
}

/** A frame without its end is skipped completely. */
function textEnd(buffer: Uint8Array): FrameScan {
  const reach = Math.min(buffer.length, MAX_FRAME_BYTES);
  // A letter beyond ASCII in a name, unless a control character shows that it was no text.
  let letter: number | null = null;
  for (let i = 1; i < reach; i++) {
    const byte = buffer[i] ?? 0;
    if (byte === DOLLAR || byte === NUL) return { status: 'frame', end: i + 1 };
    if ((byte < 0x20 && byte !== CR && byte !== LF && byte !== 0x09) || byte === 0x7f) return skip(buffer, letter ?? i);
    if (byte >= 0x80) letter ??= i;
  }
  return reach < MAX_FRAME_BYTES ? { status: 'more' } : skip(buffer, reach);
}

/** The offset where a report may begin again; in a run of start bytes, only the last can be one. */
function skip(buffer: Uint8Array, from: number): FrameScan {
  for (let i = from; i < buffer.length; i++) {
    if (isStart(buffer, i) && buffer[i + 1] !== PLUS) return { status: 'garbage', end: i };
  }
  return { status: 'garbage', end: buffer.length };
}
