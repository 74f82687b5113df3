import { DEFAULT_SETTINGS } from '@milepost/contract';
import { sql } from 'kysely';
import type { Databases } from '../src/db/database.ts';

export const TRIPS_A_DAY = 10;

/**
 * Days of all vehicles of an account as the projections keep them, in the default time zone: trips of an hour between
 * stops of an hour, without the positions that they would follow from. Returns the first and the last day, which stay the
 * same when midnight passes.
 */
export async function storeTrips(
  { system }: Pick<Databases, 'system'>,
  accountId: number,
  days: number,
): Promise<{ readonly from: string; readonly to: string }> {
  const now = new Date();
  await system
    .insertInto('day_zone')
    .values({ account_id: accountId, zone: DEFAULT_SETTINGS.timeZone })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  // Not the database's: in the evening of the account's day, it is tomorrow elsewhere.
  const date = sql`((${now}::timestamptz at time zone ${DEFAULT_SETTINGS.timeZone}::text)::date - ago)`;
  const day = sql`(${date}::timestamp at time zone ${DEFAULT_SETTINGS.timeZone}::text)`;
  await sql`
    insert into trip_day (account_id, vehicle_id, day, from_at, to_at, until_at, through_at, open)
    select ${accountId}::int4, id, ${date}, ${day}, ${day} + interval '1 day', ${day} + interval '1 day', ${day}, false
    from (select id from vehicle where account_id = ${accountId}::int4) vehicle, generate_series(1, ${days}::int4) as ago`.execute(
    system,
  );
  await sql`
    insert into vehicle_day (account_id, vehicle_id, day, from_at, to_at, until_at, distance, moving, idling, stopped, gap,
      stops, max_speed, fixes, left_out, through_at, open)
    select ${accountId}::int4, id, ${date}, ${day}, ${day} + interval '1 day', ${day} + interval '1 day',
      ${TRIPS_A_DAY} * 60000, ${TRIPS_A_DAY} * 3300, ${TRIPS_A_DAY} * 300, 86400 - ${TRIPS_A_DAY} * 3600, 0,
      ${TRIPS_A_DAY}::int4, 25, 8640, 0, ${day}, false
    from (select id from vehicle where account_id = ${accountId}::int4) vehicle, generate_series(1, ${days}::int4) as ago`.execute(
    system,
  );
  await sql`
    insert into trip_part (account_id, vehicle_id, day, from_at, to_at, kind, millimetres, moving_ms, idling_ms, stopped_ms,
      max_speed, fixes, start_at, start_lat, start_lon, end_at, end_lat, end_lon, odometer, fuel, cards)
    select ${accountId}::int4, id, ${date}, ${day} + nth * interval '1 hour', ${day} + (nth + 1) * interval '1 hour',
      case when nth % 2 = 1 and nth < 2 * ${TRIPS_A_DAY}::int4 then 'trip' else 'stop' end,
      case when nth % 2 = 1 then 60000000 else 0 end, case when nth % 2 = 1 then 3300000 else 0 end,
      case when nth % 2 = 1 then 300000 else 0 end, case when nth % 2 = 1 then 0 else 3600000 end,
      25, 360, ${day} + nth * interval '1 hour', 41.9 + nth * 0.01, -87.68, ${day} + (nth + 1) * interval '1 hour',
      41.91 + nth * 0.01, -87.68, array[1000000, 1060000], array[60, 55], '{}'
    from (select id from vehicle where account_id = ${accountId}::int4) vehicle, generate_series(1, ${days}::int4) as ago, generate_series(0, 23) as nth`.execute(
    system,
  );
  await sql`analyze trip_part`.execute(system);
  const { rows } = await sql<{ from: string; to: string }>`
    select ${date}::text as from, (${date} + ago - 1)::text as to from (select ${days}::int4 as ago) days`.execute(
    system,
  );
  return rows[0] as { from: string; to: string };
}
