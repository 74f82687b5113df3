/** Texts one behind the other, in memory that threads can share. */
export interface TextList {
  /** UTF-8. */
  readonly bytes: Uint8Array;
  /** Where each ends. */
  readonly ends: Uint32Array;
}

const utf8 = new TextEncoder();
/** Of a UTF-16 unit in UTF-8. */
const MOST_BYTES = 3;
const fromUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function textList(texts: readonly string[]): TextList {
  // An encoder fills no shared memory. One array for all texts: one for each takes five times as long.
  const encoded = new Uint8Array(MOST_BYTES * sum(texts.map(({ length }) => length)));
  const ends = shared(Uint32Array, texts.length);
  let at = 0;
  for (const [i, text] of texts.entries()) {
    at += utf8.encodeInto(text, encoded.subarray(at)).written;
    ends[i] = at;
  }
  return { bytes: sharedOf(Uint8Array, encoded.subarray(0, at)), ends };
}

/** Undefined beyond the last one. */
export function textAt({ bytes, ends }: TextList, i: number): string | undefined {
  const end = ends[i];
  // A decoder takes no shared memory, so this is a copy.
  return end === undefined ? undefined : fromUtf8.decode(bytes.slice(i === 0 ? 0 : ends[i - 1], end));
}

/** Reads texts of a list; each is decoded once. */
export function textsOf(list: TextList): (i: number) => string {
  const known = new Map<number, string>();
  return i => {
    const before = known.get(i);
    if (before !== undefined) return before;
    const text = textAt(list, i) ?? '';
    known.set(i, text);
    return text;
  };
}

interface ArrayType<A> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: SharedArrayBuffer): A;
}

/** An array of numbers that threads can share. */
export const shared = <A>(type: ArrayType<A>, length: number): A =>
  new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT));

export function sharedOf<A extends { set(values: ArrayLike<number>): void }>(
  type: ArrayType<A>,
  values: ArrayLike<number>,
): A {
  const array = shared(type, values.length);
  array.set(values);
  return array;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
