import { type Kysely, type Selectable, sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import { daysIn, readPackedColumns, type SpanColumns } from './columns.ts';
import { dayOf, unpackDay } from './sealed-day.ts';
import { merged, type Reading, readSpan, type Span } from './span.ts';

/** Fixes before a period that show how it began, and after it that settle what was undecided at its end. */
export const FIXES_AROUND = 30;
/** Older fixes don't show how the period began. */
export const PRIME_MS = 24 * 3_600_000;
/** Bit of `position.doubts`: the fix's time can't be right. */
export const IMPOSSIBLE_TIME = 0b0010;

export const FIX_COLUMNS = [
  'fix_at',
  'lat',
  'lon',
  'speed',
  'course',
  'ignition',
  'valid',
  'doubts',
  'rfid',
  'odometer',
  'fuel',
  'hdop',
] as const;

const NAMES = FIX_COLUMNS.filter(column => column !== 'fix_at');

/** What only some rules look at. */
const MEASURED_COLUMNS = [...FIX_COLUMNS, 'temperature', 'attributes', 'protocol'] as const;

/** The columns that figures are computed from; those that were not asked for are missing, or null. */
export type FixRow = Pick<Selectable<Database['position']>, (typeof FIX_COLUMNS)[number]> &
  Partial<Pick<Selectable<Database['position']>, 'temperature' | 'attributes'>> & { protocol?: string | null };

const fixesOf = (
  trx: AccountTransaction,
  span: Span,
  reading: Pick<Reading<'fix_at'>, 'limit' | 'isReversed' | 'isBelieved'> = {},
) => readSpan(trx, span, { columns: FIX_COLUMNS, ...reading });

/** The believed fixes of [from, before), oldest first; the first `limit` of them. */
export const fixesWithin = (
  trx: AccountTransaction,
  span: Required<Pick<Span, 'vehicleId' | 'from' | 'before'>>,
  { isMeasured = false, ...limited }: { readonly isMeasured?: boolean; readonly limit?: number } = {},
): Promise<FixRow[]> =>
  readSpan(trx, span, { columns: isMeasured ? MEASURED_COLUMNS : FIX_COLUMNS, isBelieved: true, ...limited });

/** Every fix of [from, before), believed or not, oldest first. */
export async function readFixes(
  trx: AccountTransaction,
  vehicleId: number,
  from: Date,
  before: Date,
): Promise<FixRow[]> {
  const span = { vehicleId, from, before };
  const days = daysIn(await readPackedColumns(trx, span, NAMES), span, NAMES);
  return days.flatMap(({ columns }) => fixRowsOf(columns()));
}

/** Written out field by field: filling rows by column name takes several times as long. */
function fixRowsOf(columns: SpanColumns<(typeof NAMES)[number]>): FixRow[] {
  const { fixAt, lat, lon, speed, course, ignition, valid, doubts, rfid, odometer, fuel, hdop } = columns;
  return fixAt.map((at, i) => ({
    fix_at: new Date(at),
    lat: lat[i] as number,
    lon: lon[i] as number,
    speed: speed[i] as number | null,
    course: course[i] as number | null,
    ignition: ignition[i] as boolean | null,
    valid: valid[i] as boolean,
    doubts: doubts[i] as number,
    rfid: rfid[i] as string | null,
    odometer: odometer[i] as number | null,
    fuel: fuel[i] as number | null,
    hdop: hdop[i] as number | null,
  }));
}

/** The same without what was imported from a track file: nobody's tracker reported that, so no log records it. */
export async function readReportedFixes(
  trx: AccountTransaction,
  vehicleId: number,
  from: Date,
  before: Date,
): Promise<(FixRow & { readonly received_at: Date })[]> {
  const rows = await readSpan(
    trx,
    { vehicleId, from, before },
    { columns: [...MEASURED_COLUMNS, 'received_at', 'late'] },
  );
  return rows.filter(
    ({ attributes, fix_at, late, received_at }) =>
      // A tracker can name an attribute so, but not be received at the moment of its fix.
      !(
        late &&
        received_at.getTime() === fix_at.getTime() &&
        attributes !== null &&
        'importedFrom' in (attributes as object)
      ),
  );
}

/** The newest fixes before a moment, oldest first. */
export async function fixesBefore(trx: AccountTransaction, vehicleId: number, from: Date): Promise<FixRow[]> {
  const span = { vehicleId, from: new Date(from.getTime() - PRIME_MS), before: from };
  return (await fixesOf(trx, span, { limit: FIXES_AROUND, isReversed: true })).reverse();
}

/** The fixes of [from, to) and a few before and after them, oldest first. */
export async function fixesAround(trx: AccountTransaction, vehicleId: number, from: Date, to: Date): Promise<FixRow[]> {
  return [
    ...(await fixesBefore(trx, vehicleId, from)),
    ...(await readFixes(trx, vehicleId, from, to)),
    ...(await fixesOf(trx, { vehicleId, from: to }, { limit: FIXES_AROUND })),
  ];
}

/** Up to FIXES_AROUND fix times before `first`, and the FIXES_AROUNDth fix time after `last`. */
export async function momentsAround(
  trx: AccountTransaction,
  vehicleId: number,
  first: Date,
  last: Date,
): Promise<{ readonly before: readonly Date[]; readonly after: Date | null }> {
  const moments = { columns: [], limit: FIXES_AROUND } as const;
  const before = await readSpan(trx, { vehicleId, before: first }, { ...moments, isReversed: true });
  const after = await readSpan(trx, { vehicleId, after: last }, moments);
  return { before: before.map(row => row.fix_at), after: after[FIXES_AROUND - 1]?.fix_at ?? null };
}

export interface Reader {
  readonly vehicleId: number;
  readonly throughMs: number;
  /** The vehicle's newest accepted fix; later fix times come from a wrong clock and may still change order. */
  readonly newestMs: number;
  readonly isMeasured?: boolean;
  /** At most so many of this vehicle; without it, as many as the call says. */
  readonly limit?: number;
}

/**
 * The next fixes of many vehicles, up to `limit` of each, oldest first. Packed days are opened until those that are
 * read whole hold that many.
 */
export async function readOn(
  db: Kysely<Database>,
  readers: readonly Reader[],
  nowMs: number,
  limit: number,
): Promise<Map<number, FixRow[]>> {
  const columns = sql.join(FIX_COLUMNS.map(column => sql.ref(column)));
  const nothing = sql.join(MEASURED_COLUMNS.map(() => sql`null`));
  const { rows } = await sql<
    FixRow & { vehicle_id: number; through: Date; newest: Date; measured: boolean; most: number; track: Buffer | null }
  >`
    select reader.vehicle_id, reader.through, reader.newest, reader.measured, reader.most, next.* from unnest(
      ${readers.map(reader => reader.vehicleId)}::int4[],
      ${readers.map(reader => new Date(reader.throughMs))}::timestamptz[],
      ${readers.map(reader => new Date(reader.newestMs))}::timestamptz[],
      ${readers.map(reader => reader.isMeasured === true)}::bool[],
      ${readers.map(reader => reader.limit ?? limit)}::int4[]
    ) as reader (vehicle_id, through, newest, measured, most)
    cross join lateral (
      (
        select ${columns}, case when reader.measured then temperature end as temperature,
          case when reader.measured then attributes end as attributes,
          case when reader.measured then protocol end as protocol, null::bytea as track
        from position
        where position.vehicle_id = reader.vehicle_id and fix_at > reader.through and fix_at < ${new Date(nowMs)}
          and (doubts & ${sql.lit(IMPOSSIBLE_TIME)} = 0 or fix_at <= reader.newest)
        order by fix_at limit reader.most
      ) union all (
        select ${nothing}, track from (
          select track, sum(
            case when from_at > reader.through and to_at <= reader.newest and to_at < ${new Date(nowMs)}
              then positions else 0 end
          ) over (order by day rows between unbounded preceding and 1 preceding) as earlier
          from sealed_day
          where sealed_day.vehicle_id = reader.vehicle_id and to_at > reader.through and from_at < ${new Date(nowMs)}
            and day >= (reader.through at time zone 'UTC')::date
        ) days where coalesce(earlier, 0) < reader.most
      )
    ) next
    order by reader.vehicle_id, next.fix_at`.execute(db);
  const byVehicle = new Map<number, FixRow[]>();
  const opened = new Map<FixRow[], number>();
  for (const { vehicle_id: vehicleId, through, newest, measured, most, track, ...row } of rows) {
    const known = byVehicle.get(vehicleId) ?? [];
    byVehicle.set(vehicleId, known);
    if (!track) {
      known.push(row);
      continue;
    }
    opened.set(known, most);
    const fixes: FixRow[] = measured
      ? unpackDay(track, MEASURED_COLUMNS)
      : unpackDay(track, FIX_COLUMNS).map(fix => ({ ...fix, temperature: null, attributes: null, protocol: null }));
    for (const fix of fixes) {
      const isPossible = (fix.doubts & IMPOSSIBLE_TIME) === 0 || fix.fix_at <= newest;
      if (isPossible && fix.fix_at > through && fix.fix_at.getTime() < nowMs) known.push(fix);
    }
  }
  for (const [fixes, most] of opened) merged(fixes).splice(most);
  return byVehicle;
}

/** The first fix of each day (UTC) before a moment, of all or from one on; one step along the primary key per day. */
export async function firstOfEachDay(
  db: Kysely<Database>,
  vehicleId: number,
  before: Date,
  from = new Date(0),
): Promise<Date[]> {
  const { rows } = await sql<{ fix_at: Date }>`
    with recursive past (fix_at) as (
      (
        select fix_at from position where vehicle_id = ${vehicleId} and fix_at >= ${from} and fix_at < ${before}
        order by fix_at limit 1
      )
      union all
      select (
        select fix_at from position where vehicle_id = ${vehicleId} and fix_at < ${before}
          and fix_at >= (date_trunc('day', past.fix_at at time zone 'UTC') + interval '1 day') at time zone 'UTC'
        order by fix_at limit 1
      ) from past where past.fix_at is not null
    )
    select fix_at from past where fix_at is not null
    union all
    select from_at from sealed_day where vehicle_id = ${vehicleId} and from_at >= ${from} and from_at < ${before}`.execute(
    db,
  );
  const firsts = new Map<string, Date>();
  for (const { fix_at } of merged(rows)) {
    const day = dayOf(fix_at.getTime());
    if (!firsts.has(day)) firsts.set(day, fix_at);
  }
  return [...firsts.values()];
}
