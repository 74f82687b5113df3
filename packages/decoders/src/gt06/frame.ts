import { viewOf } from '../bytes.ts';
import type { FrameScan } from '../protocol.ts';
import { scanTopin } from './topin-frame.ts';

/**
 * Framing, Concox GPS Tracker Communication Protocol, "Protocol packet format": start 0x7878 with a one-byte length or
 * 0x7979 with a two-byte length, then protocol number, content, serial number and CRC-ITU, which the length counts, and
 * 0x0D0A.
 */
export const SHORT_START = 0x7878;
export const LONG_START = 0x7979;
export const STOP = 0x0d0a;
/** Protocol number, serial number and checksum. */
export const LEAST_LENGTH = 5;
/** Packets are short; voice and pictures come in parts of about a kilobyte. */
export const MAX_FRAME_BYTES = 8192;

const MORE: FrameScan = { status: 'more' };

export function nextFrame(buffer: Uint8Array): FrameScan {
  if (buffer.length === 0) return MORE;
  if (!mayStart(buffer, 0)) return garbageAfter(buffer);
  const long = buffer[0] === 0x79;
  const head = long ? 4 : 3;
  if (buffer.length < head) return MORE;
  const view = viewOf(buffer);
  const end = head + (long ? view.getUint16(2) : view.getUint8(2)) + 2;
  if (end > MAX_FRAME_BYTES) return garbageAfter(buffer);
  if (buffer.length >= end && view.getUint16(end - 2) === STOP && end >= head + 3) return { status: 'frame', end };
  const relative = long ? 'none' : scanTopin(buffer);
  if (typeof relative === 'number') return { status: 'frame', end: relative };
  return buffer.length < end || relative === 'more' ? MORE : garbageAfter(buffer);
}

/** Whether the bytes at `at`, as far as they have arrived, can be the start of a frame. */
function mayStart(buffer: Uint8Array, at: number): boolean {
  const first = buffer[at];
  if (first !== 0x78 && first !== 0x79) return false;
  return at + 1 >= buffer.length || buffer[at + 1] === first;
}

function garbageAfter(buffer: Uint8Array): FrameScan {
  let at = 1;
  while (at < buffer.length && !mayStart(buffer, at)) at++;
  return { status: 'garbage', end: at };
}
