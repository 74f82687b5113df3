import type { OpenTrack } from '@milepost/track';
import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import { IMPOSSIBLE_TIME } from './fixes.ts';
import { columnsOfRows, type RowsTogether, rowsTogether } from './row-columns.ts';
import { openDay } from './sealed-day.ts';
import { readSpan } from './span.ts';
import { POSITION_COLUMNS, type StoredPosition, toStoredPosition } from './stored-position.ts';

/** What motion follows from, as columns, oldest first. Times in milliseconds since 1970, speed in m/s. */
export interface MotionColumns {
  readonly fixAt: readonly number[];
  readonly lat: readonly number[];
  readonly lon: readonly number[];
  readonly speed: readonly (number | null)[];
  readonly ignition: readonly (boolean | null)[];
  readonly valid: readonly boolean[];
  readonly doubts: readonly number[];
  readonly rfid: readonly (string | null)[];
}

const ROW_NAMES = ['lat', 'lon', 'speed', 'ignition', 'valid', 'doubts', 'rfid'] as const;
const NAMES = ['fixAt', ...ROW_NAMES] as const;

export interface FixesBack {
  readonly columns: MotionColumns;
  /** When the newest of them was received. */
  readonly receivedMs: number | null;
  /** There are no earlier ones. */
  readonly isAll: boolean;
  /** The newest packed day that was opened; null if none was. */
  readonly day: OpenTrack | null;
  /** A packed day whose first so many fixes, right before the others, are not among them yet. */
  readonly rest: { readonly day: OpenTrack; readonly unread: number } | null;
  /** How many were left out right before the fixes at these times, because they only say that the vehicle stands. */
  readonly leftOut: ReadonlyMap<number, number>;
}

const DAY_NAMES = POSITION_COLUMNS.filter(name => !['fix_at', 'received_at', 'attributes'].includes(name)) as Exclude<
  (typeof POSITION_COLUMNS)[number],
  'fix_at' | 'received_at' | 'attributes'
>[];

export interface BackFrom {
  readonly vehicleId: number;
  /** The fixes before this moment. */
  readonly beforeMs: number;
  /** How many, or a few more. */
  readonly limit: number;
}

/** Of a packed day so many are read, at least: opening it costs more, and a drive is often longer than `limit`. */
const OF_A_DAY = 700;

/** A vehicle is not read further back at once. */
const DAYS_AT_ONCE = 40;

/** From the newest to the oldest; of the newest also when it was received. */
type NewestRows = RowsTogether & { readonly received_at: Date };

/**
 * The newest fixes of many vehicles before a moment. The newest packed day of each vehicle stays
 * open, for what its report says. Rows come together, which is read many times as fast as rows are. After each vehicle,
 * `afterEach` is waited for: opening a day takes about a millisecond.
 */
export async function fixesBack(
  trx: AccountTransaction,
  vehicles: readonly BackFrom[],
  afterEach: () => Promise<void>,
): Promise<Map<number, FixesBack>> {
  const { rows } = await sql<NewestRows & { vehicle_id: number; track: Buffer | null }>`
    select reader.vehicle_id, found.* from unnest(
      ${vehicles.map(({ vehicleId }) => vehicleId)}::int4[],
      ${vehicles.map(({ beforeMs }) => new Date(beforeMs))}::timestamptz[],
      ${vehicles.map(({ limit }) => limit)}::int4[]
    ) as reader (vehicle_id, before, most)
    cross join lateral (
      (
        select ${rowsTogether(ROW_NAMES)}, (array_agg(received_at))[1] as received_at, null::bytea as track from (
          select fix_at, received_at, lat, lon, speed, ignition, valid, doubts, rfid from position
          where position.vehicle_id = reader.vehicle_id and fix_at < reader.before
          order by fix_at desc limit reader.most
        ) newest having count(*) > 0
      ) union all (
        select null, null, null, null, track from (
          select track, sum(case when to_at >= reader.before then 0 else positions end)
            over (order by day desc rows between unbounded preceding and 1 preceding) as later, day
          from (
            select * from sealed_day
            where sealed_day.vehicle_id = reader.vehicle_id and from_at < reader.before
              and day <= (reader.before at time zone 'UTC')::date
            order by day desc limit ${DAYS_AT_ONCE}
          ) newest
        ) days where coalesce(later, 0) < reader.most order by day desc
      )
    ) found`.execute(trx);
  const byVehicle = Map.groupBy(rows, row => row.vehicle_id);
  const found = new Map<number, FixesBack>();
  for (const vehicle of vehicles) {
    const ofVehicle = byVehicle.get(vehicle.vehicleId);
    if (!ofVehicle) continue;
    const newest = ofVehicle.find(({ track }) => track === null) ?? null;
    const tracks = ofVehicle.flatMap(({ track }) => track ?? []);
    found.set(vehicle.vehicleId, backOf(newest, tracks, vehicle));
    await afterEach();
  }
  return found;
}

