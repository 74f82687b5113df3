import type { FrameScan } from '../protocol.ts';

/**
 * Text from `*` to `#`, and binary records that begin with `$` and have neither a length nor an end marker. Their
 * lengths are known from recordings; the content, or what follows, shows which one it is (`binaryBytes`). A record that
 * begins with `X` has 32 bytes and the mileage in the place of the identity. Line ends between frames are empty frames.
 */
const STAR = 0x2a;
const HASH = 0x23;
export const DOLLAR = 0x24;
export const MILEAGE_RECORD = 0x58;
const CR = 0x0d;
const LF = 0x0a;
const COMMA = 0x2c;
const ZERO = 0x30;
export const MAX_FRAME_BYTES = 2048;

const MORE: FrameScan = { status: 'more' };
const frame = (end: number): FrameScan => ({ status: 'frame', end });
const garbage = (end: number): FrameScan => ({ status: 'garbage', end });

export const isLineEnd = (byte: number | undefined): boolean => byte === CR || byte === LF;

export function nextFrame(buffer: Uint8Array): FrameScan {
  const [first] = buffer;
  if (first === undefined) return MORE;
  if (isLineEnd(first)) return frame(1);
  if (first === DOLLAR) return binaryFrame(buffer);
  if (first === MILEAGE_RECORD && mayBeMileage(buffer, 0))
    return buffer.length < SHORT_BYTES ? MORE : frame(SHORT_BYTES);
  if (first !== STAR || !mayBeMaker(buffer, 1)) return garbage(nextStart(buffer));
  return textFrame(buffer);
}

/**
 * Text never contains a star: a second one before the end means that the end of the first frame is missing, or that the
 * tracker ends its frames with a line end.
 */
function textFrame(buffer: Uint8Array): FrameScan {
  for (let at = 1; at < buffer.length && at < MAX_FRAME_BYTES; at++) {
    if (buffer[at] === HASH) return frame(at + 1);
    if (buffer[at] === STAR) return isLineEnd(buffer[at - 1]) ? frame(at) : garbage(at);
  }
  return buffer.length < MAX_FRAME_BYTES ? MORE : garbage(nextStart(buffer));
}

function binaryFrame(buffer: Uint8Array): FrameScan {
  const bytes = binaryBytes(buffer);
  if (bytes === 'more') return MORE;
  if (bytes === null) return garbage(nextStart(buffer));
  return buffer.length < bytes ? MORE : frame(bytes);
}

const SHORT_BYTES = 32;
const LONG_ID_BYTES = 42;
const NETWORK_BYTES = 45;
const LONGEST_BYTES = 46;
/** Identity, time, date, place, speed with course, status. */
export const SHORT_ID_BYTES = 5;
export const LONG_ID = 8;
const BEFORE_TAIL = 29;
/** Of the long form: signal, satellites, mileage (unexplained in recordings), then country, network, area, cell. */
const ZEROS_AT = 33;
const COUNTRY_AT = 37;
const DECISION_BYTES = COUNTRY_AT + 2;

/** The length of the record; `more` if it can't be known yet, null if it isn't one. */
function binaryBytes(buffer: Uint8Array): number | 'more' | null {
  const afterId = 1 + SHORT_ID_BYTES;
  if (buffer.length < afterId + 6) return 'more';
  if (!isTime(buffer, afterId)) {
    if (buffer.length < 1 + LONG_ID + 6) return 'more';
    return isTime(buffer, 1 + LONG_ID) ? LONG_ID_BYTES : null;
  }
  if (buffer.length < SHORT_BYTES) return 'more';
  if (isShortTail(buffer)) return SHORT_BYTES;
  const next = beginsAnother(buffer, SHORT_BYTES);
  if (next === 'more') return 'more';
  if (next) return SHORT_BYTES;
  if (buffer.length < DECISION_BYTES) return 'more';
  if (buffer.subarray(ZEROS_AT, ZEROS_AT + 3).every(byte => byte === 0)) return NETWORK_BYTES;
  const country = (buffer[COUNTRY_AT] ?? 0) * 256 + (buffer[COUNTRY_AT + 1] ?? 0);
  return country === 0 || (country >= 200 && country <= 799) ? NETWORK_BYTES : LONGEST_BYTES;
}

/** After the first two bytes a short record has a count, a long one the signal. */
const MOST_SIGNAL = 0x1f;
const isShortTail = (buffer: Uint8Array): boolean => {
  const [flags, reserved, count = 0] = buffer.subarray(BEFORE_TAIL, SHORT_BYTES);
  return flags === 0xff && reserved === 0 && (count === 0 || count > MOST_SIGNAL);
};

/** Whether a record or a text begins at `at`, which ends a short record whose last bytes are in use. */
function beginsAnother(buffer: Uint8Array, at: number): boolean | 'more' {
  const first = buffer[at];
  const has = (bytes: number): boolean => buffer.length >= at + bytes;
  if (first === undefined) return 'more';
  if (first === CR) return has(2) ? buffer[at + 1] === LF : 'more';
  if (first === STAR) return has(4) ? mayBeMaker(buffer, at + 1) : 'more';
  if (first === MILEAGE_RECORD) return has(BEFORE_PLACE) ? mayBeMileage(buffer, at) : 'more';
  if (first !== DOLLAR) return false;
  const afterId = at + 1 + SHORT_ID_BYTES;
  return has(1 + SHORT_ID_BYTES + 6) ? isTime(buffer, afterId) : 'more';
}

/** Two letters or digits and a comma, as far as they have arrived. */
function mayBeMaker(buffer: Uint8Array, at: number): boolean {
  const [first = ZERO, second = ZERO, third = COMMA] = [buffer[at], buffer[at + 1], buffer[at + 2]];
  return isLetterOrDigit(first) && isLetterOrDigit(second) && third === COMMA;
}

const isLetterOrDigit = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a);

/** Which form a record has, judged by its identity. */
export const hasLongId = (record: Uint8Array): boolean => record[0] === DOLLAR && !isTime(record, 1 + SHORT_ID_BYTES);

const packed = (byte: number | undefined): number =>
  byte !== undefined && (byte & 15) < 10 && byte >> 4 < 10 ? (byte >> 4) * 10 + (byte & 15) : 100;

function isTime(buffer: Uint8Array, at: number): boolean {
  const [hour = 100, minute = 100, second = 100, day = 100, month = 100, year = 100] = [0, 1, 2, 3, 4, 5].map(i =>
    packed(buffer[at + i]),
  );
  return hour < 24 && minute < 60 && second < 60 && day >= 1 && day <= 31 && month >= 1 && month <= 12 && year < 100;
}

/** Start, mileage, time and date. */
const BEFORE_PLACE = 1 + SHORT_ID_BYTES + 6;

/** A mileage in packed decimals, and a time, as far as they have arrived. */
function mayBeMileage(buffer: Uint8Array, at: number): boolean {
  for (let i = at + 1; i <= at + SHORT_ID_BYTES && i < buffer.length; i++) if (packed(buffer[i]) === 100) return false;
  return buffer.length < at + BEFORE_PLACE || isTime(buffer, at + 1 + SHORT_ID_BYTES);
}

const mayStart = (buffer: Uint8Array, at: number): boolean =>
  buffer[at] === DOLLAR ||
  (buffer[at] === MILEAGE_RECORD && mayBeMileage(buffer, at)) ||
  (buffer[at] === STAR && mayBeMaker(buffer, at + 1));

function nextStart(buffer: Uint8Array): number {
  let at = 1;
  while (at < buffer.length && !mayStart(buffer, at)) at++;
  return at;
}
