/** Little endian numbers of up to six bytes, as all of this protocol's are. */
export function unsigned(bytes: Uint8Array): number {
  let value = 0;
  for (let i = bytes.length - 1; i >= 0; i--) value = value * 256 + (bytes[i] ?? 0);
  return value;
}

export function signed(bytes: Uint8Array): number {
  const value = unsigned(bytes);
  const half = 2 ** (8 * bytes.length - 1);
  return value >= half ? value - 2 * half : value;
}

/** The same bytes, highest first. */
export const reversed = (bytes: Uint8Array): Uint8Array => bytes.slice().reverse();
