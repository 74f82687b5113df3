import { unsigned } from './little.ts';
import { sizeOf, TAG } from './tags.ts';

export interface RawRecord {
  /** Data by tag, in the order of the record. */
  readonly tags: Map<number, Uint8Array>;
}

/** Bytes that could not be read: why, and where they are. */
export interface Rest {
  readonly code: 'unknown-type' | 'bad-length';
  readonly from: number;
  readonly to: number;
}

/**
 * Records of a pack, one after the other without a separator. "Tags are in ascending order", so a lower one, or one that
 * the record has already, begins the next. Behind a tag whose length is unknown or beyond the pack, reading goes on with
 * the next record that begins like the first one.
 */
export function splitRecords(content: Uint8Array): { readonly records: RawRecord[]; readonly rests: Rest[] } {
  const records: RawRecord[] = [];
  const rests: Rest[] = [];
  let tags = new Map<number, Uint8Array>();
  let last = -1;
  const next = (): void => {
    if (tags.size > 0) records.push({ tags });
    tags = new Map();
  };
  for (let at = 0; at < content.length; ) {
    const tag = content[at] ?? 0;
    const size = sizeOf(tag, content, at + 1);
    if (tags.size > 0 && (tag < last || tags.has(tag))) next();
    const end = size === null ? 0 : at + 1 + size;
    if (size === null || end > content.length) {
      next();
      const to = likeFirst(content, at + 1, records[0]);
      rests.push({ code: size === null ? 'unknown-type' : 'bad-length', from: at, to });
      at = to;
      last = -1;
      continue;
    }
    tags.set(tag, content.subarray(at + 1, end));
    last = tag;
    at = end;
  }
  next();
  return { records, rests };
}

/** In seconds: an archive is not longer. */
const MOST_APART = 400 * 86_400;

/** Where the next record begins, or the end. Only the tags up to the place tell a record from other data. */
function likeFirst(content: Uint8Array, from: number, first: RawRecord | undefined): number {
  const opening = [...(first?.tags ?? [])].filter(([tag]) => tag <= TAG.place);
  const time = first?.tags.get(TAG.time);
  if (time === undefined || !first?.tags.has(TAG.place)) return content.length;
  const bytes = opening.reduce((sum, [, data]) => sum + 1 + data.length, 0);
  for (let start = from; start + bytes <= content.length; start++) {
    let at = start;
    let like = true;
    for (const [tag, data] of opening) {
      like &&= content[at] === tag;
      if (!like) break;
      if (tag === TAG.time) like = Math.abs(unsigned(content.subarray(at + 1, at + 5)) - unsigned(time)) < MOST_APART;
      at += 1 + data.length;
    }
    if (like) return start;
  }
  return content.length;
}
