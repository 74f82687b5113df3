import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../db/schema.ts';
import { FIX_COLUMNS, type FixRow } from '../fixes.ts';
import type { Calendar } from './calendar.ts';
import { IMPOSSIBLE_TIME, type KeptDay, type OpenDay } from './open-day.ts';
import { toColumns } from './totals.ts';

type Db = Kysely<Database>;

/** A day of which positions were stored behind newer ones. */
export interface Stale {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly day: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly marks: string;
}

export interface Stored {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly day: string;
  readonly throughMs: number;
  readonly untilMs: number;
  readonly kept: KeptDay | null;
}

/** Of each of these vehicles its newest day, and the open ones that can be gone on with, oldest first. */
export async function readStored(db: Db, vehicleIds: readonly number[]): Promise<Stored[]> {
  const { rows } = await sql<{
    account_id: number;
    vehicle_id: number;
    day: string;
    through_at: Date;
    until_at: Date;
    count: KeptDay | null;
  }>`
    select account_id, vehicle_id, day, through_at, until_at, case when open then count end as count
    from vehicle_day row
    where vehicle_id = any (${vehicleIds}) and ((open and count is not null)
      or day = (select max(day) from vehicle_day newest where newest.vehicle_id = row.vehicle_id))
    order by vehicle_id, day`.execute(db);
  return rows.map(row => ({
    accountId: row.account_id,
    vehicleId: row.vehicle_id,
    day: row.day,
    throughMs: row.through_at.getTime(),
    untilMs: row.until_at.getTime(),
    kept: row.count,
  }));
}

export interface Reader {
  readonly vehicleId: number;
  readonly throughMs: number;
  /** The vehicle's newest fix that counts as news; what is further ahead may still be overtaken. */
  readonly newestMs: number;
}

/** The next fixes of many vehicles, up to so many of each, oldest first. */
export async function readOn(
  db: Db,
  readers: readonly Reader[],
  nowMs: number,
  limit: number,
): Promise<Map<number, FixRow[]>> {
  const columns = sql.join(FIX_COLUMNS.map(column => sql.ref(column)));
  const { rows } = await sql<FixRow & { vehicle_id: number }>`
    select reader.vehicle_id, next.* from unnest(
      ${readers.map(reader => reader.vehicleId)}::int4[],
      ${readers.map(reader => new Date(reader.throughMs))}::timestamptz[],
      ${readers.map(reader => new Date(reader.newestMs))}::timestamptz[]
    ) as reader (vehicle_id, through, newest)
    cross join lateral (
      select ${columns} from position
      where position.vehicle_id = reader.vehicle_id and fix_at > reader.through and fix_at < ${new Date(nowMs)}
        and (doubts & ${sql.lit(IMPOSSIBLE_TIME)} = 0 or fix_at <= reader.newest)
      order by fix_at limit ${limit}
    ) next
    order by reader.vehicle_id, next.fix_at`.execute(db);
  const byVehicle = new Map<number, FixRow[]>();
  for (const { vehicle_id: vehicleId, ...row } of rows) {
    const known = byVehicle.get(vehicleId);
    if (known) known.push(row);
    else byVehicle.set(vehicleId, [row]);
  }
  return byVehicle;
}

export interface Written {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly calendar: Calendar;
  readonly day: OpenDay;
  /** Of the vehicle's newest fix that is counted. */
  readonly throughMs: number;
  /** Counting can go on from what is written. */
  readonly isKept: boolean;
}

/** All or none of them, so that a vehicle's days are of one moment. */
export async function writeDays(db: Db, days: readonly Written[], nowMs: number): Promise<void> {
  if (days.length === 0) return;
  const rows = days.map(({ accountId, vehicleId, calendar, day, throughMs, isKept }) => ({
    account_id: accountId,
    vehicle_id: vehicleId,
    day: calendar.dateOf(day.day),
    from_at: new Date(day.fromMs),
    to_at: new Date(day.toMs),
    until_at: new Date(Math.min(day.toMs, nowMs)),
    through_at: new Date(throughMs),
    open: !day.isSettled,
    count: isKept && !day.isSettled ? JSON.stringify(day.kept()) : null,
    ...toColumns(day.totals(nowMs)),
  }));
  const columns = Object.keys(rows[0] as object) as (keyof (typeof rows)[number])[];
  const isValue = (column: string): boolean => !['account_id', 'vehicle_id', 'day'].includes(column);
  await db
    .insertInto('vehicle_day')
    .values(rows)
    .onConflict(conflict =>
      conflict
        .columns(['vehicle_id', 'day'])
        .doUpdateSet(eb =>
          Object.fromEntries(columns.filter(isValue).map(column => [column, eb.ref(`excluded.${column}`)])),
        ),
    )
    .execute();
}

/** Days whose late positions have come in, newest first: what is recent is looked at most. */
export async function readStale(
  db: Db,
  { accountId, nowMs, limit }: { readonly accountId: number | null; readonly nowMs: number; readonly limit: number },
): Promise<Stale[]> {
  const rows = await db
    .selectFrom('vehicle_day_stale')
    .selectAll()
    .where('first_at', '<', new Date(nowMs))
    .$if(accountId !== null, query => query.where('account_id', '=', accountId as number))
    .orderBy('day', 'desc')
    .limit(limit)
    .execute();
  return rows.map(row => ({
    accountId: row.account_id,
    vehicleId: row.vehicle_id,
    day: row.day,
    firstMs: row.first_at.getTime(),
    lastMs: Math.min(row.last_at.getTime(), nowMs),
    marks: row.marks,
  }));
}

export async function staleVehicles(db: Db, accountId: number | null): Promise<number[]> {
  const rows = await db
    .selectFrom('vehicle_day_stale')
    .select('vehicle_id')
    .distinct()
    .$if(accountId !== null, query => query.where('account_id', '=', accountId as number))
    .execute();
  return rows.map(row => row.vehicle_id);
}

/** Unless another mark came meanwhile. */
export const takeOff = (db: Db, { vehicleId, day, marks }: Stale) =>
  db
    .deleteFrom('vehicle_day_stale')
    .where('vehicle_id', '=', vehicleId)
    .where('day', '=', day)
    .where('marks', '=', marks)
    .execute();

/** Marks every day before a moment that has positions of the vehicle, a step along the primary key for each. */
export async function markPast(db: Db, accountId: number, vehicleId: number, beforeMs: number): Promise<void> {
  const before = new Date(beforeMs);
  await sql`
    with recursive past (fix_at) as (
      (select fix_at from position where vehicle_id = ${vehicleId} and fix_at < ${before} order by fix_at limit 1)
      union all
      select (
        select fix_at from position where vehicle_id = ${vehicleId} and fix_at < ${before}
          and fix_at >= (date_trunc('day', past.fix_at at time zone 'UTC') + interval '1 day') at time zone 'UTC'
        order by fix_at limit 1
      ) from past where past.fix_at is not null
    )
    insert into vehicle_day_stale as known (account_id, vehicle_id, day, first_at, last_at)
    select ${accountId}, ${vehicleId}, (fix_at at time zone 'UTC')::date, fix_at,
      least((date_trunc('day', fix_at at time zone 'UTC') + interval '1 day') at time zone 'UTC', ${before})
        - interval '1 millisecond'
    from past where fix_at is not null
    on conflict (vehicle_id, day) do update set
      first_at = least(known.first_at, excluded.first_at),
      last_at = greatest(known.last_at, excluded.last_at),
      marks = known.marks + 1`.execute(db);
}