function backOf(rows: NewestRows | null, tracks: readonly Buffer[], { beforeMs, limit }: BackFrom): FixesBack {
  const pieces: MotionColumns[] = [];
  let day: OpenTrack | null = null;
  let packedMs: number | null = null;
  let rest: FixesBack['rest'] = null;
  for (const track of tracks) {
    const open = openDay(track);
    const part = newestBefore(open.columns(['fixAt']).fixAt, beforeMs, Math.max(limit, OF_A_DAY));
    if (!day && part[1] > 0) packedMs = open.columns(['receivedAt'], [part[1] - 1, part[1]]).receivedAt[0] ?? null;
    day ??= open;
    pieces.push(open.columns(NAMES, part));
    if (part[0] > 0) {
      // What an earlier day says would come after a hole.
      rest = { day: open, unread: part[0] };
      break;
    }
  }
  const packed = pieces[0]?.fixAt.at(-1) ?? Number.NEGATIVE_INFINITY;
  if (rows) pieces.push(mapped(columnsOfRows(rows, ROW_NAMES), column => column.toReversed()));
  const rowsMs = pieces.at(-1)?.fixAt.at(-1) ?? Number.NEGATIVE_INFINITY;
  const all = together(pieces);
  const isAll = all.fixAt.length < limit && tracks.length < DAYS_AT_ONCE;
  // Of a vehicle with both, what is older than the newest `limit` may have holes.
  const columns = rows && day && !isAll ? mapped(all, column => column.slice(-limit)) : all;
  const isWhole = !rows && !isAll;
  return {
    columns,
    receivedMs: rows && rowsMs >= packed ? rows.received_at.getTime() : packedMs,
    isAll,
    day,
    rest: isWhole ? rest : null,
    leftOut: new Map(),
  };
}

/** With all fixes of the packed day that was read in part; it is open, so this costs less than to ask for more. */
export function withRest(back: FixesBack): FixesBack {
  if (!back.rest) return back;
  const { day, unread } = back.rest;
  return { ...back, columns: joined(day.columns(NAMES, [0, unread]), back.columns), rest: null };
}

/** With what was read further back; null: there is nothing. Between the two, so many were left out. */
export function withEarlier(back: FixesBack | null, earlier: FixesBack | null, leftOut: number): FixesBack | null {
  if (!back || !earlier) return earlier ?? (back && { ...back, isAll: true });
  const [firstMs] = back.columns.fixAt;
  return {
    ...earlier,
    columns: joined(earlier.columns, back.columns),
    receivedMs: back.receivedMs,
    day: back.day ?? earlier.day,
    leftOut: leftOut > 0 && firstMs !== undefined ? new Map(back.leftOut).set(firstMs, leftOut) : back.leftOut,
  };
}

/** The last `most` of these times, which are in order, before a moment. */
function newestBefore(times: readonly number[], beforeMs: number, most: number): [lo: number, hi: number] {
  let end = times.length;
  while (end > 0 && (times[end - 1] as number) >= beforeMs) end--;
  return [Math.max(0, end - most), end];
}

