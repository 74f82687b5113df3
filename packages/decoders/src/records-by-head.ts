/**
 * Records that do not fill a packet in the documented form: elements of a form that nobody has described, or a wrong
 * count. Their heads (time and place) show where they begin, so that one of them doesn't hide those behind it.
 */
export interface RecordsByHead<R> {
  readonly from: number;
  readonly limit: number;
  /** The stated number of records. */
  readonly most: number;
  readonly headBytes: number;
  /** The record and where its elements end; null if they do not fit in front of `limit`. */
  whole(at: number, limit: number): { readonly record: R; readonly next: number } | null;
  /** The record without its elements; null if its place and time are none: then nothing says that it is a record. */
  bare(at: number): R | null;
  /**
   * Whether a record can begin here: a place on Earth at a time that a clock can have, near that of `first` if given. Other
   * data is unlikely to look like that. Gives how far apart they are in time; null if none can begin here.
   */
  headAt(at: number, first: R | null): number | null;
}

export interface FoundRecords<R> {
  readonly records: readonly R[];
  /** Where each of them begins. */
  readonly starts: readonly number[];
  /** Where the first one that does not fit begins, or the bytes behind it. */
  readonly at: number;
}

/** Reads each byte a few times at most, whatever is in them. */
export function recordsByHead<R>(form: RecordsByHead<R>): FoundRecords<R> {
  const { from, limit, most, headBytes } = form;
  const records: R[] = [];
  const starts: number[] = [];
  const first = form.bare(from) ?? form.whole(from, limit)?.record ?? null;
  let misfit: number | null = null;
  let head: number | null = from;
  let at = from;
  while (records.length < most && at + headBytes <= limit) {
    // Without a head further on, there is none behind that either.
    head = head === null || first === null ? null : headFrom(form, at + headBytes, first);
    const read = form.whole(at, head ?? limit);
    const record = read?.record ?? form.bare(at);
    if (record === null) break;
    // Behind the elements may stand a record with quite another time.
    const next = head ?? (read !== null && form.headAt(read.next, null) !== null ? read.next : limit);
    if (read?.next !== next) misfit ??= read?.next ?? at;
    records.push(record);
    starts.push(at);
    at = next;
  }
  return { records, starts, at: misfit ?? at };
}

/** The next head. Where several begin within its bytes, only the nearest in time is one. */
function headFrom<R>({ headBytes, limit, headAt }: RecordsByHead<R>, from: number, first: R): number | null {
  let found: number | null = null;
  let nearest = Number.POSITIVE_INFINITY;
  for (let at = from; at + headBytes <= limit && (found === null || at < found + headBytes); at++) {
    const apart = headAt(at, first);
    if (apart === null || apart >= nearest) continue;
    found = at;
    nearest = apart;
  }
  return found;
}

/** Times of one packet are not further apart, in ms. */
const FARTHEST_APART_MS = 31 * 86_400_000;

/** How far apart two times are; null if too far to be of one packet. */
export function nearness(time: number, other: number): number | null {
  const apart = Math.abs(time - other);
  return apart <= FARTHEST_APART_MS ? apart : null;
}
