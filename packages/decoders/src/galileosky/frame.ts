import { viewOf } from '../bytes.ts';
import { crc16Modbus } from '../crc16.ts';
import type { FrameScan } from '../protocol.ts';

/**
 * Galileosky protocol, "Head packet structure": header, length of the tags in two bytes, tags, checksum of all that
 * comes before it. Numbers are little endian. The highest bit of the length says that the archive has more.
 *
 * The same port may get what a tracker sends by satellite, as Iridium's gateway passes it on: see `iridium.ts`.
 */
export const HEAD_BYTES = 3;
export const CRC_BYTES = 2;
export const HEADER = { data: 0x01, confirmation: 0x02, garmin: 0x06, photo: 0x07, compressed: 0x08 } as const;
const HEADERS: ReadonlySet<number> = new Set([HEADER.data, HEADER.garmin, HEADER.photo, HEADER.compressed]);

export const ARCHIVE = 0x8000;
/** The manual of v5.1 gives 1,000 bytes for a packet. */
const MOST_LENGTH = 4096;
/** A tag of one byte with its data. */
const LEAST_LENGTH = 2;
export const MAX_FRAME_BYTES = HEAD_BYTES + MOST_LENGTH + CRC_BYTES;

/** "MO Header": its identifier and its length, which never vary. As tags they would be a version and an unknown one. */
const IRIDIUM = [1, 0, 28] as const;
export const isIridium = (bytes: Uint8Array): boolean =>
  bytes[0] === 1 && IRIDIUM.every((byte, i) => bytes[HEAD_BYTES + i] === byte);

export const lengthIn = (bytes: Uint8Array): number => viewOf(bytes).getUint16(1, true) & ~ARCHIVE;
export const checksumOf = (bytes: Uint8Array): number => crc16Modbus(bytes, 0, bytes.length - CRC_BYTES);

const MORE: FrameScan = { status: 'more' };

export function nextFrame(buffer: Uint8Array): FrameScan {
  const [header] = buffer;
  if (header === undefined) return MORE;
  if (!HEADERS.has(header)) return { status: 'garbage', end: nextStart(buffer) };
  // Until here it may be either.
  if (buffer.length < HEAD_BYTES + IRIDIUM.length) return MORE;
  const end = isIridium(buffer) ? HEAD_BYTES + viewOf(buffer).getUint16(1) : endOf(lengthIn(buffer));
  if (end === null || end > MAX_FRAME_BYTES) return { status: 'garbage', end: nextStart(buffer) };
  return buffer.length < end ? MORE : { status: 'frame', end };
}

const endOf = (length: number): number | null =>
  length < LEAST_LENGTH || length > MOST_LENGTH ? null : HEAD_BYTES + length + CRC_BYTES;

function nextStart(buffer: Uint8Array): number {
  let at = 1;
  while (at < buffer.length && !HEADERS.has(buffer[at] ?? 0)) at++;
  return at;
}
