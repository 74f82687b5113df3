import { describe, expect, it } from 'vitest';
import { crc16Ccitt, crc16Ibm, crc16Itu, crc16Kermit, crc16Modbus, crc16Xmodem } from './crc16.ts';

const CHECK = new TextEncoder().encode('123456789');

describe('16-bit checksums', () => {
  it('give the published check values', () => {
    expect(crc16Ibm(CHECK, 0, CHECK.length)).toBe(0xbb3d);
    expect(crc16Itu(CHECK, 0, CHECK.length)).toBe(0x906e);
    expect(crc16Kermit(CHECK, 0, CHECK.length)).toBe(0x2189);
    expect(crc16Modbus(CHECK, 0, CHECK.length)).toBe(0x4b37);
    expect(crc16Ccitt(CHECK, 0, CHECK.length)).toBe(0x29b1);
    expect(crc16Xmodem(CHECK, 0, CHECK.length)).toBe(0x31c3);
  });

  it('cover only the given range', () => {
    const padded = Uint8Array.of(7, 7, ...CHECK, 7);
    expect(crc16Ibm(padded, 2, 11)).toBe(0xbb3d);
    expect(crc16Itu(padded, 2, 11)).toBe(0x906e);
  });
});
