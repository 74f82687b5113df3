import { type ByteReader, type ByteWriter, DamagedTrack } from './bytes.ts';
import { readWhole, skipWhole, writeWhole } from './numbers.ts';

/** Every text once, then which one stands where. */
export function writeTexts(to: ByteWriter, values: readonly string[]): void {
  const places = new Map<string, number>();
  for (const value of values) if (!places.has(value)) places.set(value, places.size);
  to.varint(places.size);
  for (const text of places.keys()) to.text(text);
  if (places.size > 1) {
    writeWhole(
      to,
      values.map(value => places.get(value) as number),
    );
  }
}

/** All of them, or those from `lo` to before `hi`. */
export function readTexts(from: ByteReader, count: number, lo = 0, hi = count): string[] {
  const texts = listIn(from, count);
  const size = texts.length;
  const places = size > 1 ? readWhole(from, count, lo, hi) : Array.from({ length: hi - lo }, () => 0);
  return places.map(place => {
    const text = texts[place];
    if (text === undefined) throw new DamagedTrack('A text of the track is not in its list');
    return text;
  });
}

/** Goes past a column of texts. */
export function skipTexts(from: ByteReader, count: number): void {
  if (listIn(from, count).length > 1) skipWhole(from, count);
}

function listIn(from: ByteReader, count: number): string[] {
  const size = from.varint();
  if (size > count) throw new DamagedTrack('A list of the track is longer than the track');
  return Array.from({ length: size }, () => from.text());
}
