import { sql } from 'kysely';
import type { AccountTransaction } from './database.ts';

/**
 * What comes in, in the order of its coming in, for programs that ask again with where they stopped. What has been given
 * is decided by PostgreSQL's own snapshots: a row is new to a reader if its transaction is visible now and was not in
 * the snapshot of the last answer. Nothing is missed because another transaction committed later than it began, and
 * nothing is given twice.
 */

/** Where a reader stands: all that this snapshot shows was given; rows received before `sinceMs` are not looked at. */
export interface Given {
  readonly snapshot: string;
  readonly sinceMs: number;
}

export interface ArrivalCursor extends Given {
  /** In the middle of what `upTo` shows: given up to and including `after`. */
  readonly page: { readonly upTo: Given; readonly after: ArrivalKey } | null;
}

/** The time a row was received, and two values that tell apart what was received at once. */
export type ArrivalKey = readonly [receivedMs: number, first: string | number, second: number];

interface ArrivalTable<Row> {
  readonly table: 'position' | 'duty_entry';
  readonly received: 'received_at' | 'recorded_at';
  readonly columns: readonly string[];
  /** Besides the time: their columns, in the order of `keyOf`. */
  readonly key: readonly [string, string];
  readonly keyOf: (row: Row) => ArrivalKey;
  /** How the key's last value is compared: a time is epoch milliseconds in the key. */
  readonly lastOf: (value: number) => Date | number;
}

export interface Arrivals<Row> {
  readonly rows: readonly Row[];
  readonly next: ArrivalCursor;
  /** There is more to read at once. */
  readonly hasMore: boolean;
}

/** The change feed is kept as long. */
const ARRIVALS_KEPT_MS = 48 * 3_600_000;
/** A row is committed within this time of being received; a clock that was set back is off by less. */
const SLACK_MS = 30_000;
/** Read at a time, so that a long absence is not sorted as a whole for every page. */
const WINDOW_MS = 10 * 60_000;

/** From now on. */
export async function arrivalsFromNow(trx: AccountTransaction, nowMs: number): Promise<ArrivalCursor> {
  return { ...(await givenNow(trx, nowMs)), page: null };
}

/**
 * The next rows, up to `limit`.
 *
 * @returns null if the cursor is too old, or of another database
 */
export async function readArrivals<Row>(
  trx: AccountTransaction,
  cursor: ArrivalCursor,
  of: ArrivalTable<Row>,
  limit: number,
  nowMs: number,
): Promise<Arrivals<Row> | null> {
  const upTo = cursor.page?.upTo ?? (await givenNow(trx, nowMs));
  if (cursor.sinceMs < nowMs - ARRIVALS_KEPT_MS || headOf(upTo.snapshot) < headOf(cursor.snapshot)) return null;
  let after = cursor.page?.after ?? null;
  const rows: Row[] = [];
  for (let fromMs = after?.[0] ?? cursor.sinceMs; fromMs <= nowMs + SLACK_MS; fromMs += WINDOW_MS) {
    const isLast = fromMs + WINDOW_MS > nowMs + SLACK_MS;
    const found = await readWindow(
      trx,
      of,
      { cursor, upTo: upTo.snapshot, after, fromMs, toMs: isLast ? null : fromMs + WINDOW_MS },
      limit - rows.length,
    );
    rows.push(...found);
    const last = rows.at(-1);
    if (last && rows.length >= limit) {
      after = of.keyOf(last);
      return { rows, next: { ...cursor, page: { upTo, after } }, hasMore: true };
    }
  }
  return { rows, next: { ...upTo, page: null }, hasMore: false };
}

