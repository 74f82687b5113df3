import { viewOf } from '../bytes.ts';
import type { FrameScan } from '../protocol.ts';

/**
 * Ruptela communication protocol, "Packet structure": length of everything up to the checksum, IMEI as a number in
 * eight bytes, command, payload, checksum. There is no start marker, but an IMEI's first byte is 0 and its second at
 * most 3, because it has fifteen digits.
 */
export const HEAD_BYTES = 11;
export const CRC_BYTES = 2;
const LEAST_LENGTH = 9;
/** The document gives 1 KB for a packet of records. */
const MOST_LENGTH = 4092;
export const MAX_FRAME_BYTES = 2 + MOST_LENGTH + CRC_BYTES;

const MORE: FrameScan = { status: 'more' };

export function nextFrame(buffer: Uint8Array): FrameScan {
  if (buffer.length === 0) return MORE;
  if (!mayStart(buffer, 0)) return { status: 'garbage', end: nextStart(buffer) };
  if (buffer.length < 4) return MORE;
  const end = 2 + viewOf(buffer).getUint16(0) + CRC_BYTES;
  return buffer.length < end ? MORE : { status: 'frame', end };
}

/** Whether the bytes at `at`, as far as they have arrived, can be the start of a packet. */
function mayStart(buffer: Uint8Array, at: number): boolean {
  const [high, low, zero, imei] = [buffer[at], buffer[at + 1], buffer[at + 2], buffer[at + 3]];
  if (high !== undefined && high * 256 > MOST_LENGTH) return false;
  if (high !== undefined && low !== undefined) {
    const length = high * 256 + low;
    if (length < LEAST_LENGTH || length > MOST_LENGTH) return false;
  }
  return (zero === undefined || zero === 0) && (imei === undefined || imei <= 3);
}

function nextStart(buffer: Uint8Array): number {
  let at = 1;
  while (at < buffer.length && !mayStart(buffer, at)) at++;
  return at;
}
