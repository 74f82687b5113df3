import { signed, unsigned } from './little.ts';
import { sizeOf, TAG, tagOf } from './tags.ts';

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
 * the next record that has a time and a place.
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
      const to = nextRecord(content, at + 1, timeIn(records));
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

const NOTHING = new Uint8Array(0);
/** In seconds: an archive is not longer. */
const MOST_APART = 400 * 86_400;
/** Behind a record without a time: 2001, the year from which clocks count. */
const EARLIEST = Date.UTC(2001, 0) / 1000;
const MILLISECONDS_BYTES = 2;
const PLACE_BYTES = 9;

/**
 * Where the next record begins, or the end. Records are found by their time and place, one right behind the other, which
 * other data is unlikely to have. `near` is the time of an earlier record.
 */
export function nextRecord(content: Uint8Array, from: number, near: number | null): number {
  for (let at = from; at < content.length; at++) {
    if (isTimeAndPlace(content, at, near)) return startOf(content, at, from);
  }
  return content.length;
}

/** The time of the first record whose clock was set, in seconds. */
function timeIn(records: readonly RawRecord[]): number | null {
  const times = records.map(({ tags }) => unsigned(tags.get(TAG.time) ?? NOTHING));
  return times.find(time => time >= EARLIEST) ?? null;
}

function isTimeAndPlace(content: Uint8Array, at: number, near: number | null): boolean {
  if (content[at] !== TAG.time) return false;
  const time = unsigned(content.subarray(at + 1, at + 5));
  if (near === null ? time < EARLIEST : Math.abs(time - near) >= MOST_APART) return false;
  const behind = at + 5;
  const place = content[behind] === TAG.milliseconds ? behind + 1 + MILLISECONDS_BYTES : behind;
  if (content[place] !== TAG.place || place + 1 + PLACE_BYTES > content.length) return false;
  const [lat, lon] = [place + 2, place + 6].map(angle => signed(content.subarray(angle, angle + 4)) / 1e6);
  return Math.abs(lat ?? 0) <= 90 && Math.abs(lon ?? 0) <= 180;
}

/** Tags that may stand before the time, from the last to the first. */
const BEFORE_TIME = [0x11, TAG.record, TAG.device, TAG.imei, 0x02, 0x01];

function startOf(content: Uint8Array, time: number, from: number): number {
  let start = time;
  for (const tag of BEFORE_TIME) {
    const at = start - 1 - (tagOf(tag)?.[1] ?? 0);
    if (at >= from && content[at] === tag) start = at;
  }
  return start;
}