async function readWindow<Row>(
  trx: AccountTransaction,
  { columns, key, lastOf, received, table }: ArrivalTable<Row>,
  window: {
    readonly cursor: ArrivalCursor;
    readonly upTo: string;
    readonly after: ArrivalKey | null;
    readonly fromMs: number;
    readonly toMs: number | null;
  },
  limit: number,
): Promise<readonly Row[]> {
  const { after, cursor, fromMs, toMs, upTo } = window;
  const at = sql.ref(received);
  const order = sql`${at}, ${sql.ref(key[0])}, ${sql.ref(key[1])}`;
  const transaction = transactionOf(headOf(upTo));
  const { rows } = await sql<Row>`
    select ${sql.join(columns.map(name => sql.ref(name)))} from ${sql.table(table)}
    where ${at} >= ${new Date(fromMs)} ${toMs === null ? sql`` : sql`and ${at} < ${new Date(toMs)}`}
      ${after ? sql`and (${order}) > (${new Date(after[0])}, ${after[1]}, ${lastOf(after[2])})` : sql``}
      and not pg_visible_in_snapshot(${transaction}, ${cursor.snapshot}::pg_snapshot)
      and pg_visible_in_snapshot(${transaction}, ${upTo}::pg_snapshot)
    order by ${order} limit ${limit}`.execute(trx);
  return rows;
}

/**
 * The whole number of the transaction that wrote a row: the row has its lower half only. 3 is the first that there can be,
 * and visible in every snapshot.
 */
function transactionOf(head: bigint) {
  const round = 2n ** 32n;
  const base = (head / round) * round;
  return sql`greatest(3, xmin::text::int8 + case when xmin::text::int8 <= ${String(head % round)}::int8
    then ${String(base)}::int8 else ${String(base - round)}::int8 end)::text::xid8`;
}

async function givenNow(trx: AccountTransaction, nowMs: number): Promise<Given> {
  const { rows } = await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(trx);
  return { snapshot: rows[0]?.snapshot ?? '', sinceMs: nowMs - SLACK_MS };
}

const SNAPSHOT = /^\d{1,19}:(\d{1,19}):(?:\d{1,19}(?:,\d{1,19})*)?$/;
/** The first transaction that had not begun. */
const headOf = (snapshot: string): bigint => BigInt(SNAPSHOT.exec(snapshot)?.[1] ?? 0);

/** As a reader keeps it. */
export function writeCursor({ page, sinceMs, snapshot }: ArrivalCursor): string {
  const parts = [snapshot, sinceMs, ...(page ? [page.upTo.snapshot, page.upTo.sinceMs, ...page.after] : [])];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Null if nobody was given this. */
export function readCursor(text: string): ArrivalCursor | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts)) return null;
  const [snapshot, sinceMs, upTo, upToMs, receivedMs, first, second] = parts as unknown[];
  if (!isSnapshot(snapshot) || !isTime(sinceMs)) return null;
  if (parts.length === 2) return { snapshot, sinceMs, page: null };
  if (!isSnapshot(upTo) || !isTime(upToMs) || !isTime(receivedMs) || parts.length !== 7) return null;
  if (!(typeof first === 'string' ? first.length <= 64 : isInteger(first)) || !isNumber(second)) return null;
  const after = [receivedMs, first as string | number, second] as const;
  return { snapshot, sinceMs, page: { upTo: { snapshot: upTo, sinceMs: upToMs }, after } };
}

const LARGEST = 2n ** 63n;
const isSnapshot = (value: unknown): value is string => {
  if (typeof value !== 'string' || !SNAPSHOT.test(value)) return false;
  const [low = 0n, high = 0n, ...open] = value.split(/[:,]/).filter(Boolean).map(BigInt);
  // As PostgreSQL reads it: in order, and within its bounds.
  return (
    low > 0n &&
    low <= high &&
    high < LARGEST &&
    open.every((id, i) => id >= low && id < high && id > (open[i - 1] ?? low - 1n))
  );
};
const isNumber = (value: unknown): value is number => Number.isSafeInteger(value) && Math.abs(value as number) < 8.6e15;
const isInteger = (value: unknown): boolean => isNumber(value) && Math.abs(value) < 2 ** 31;
const isTime = (value: unknown): value is number => isNumber(value) && value >= 0 && value < 8.6e15;
