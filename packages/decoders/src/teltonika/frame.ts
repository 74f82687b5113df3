import { viewOf } from '../bytes.ts';
import type { FrameScan } from '../protocol.ts';

/**
 * Framing over TCP. A tracker sends its login (length 15 and the IMEI), then packets of four zero bytes, the length of
 * the data, the data and four bytes of checksum. In between it may send a single 0xFF to keep the connection alive
 * ("Network ping").
 */
export const LOGIN_BYTES = 17;
export const PING = 0xff;
export const PACKET_OVERHEAD_BYTES = 12;
/** The documents give 1280 bytes for a packet of records; answers to commands and pictures may be longer. */
export const MAX_FRAME_BYTES = 16_384;

const MORE: FrameScan = { status: 'more' };
const frame = (end: number): FrameScan => ({ status: 'frame', end });
const garbage = (end: number): FrameScan => ({ status: 'garbage', end });

export function nextFrame(buffer: Uint8Array): FrameScan {
  const { length } = buffer;
  if (length === 0) return MORE;
  if (buffer[0] === PING) return frame(1);
  if (!mayStart(buffer, 0)) return garbage(nextStart(buffer));
  if (length < 2) return MORE;
  if (buffer[1] === 0x0f) return length < LOGIN_BYTES ? MORE : frame(LOGIN_BYTES);
  if (length < 8) return MORE;
  const dataBytes = viewOf(buffer).getUint32(4);
  const end = dataBytes + PACKET_OVERHEAD_BYTES;
  if (dataBytes === 0 || end > MAX_FRAME_BYTES) return garbage(nextStart(buffer));
  return length < end ? MORE : frame(end);
}

/** Whether the bytes at `at`, as far as they have arrived, can be the start of a frame. */
function mayStart(buffer: Uint8Array, at: number): boolean {
  if (buffer[at] === PING) return true;
  if (buffer[at] !== 0) return false;
  if (buffer[at + 1] === 0x0f) return true;
  for (let i = at + 1; i < at + 4 && i < buffer.length; i++) if (buffer[i] !== 0) return false;
  return true;
}

function nextStart(buffer: Uint8Array): number {
  let at = 1;
  while (at < buffer.length && !mayStart(buffer, at)) at++;
  return at;
}
