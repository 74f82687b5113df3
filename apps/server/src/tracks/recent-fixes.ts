import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import { FIX_COLUMNS, type FixRow } from './fixes.ts';

interface Stretch {
  readonly from: Date;
  readonly to: Date;
}

/** The believed fixes of several vehicles after one moment, until another one: of the last days, which are not packed yet. */
export async function recentFixesOf(
  db: Kysely<Database>,
  vehicleIds: readonly number[],
  after: Date,
  until: Date,
): Promise<(FixRow & { readonly vehicle_id: number })[]> {
  const columns = sql.join([...FIX_COLUMNS, 'protocol'].map(column => sql.ref(column)));
  const { rows } = await sql<FixRow & { vehicle_id: number }>`
    select vehicle_id, ${columns} from position
    where vehicle_id = any (${vehicleIds}::int4[]) and fix_at > ${after} and fix_at <= ${until} and valid and doubts = 0
    order by vehicle_id, fix_at`.execute(db);
  return rows;
}

/**
 * The same with the last fix before, though not before `since`, and the first one after, until a moment: cheap for
 * many vehicles over a short time.
 */
export async function fixesAroundOf(
  db: Kysely<Database>,
  vehicleIds: readonly number[],
  { from, since, to, until }: Readonly<Record<'from' | 'since' | 'to' | 'until', Date>>,
): Promise<(FixRow & { readonly vehicle_id: number })[]> {
  const columns = sql.join([...FIX_COLUMNS, 'protocol'].map(column => sql.ref(column)));
  const fixes = sql`select vehicle_id, ${columns} from position where vehicle_id = asked.id and valid and doubts = 0`;
  const { rows } = await sql<FixRow & { vehicle_id: number }>`
    select fix.* from unnest(${vehicleIds}::int4[]) as asked (id) cross join lateral (
      (${fixes} and fix_at <= ${from} and fix_at > ${since} order by fix_at desc limit 1)
      union all (${fixes} and fix_at > ${from} and fix_at <= ${to})
      union all (${fixes} and fix_at > ${to} and fix_at <= ${until} order by fix_at limit 1)
    ) as fix order by vehicle_id, fix_at`.execute(db);
  return rows;
}

/** When each of these vehicles reported last within a time; null if it didn't. */
export async function newestFixesOf(
  db: Kysely<Database>,
  vehicleIds: readonly number[],
  { from, to }: Stretch,
): Promise<(Date | null)[]> {
  const { rows } = await sql<{ newest: Date | null }>`
    select (
      select fix_at from position where vehicle_id = id and fix_at > ${from} and fix_at <= ${to}
        and valid and doubts = 0 order by fix_at desc limit 1
    ) as newest from unnest(${vehicleIds}::int4[]) as asked (id)`.execute(db);
  return rows.map(({ newest }) => newest);
}

/** Degrees around all fixes of a time, of those of these vehicles that have any. */
export async function boxesOf(db: Kysely<Database>, vehicleIds: readonly number[], { from, to }: Stretch) {
  const { rows } = await sql<{ id: number; south: number; north: number; west: number; east: number }>`
    select vehicle_id as id, min(lat) as south, max(lat) as north, min(lon) as west, max(lon) as east from position
    where vehicle_id = any (${vehicleIds}::int4[]) and fix_at > ${from} and fix_at <= ${to} and valid and doubts = 0
    group by vehicle_id`.execute(db);
  return rows;
}

/** The first fix since a moment of those that were received lately, and late; null if there is none. */
export async function firstLateFixOf(
  db: Kysely<Database>,
  vehicleId: number,
  since: Date,
  received: { readonly after: Date; readonly lateMs: number },
): Promise<Date | null> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(fix_at) as first from position
    where vehicle_id = ${vehicleId} and fix_at > ${since} and valid and doubts = 0
      and received_at > ${received.after} and received_at > fix_at + ${received.lateMs} * interval '1 ms'`.execute(db);
  return rows[0]?.first ?? null;
}

/** Which share of an account's vehicles that ever reported, from 0 to 1, did so before a moment. */
export async function shareWithFixesBefore(db: Kysely<Database>, accountId: number, at: Date): Promise<number> {
  const { rows } = await sql<{ share: number | null }>`
    select avg((
      exists (select from position where vehicle_id = vehicle.id and fix_at < ${at})
      or exists (select from sealed_day where vehicle_id = vehicle.id and from_at < ${at})
    )::int)::float8 as share from vehicle
    where account_id = ${accountId} and exists (select from position where vehicle_id = vehicle.id)`.execute(db);
  return rows[0]?.share ?? 0;
}
