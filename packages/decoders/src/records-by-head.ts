/**
 * Records that do not fill a packet in the documented form: elements of a form that nobody has described, or a wrong
 * count. Their heads (time and place) show where they begin, so that one of them does not take those behind it along.
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
   * data is unlikely to look like that.
   */
  isHead(at: number, first: R | null): boolean;
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
    const next = head ?? (read !== null && form.isHead(read.next, null) ? read.next : limit);
    if (read?.next !== next) misfit ??= read?.next ?? at;
    records.push(record);
    starts.push(at);
    at = next;
  }
  return { records, starts, at: misfit ?? at };
}

function headFrom<R>({ headBytes, limit, isHead }: RecordsByHead<R>, from: number, first: R): number | null {
  for (let at = from; at + headBytes <= limit; at++) if (isHead(at, first)) return at;
  return null;
}

/** Times of one packet are not further apart, in ms. */
const FARTHEST_APART_MS = 31 * 86_400_000;

export const isNear = (time: number, other: number): boolean => Math.abs(time - other) <= FARTHEST_APART_MS;
