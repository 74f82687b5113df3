import { ByteWriter } from '../byte-writer.ts';
import { ascii, hex, isText, type Reader } from '../bytes.ts';

/** JT/T 808-2013 Table 12: parameters that do not have four bytes. */
const BYTES: Readonly<Record<number, 1 | 2>> = {
  49: 2,
  91: 2,
  92: 2,
  93: 2,
  94: 2,
  129: 2,
  130: 2,
  132: 1,
  144: 1,
  145: 1,
  146: 1,
  148: 1,
  257: 2,
  259: 2,
};
/** Text parameters: APN, names, addresses, phone numbers, plate. */
const TEXTS = new Set([
  ...range(0x0010, 0x0017),
  0x001a,
  0x001d,
  ...range(0x0023, 0x0026),
  ...range(0x0040, 0x0044),
  0x0048,
  0x0049,
  0x0083,
]);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** `0001=60 0013=track.example.org`, from a number of parameters; null if they do not fit. */
export function readParameters(reader: Reader, count: number): string | null {
  const pairs: string[] = [];
  for (let i = 0; i < count; i++) {
    const id = reader.u32();
    const bytes = reader.take8(reader.u8());
    if (reader.overrun) return null;
    pairs.push(`${idText(id)}=${valueText(id, bytes)}`);
  }
  return pairs.join(' ');
}

const idText = (id: number): string => id.toString(16).toUpperCase().padStart(4, '0');

function valueText(id: number, bytes: Uint8Array): string {
  if (TEXTS.has(id) || (bytes.length > 4 && isText(bytes))) return ascii(bytes);
  return bytes.length <= 4 ? String(bytes.reduce((sum, byte) => sum * 256 + byte, 0)) : hex(bytes);
}

/** The inverse; null if an entry is not a parameter. */
export function writeParameters(pairs: readonly string[]): Uint8Array | null {
  const writer = new ByteWriter().u8(pairs.length);
  for (const pair of pairs) {
    const match = /^([0-9A-F]{1,8})=(.*)$/i.exec(pair);
    const id = Number.parseInt(match?.[1] ?? '', 16);
    const value = match?.[2];
    if (value === undefined || value.length > 255) return null;
    if (TEXTS.has(id)) writer.u32(id).u8(value.length).ascii(value);
    else if (/^\d{1,10}$/.test(value)) writeNumber(writer.u32(id), BYTES[id] ?? 4, Number(value));
    else return null;
  }
  return writer.done();
}

function writeNumber(writer: ByteWriter, bytes: 1 | 2 | 4, value: number): void {
  writer.u8(bytes);
  if (bytes === 1) writer.u8(value);
  else if (bytes === 2) writer.u16(value);
  else writer.u32(value);
}
