import { unzlibSync } from 'fflate';

/**
 * Data compressed with DEFLATE (RFC 1951) in the zlib format (RFC 1950). Null for wrong data, and for more than `most`
 * bytes.
 */
export function inflate(zlib: Uint8Array, most: number): Uint8Array | null {
  if (!isZlib(zlib) || zlib.length < HEADER_BYTES + CHECKSUM_BYTES) return null;
  const content = unpacked(zlib, most + 1);
  if (content === null || content.length > most) return null;
  // The library leaves the checksum to its caller.
  const view = new DataView(zlib.buffer, zlib.byteOffset, zlib.byteLength);
  return view.getUint32(zlib.length - CHECKSUM_BYTES) === adler32(content) ? content : null;
}

const HEADER_BYTES = 2;
const CHECKSUM_BYTES = 4;

/** Method 8 without a dictionary, and the header divisible by 31. */
export function isZlib(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes;
  return (method & 0x0f) === 8 && (flags & 0x20) === 0 && (method * 256 + flags) % 31 === 0;
}

/** As much of it as there is room for: the buffer doesn't grow. */
function unpacked(zlib: Uint8Array, room: number): Uint8Array | null {
  try {
    return unzlibSync(zlib, { out: new Uint8Array(room) });
  } catch {
    return null;
  }
}

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return b * 65_536 + a;
}
