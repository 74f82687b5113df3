import { describe, expect, it } from 'vitest';
import { ByteWriter } from './byte-writer.ts';
import { ascii, hasLetters, hex, isText, letters, Reader } from './bytes.ts';

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

describe('letters beyond ASCII', () => {
  const utf8 = (text: string) => new TextEncoder().encode(text);

  it('are read as UTF-8, and are question marks in another encoding', () => {
    expect(letters(utf8(' Camión 12\r\n'))).toBe('Camión 12');
    expect(letters(Uint8Array.of(0x53, 0x65, 0xf1, 0x61, 0x6c))).toBe('Se?al');
    expect(letters(utf8('4133'))).toBe('4133');
  });

  it('never bring control or format characters', () => {
    expect(letters(utf8('a\u0085b\u202ec\u2028d\u0000é'))).toBe('abcdé');
  });

  it('make a text no data, and control characters do', () => {
    expect([hasLetters(utf8('Camión\r\n')), isText(utf8('Camión'))]).toEqual([true, false]);
    expect([utf8('a\0'), utf8('a\x7f'), new Uint8Array(0)].map(hasLetters)).toEqual([false, false, false]);
  });
});
