import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import { columnsOfDay, dayOf } from './sealed-day.ts';

/**
 * How many positions each vehicle has in a period (`before` is not included), believed or not. Sealed days say how many
 * they have; only those at the ends of the period are unpacked. One statement, as in `readSpan`.
 */
export async function countPositions(
  trx: AccountTransaction,
  vehicleIds: readonly number[],
  { from, before }: { readonly from: Date; readonly before: Date },
): Promise<Map<number, number>> {
  const isOf = sql`vehicle_id = any (${vehicleIds}::int4[])`;
  const overlaps = sql`${isOf} and day >= ${dayOf(from.getTime())}::date and day <= ${dayOf(before.getTime())}::date
    and to_at >= ${from} and from_at < ${before}`;
  const isWhole = sql`(from_at >= ${from} and to_at < ${before})`;
  const { rows } = await sql<{ vehicle_id: number; positions: number; track: Buffer | null }>`
    select vehicle_id, count(*)::int4 as positions, null::bytea as track from position
      where ${isOf} and fix_at >= ${from} and fix_at < ${before} group by vehicle_id
    union all
    select vehicle_id, sum(positions)::int4, null from sealed_day where ${overlaps} and ${isWhole} group by vehicle_id
    union all
    select vehicle_id, 0, track from sealed_day where ${overlaps} and not ${isWhole}`.execute(trx);
  const counts = new Map<number, number>();
  for (const { positions, track, vehicle_id } of rows) {
    const within = track
      ? columnsOfDay(track, []).fixAt.filter(at => at >= from.getTime() && at < before.getTime()).length
      : positions;
    counts.set(vehicle_id, (counts.get(vehicle_id) ?? 0) + within);
  }
  return counts;
}

/** The vehicles that have any position in a period (`before` is not included), believed or not. */
export async function withPositions(
  trx: AccountTransaction,
  vehicleIds: readonly number[],
  { from, before }: { readonly from: Date; readonly before: Date },
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from unnest(${vehicleIds}::int4[]) as vehicle (id)
    where exists (
      select from position where vehicle_id = vehicle.id and fix_at >= ${from} and fix_at < ${before}
    ) or exists (
      select from sealed_day where vehicle_id = vehicle.id and day >= ${dayOf(from.getTime())}::date
        and day <= ${dayOf(before.getTime())}::date and to_at >= ${from} and from_at < ${before}
    )`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
