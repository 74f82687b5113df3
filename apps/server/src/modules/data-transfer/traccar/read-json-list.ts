import { closeSync, createReadStream, openSync, readSync } from 'node:fs';

/** The largest element; a position of a tracker has a few kilobytes at most. */
const ELEMENT_MAX_BYTES = 4 * 1024 * 1024;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

interface Element {
  /** Where it begins in the file. */
  readonly offset: number;
  readonly text: string;
}

/**
 * The elements of a list in a file of JSON, one after the other, in the memory of one. Strings are in UTF-8, whose other
 * bytes are never those of a quote or a bracket. Throws if the file is no list; what is wrong within an element shows
 * when it is parsed.
 */
export async function* elementsOf(path: string): AsyncGenerator<Element> {
  let [depth, offset, begins] = [0, 0, -1];
  let [inString, isEscaped, isOver] = [false, false, false];
  let carried = Buffer.alloc(0);
  for await (const chunk of createReadStream(path)) {
    const bytes = carried.length === 0 ? (chunk as Buffer) : Buffer.concat([carried, chunk as Buffer]);
    const start = offset - carried.length;
    for (let i = carried.length; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      if (inString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) inString = false;
        continue;
      }
      if (SPACES.has(byte) || (depth === 0 && start + i < 3 && BYTE_ORDER_MARK[start + i] === byte)) continue;
      if (isOver || (depth === 0 && byte !== 0x5b)) throw new TypeError('The file is no list');
      const isEnd = depth === 1 && (byte === COMMA || CLOSING.has(byte));
      if (isEnd && begins >= 0) yield { offset: begins, text: bytes.toString('utf8', begins - start, i) };
      if (isEnd) begins = -1;
      else if (depth > 0 && begins < 0) begins = start + i;
      if (byte === QUOTE) inString = true;
      else if (OPENING.has(byte)) depth++;
      else if (CLOSING.has(byte)) depth--;
      isOver = depth === 0;
    }
    offset = start + bytes.length;
    carried = begins < 0 ? Buffer.alloc(0) : Buffer.from(bytes.subarray(begins - start));
    if (carried.length > ELEMENT_MAX_BYTES) throw new RangeError('An element of the list is too large');
  }
  if (!isOver) throw new TypeError('The list has no end');
}

/**
 * The elements of a list in a file in the order of a number of each, with the memory of their places alone: the file is
 * read once to see that all of it can be read, and then element by element.
 */
export async function* elementsInOrder(
  path: string,
  orderOf: (value: unknown) => number,
): AsyncGenerator<{ readonly value: unknown; readonly readBytes: number }> {
  const places: { readonly order: number; readonly offset: number; readonly length: number }[] = [];
  for await (const { offset, text } of elementsOf(path)) {
    const order = orderOf(JSON.parse(text));
    places.push({ order: Number.isNaN(order) ? 0 : order, offset, length: Buffer.byteLength(text) });
  }
  places.sort((a, b) => a.order - b.order);
  const file = openSync(path, 'r');
  try {
    let readBytes = 0;
    for (const { length, offset } of places) {
      const bytes = Buffer.alloc(length);
      readSync(file, bytes, 0, length, offset);
      readBytes += length;
      yield { value: JSON.parse(bytes.toString('utf8')), readBytes };
    }
  } finally {
    closeSync(file);
  }
}
