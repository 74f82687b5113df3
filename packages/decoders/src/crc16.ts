/** The 16-bit checksums of these protocols, table-driven. */

function tableOf(polynomial: number): Uint16Array {
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
    return crc;
  });
}

function run(table: Uint16Array, initial: number, bytes: Uint8Array, start: number, end: number): number {
  let crc = initial;
  for (let i = start; i < end; i++) crc = (crc >>> 8) ^ (table[(crc ^ (bytes[i] ?? 0)) & 0xff] ?? 0);
  return crc;
}

const IBM = tableOf(0xa001);
const ITU = tableOf(0x8408);

/** CRC-16/IBM (ARC), Teltonika Data Sending Protocols, "CRC-16". */
export const crc16Ibm = (bytes: Uint8Array, start: number, end: number): number => run(IBM, 0, bytes, start, end);

/** CRC-ITU (X.25), Concox GPS Tracker Communication Protocol, appendix 1. */
export const crc16Itu = (bytes: Uint8Array, start: number, end: number): number =>
  run(ITU, 0xffff, bytes, start, end) ^ 0xffff;

const CCITT = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
  return crc;
});

function runCcitt(initial: number, bytes: Uint8Array, start: number, end: number): number {
  let crc = initial;
  for (let i = start; i < end; i++) crc = ((crc << 8) & 0xffff) ^ (CCITT[((crc >>> 8) ^ (bytes[i] ?? 0)) & 0xff] ?? 0);
  return crc;
}

/** CRC-16/CCITT-FALSE, not reflected, from FFFF: Queclink's @Track protocol in binary. */
export const crc16Ccitt = (bytes: Uint8Array, start: number, end: number): number =>
  runCcitt(0xffff, bytes, start, end);

/** CRC-16/XMODEM, the same from 0: Xexun TK-102-2 manual, 3.24. */
export const crc16Xmodem = (bytes: Uint8Array, start: number, end: number): number => runCcitt(0, bytes, start, end);

/** CRC-CCITT (Kermit), Ruptela communication protocol, "CRC calculation". */
export const crc16Kermit = (bytes: Uint8Array, start: number, end: number): number => run(ITU, 0, bytes, start, end);

/** CRC-16/MODBUS: that of IBM, from FFFF. AVL02 User Guide and Galileosky protocol, "Checksum". */
export const crc16Modbus = (bytes: Uint8Array, start: number, end: number): number =>
  run(IBM, 0xffff, bytes, start, end);