/** Pieces in the order of time. A packed day has no rows, so they never overlap, unless rows are of several days. */
function together(pieces: readonly MotionColumns[]): MotionColumns {
  const filled = pieces.filter(({ fixAt }) => fixAt.length > 0);
  const [first] = filled;
  if (!first) return EMPTY;
  if (filled.length === 1) return first;
  const inOrder = filled.toSorted((a, b) => Number(a.fixAt[0]) - Number(b.fixAt[0]));
  const all = mapped(EMPTY, (empty, name) => empty.concat(...inOrder.map(piece => piece[name] as readonly unknown[])));
  const isInOrder = inOrder.every(
    (piece, i) => i === 0 || Number(inOrder[i - 1]?.fixAt.at(-1)) < Number(piece.fixAt[0]),
  );
  if (isInOrder) return all;
  const order = [...all.fixAt.keys()].sort((a, b) => Number(all.fixAt[a]) - Number(all.fixAt[b]));
  return mapped(all, column => order.map(i => column[i]));
}

const mapped = (
  columns: MotionColumns,
  change: (column: readonly unknown[], name: keyof MotionColumns) => readonly unknown[],
): MotionColumns =>
  Object.fromEntries(NAMES.map(name => [name, change(columns[name], name)])) as unknown as MotionColumns;

const EMPTY = Object.fromEntries(NAMES.map(name => [name, []])) as unknown as MotionColumns;

/** The fixes before and those after them. */
const joined = (earlier: MotionColumns, later: MotionColumns): MotionColumns => together([earlier, later]);
/** The fixes at these places, in their order. */
export const chosen = (columns: MotionColumns, places: readonly number[]): MotionColumns =>
  mapped(columns, column => places.map(i => column[i]));

/**
 * The positions at these moments, one of a vehicle, from the days that were opened or from rows; what was deleted
 * meanwhile is missing. Attributes are left out.
 */
export async function positionsAt(
  trx: AccountTransaction,
  moments: readonly { readonly vehicleId: number; readonly fixMs: number; readonly day: OpenTrack | null }[],
): Promise<Map<number, StoredPosition>> {
  const found = new Map<number, StoredPosition>();
  const others = moments.filter(({ vehicleId, fixMs, day }) => {
    const at = day ? day.columns(['fixAt']).fixAt.lastIndexOf(fixMs) : -1;
    if (day && at >= 0) found.set(vehicleId, positionOf(day, at));
    return at < 0;
  });
  const { rows } = await sql<Parameters<typeof toStoredPosition>[0] & { vehicle_id: number }>`
    select position.* from unnest(
      ${others.map(({ vehicleId }) => vehicleId)}::int4[], ${others.map(({ fixMs }) => new Date(fixMs))}::timestamptz[]
    ) as wanted (vehicle_id, at)
    join position on position.vehicle_id = wanted.vehicle_id
      and fix_at >= at and fix_at < at + interval '1 millisecond'`.execute(trx);
  for (const row of rows) found.set(row.vehicle_id, { ...toStoredPosition(row), attributes: null });
  // In a packed day before the one that was opened: all that came after it is doubted.
  for (const { vehicleId, fixMs } of others) {
    if (found.has(vehicleId)) continue;
    const at = new Date(fixMs);
    const [row] = await readSpan(trx, { vehicleId, from: at, to: at }, { columns: POSITION_COLUMNS });
    if (row) found.set(vehicleId, { ...toStoredPosition(row), attributes: null });
  }
  return found;
}

function positionOf(day: OpenTrack, at: number): StoredPosition {
  const columns = day.columns(['fixAt', 'receivedAt', ...DAY_NAMES], [at, at + 1]);
  const row = Object.fromEntries(DAY_NAMES.map(name => [name, columns[name][0]]));
  return toStoredPosition({
    ...row,
    fix_at: new Date(columns.fixAt[0] as number),
    received_at: new Date(columns.receivedAt[0] as number),
    attributes: null,
  } as Parameters<typeof toStoredPosition>[0]);
}

/** Whether the fix's time is possible; those with another are no fixes of that moment. */
export const isPossible = (doubts: number): boolean => (doubts & IMPOSSIBLE_TIME) === 0;
