/** Of each byte what it does to a checksum, alone and with one, two or three bytes behind it: four are taken at once. */
const TABLES = [0, 1, 2, 3].map(() => new Uint32Array(256)) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
for (let byte = 0; byte < 256; byte++) {
  let value = byte;
  for (let place = 0; place < 4; place++) {
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xed_b8_83_20 : value >>> 1;
    (TABLES[place] as Uint32Array)[byte] = value;
  }
}

/** CRC-32 (IEEE 802.3), continued from the checksum of what stands before. */
export function crc32(bytes: Uint8Array, before = 0): number {
  const [one, two, three, four] = TABLES;
  let value = ~before;
  let at = 0;
  for (const end = bytes.length - 3; at < end; at += 4) {
    value ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    value =
      (four[value & 0xff] as number) ^
      (three[(value >>> 8) & 0xff] as number) ^
      (two[(value >>> 16) & 0xff] as number) ^
      (one[value >>> 24] as number);
  }
  for (; at < bytes.length; at++) value = (value >>> 8) ^ (one[(value ^ (bytes[at] as number)) & 0xff] as number);
  return ~value >>> 0;
}
