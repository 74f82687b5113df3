import { describe, expect, it } from 'vitest';
import { ByteWriter } from './byte-writer.ts';
import { ascii, hex, isText, Reader } from './bytes.ts';

describe('Reader', () => {
  it('reads big endian and advances', () => {
    const reader = new Reader(Uint8Array.of(1, 2, 3, 4, 5, 6, 0xff, 0xfe, 9));
    expect([reader.u8(), reader.u16(), reader.u24(), reader.i16(), reader.u8()]).toEqual([1, 0x0203, 0x040506, -2, 9]);
    expect(reader.remaining).toBe(0);
    expect(reader.overrun).toBe(false);
  });

  it('returns zero past the end and remembers it', () => {
    const reader = new Reader(Uint8Array.of(1, 2, 3));
    expect(reader.u32()).toBe(0);
    expect(reader.overrun).toBe(true);
    expect(reader.u8()).toBe(1);
    expect(reader.take8(5)).toHaveLength(0);
  });

  it('stays inside its range of the bytes', () => {
    const reader = new Reader(Uint8Array.of(1, 2, 3, 4), 1, 3);
    expect([...reader.rest()]).toEqual([2, 3]);
    expect(reader.u8()).toBe(0);
    expect(reader.overrun).toBe(true);
  });

  it('reads eight bytes as one number', () => {
    expect(new Reader(Uint8Array.of(0, 0, 1, 2, 3, 4, 5, 6)).u64()).toBe(0x010203040506);
  });
});

describe('text of bytes', () => {
  it('is upper-case hexadecimal', () => expect(hex(Uint8Array.of(0, 0x0a, 0xff))).toBe('000AFF'));

  it('drops control characters and marks non-ASCII bytes', () => {
    expect(ascii(Uint8Array.of(0x41, 0x0d, 0x0a, 0xc3, 0x42, 0))).toBe('A?B');
  });

  it('is distinguished from binary', () => {
    expect(isText(new TextEncoder().encode('OK!\r\n'))).toBe(true);
    expect(isText(Uint8Array.of(1, 3, 0))).toBe(false);
    expect(isText(new Uint8Array(0))).toBe(false);
  });
});

describe('ByteWriter', () => {
  it('keeps its content when it grows', () => {
    const writer = new ByteWriter();
    for (let i = 0; i < 200; i++) writer.u16(i);
    const reader = new Reader(writer.u32(0xdeadbeef).done());
    for (let i = 0; i < 200; i++) expect(reader.u16()).toBe(i);
    expect(reader.u32()).toBe(0xdeadbeef);
  });
});
