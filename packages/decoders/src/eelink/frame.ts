import { viewOf } from '../bytes.ts';
import type { FrameScan } from '../protocol.ts';

/**
 * Framing, EELINK Device Protocol V2, §5.1 "General": mark 0x67 0x67, package identifier, size of what follows it,
 * sequence number, content. §4.2 "Using UDP": mark 0x45 0x4C, size of what follows it, checksum, IMEI, packages.
 */
export const MARK = 0x67;
export const WRAPPER = 0x45;
const WRAPPER_SECOND = 0x4c;
/** Mark, identifier, size, sequence number. */
export const HEAD_BYTES = 7;
/** The size counts from here. */
export const SIZED_FROM = 5;
/** Mark, size, checksum, IMEI. */
export const WRAPPER_BYTES = 14;
export const WRAPPER_SIZED_FROM = 4;
/** The checksum counts from here. */
export const CHECKED_FROM = 6;
export const MAX_FRAME_BYTES = 8192;

const MORE: FrameScan = { status: 'more' };

/** Where a package or a wrapper ends by its size; 0 while its head has not arrived. */
function endOf(buffer: Uint8Array): number {
  const view = viewOf(buffer);
  if (buffer[0] === WRAPPER) return buffer.length < 4 ? 0 : WRAPPER_SIZED_FROM + view.getUint16(2);
  return buffer.length < 5 ? 0 : SIZED_FROM + view.getUint16(3);
}

export function nextFrame(buffer: Uint8Array): FrameScan {
  if (buffer.length === 0) return MORE;
  if (!mayStart(buffer, 0)) return garbageAfter(buffer);
  const end = endOf(buffer);
  if (end === 0) return MORE;
  const least = buffer[0] === WRAPPER ? WRAPPER_BYTES : HEAD_BYTES;
  if (end < least || end > MAX_FRAME_BYTES) return garbageAfter(buffer);
  return buffer.length < end ? MORE : { status: 'frame', end };
}

/** Whether the bytes at `at`, as far as they have arrived, can be the start of a frame. */
function mayStart(buffer: Uint8Array, at: number): boolean {
  const first = buffer[at];
  if (first !== MARK && first !== WRAPPER) return false;
  return at + 1 >= buffer.length || buffer[at + 1] === (first === MARK ? MARK : WRAPPER_SECOND);
}

function garbageAfter(buffer: Uint8Array): FrameScan {
  let at = 1;
  while (at < buffer.length && !mayStart(buffer, at)) at++;
  return { status: 'garbage', end: at };
}

/**
 * Appendix A.1 "Checksum algorithm": the sum is rotated one bit to the left before each byte is added. A recorded
 * tracker counts from the IMEI to the end.
 */
export function checksum(bytes: Uint8Array, from: number, to = bytes.length): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum = (((sum << 1) | (sum >>> 15)) + (bytes[at] ?? 0)) & 0xffff;
  return sum;
}
