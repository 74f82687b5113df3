import type { Bounds } from '@milepost/geo';
import { headOf } from '@milepost/track';
import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import { dayOf } from './sealed-day.ts';

/**
 * Of each vehicle the days (UTC) whose positions may touch these bounds, oldest first: packed days say so in their
 * heads, those of the other days are counted by the database.
 */
export async function daysNear(
  trx: AccountTransaction,
  ids: readonly number[],
  bounds: Bounds,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<ReadonlyMap<number, readonly string[]>> {
  const sealed = await sql<{ vehicle_id: number; day: string; head: Buffer }>`
    select vehicle_id, day::text as day, substring(track from 1 for 128) as head from sealed_day
    where vehicle_id = any(${ids}::int4[]) and day between ${dayOf(from.getTime())}::date and ${dayOf(to.getTime())}::date`.execute(
    trx,
  );
  const rows = await sql<{ vehicle_id: number; day: string; s: number; w: number; n: number; e: number }>`
    select vehicle_id, (fix_at at time zone 'UTC')::date::text as day,
      min(lat) as s, min(lon) as w, max(lat) as n, max(lon) as e
    from position where vehicle_id = any(${ids}::int4[]) and fix_at between ${from} and ${to} and valid and doubts = 0
    group by 1, 2`.execute(trx);
  const near = new Map<number, Set<string>>();
  const add = (vehicleId: number, day: string): void => {
    const known = near.get(vehicleId);
    if (known) known.add(day);
    else near.set(vehicleId, new Set([day]));
  };
  for (const { vehicle_id: vehicleId, day, head } of sealed.rows) {
    const { minLat, minLon, maxLat, maxLon } = headOf(head);
    if (touches(bounds, minLon, minLat, maxLon, maxLat)) add(vehicleId, day);
  }
  for (const { vehicle_id: vehicleId, day, s, w, n, e } of rows.rows) {
    if (touches(bounds, w, s, e, n)) add(vehicleId, day);
  }
  return new Map([...near].map(([id, days]) => [id, [...days].sort()]));
}

/** Whether two boxes of degrees overlap, also across the 180th meridian. */
function touches(
  { west, south, east, north }: Bounds,
  minLon: number,
  minLat: number,
  maxLon: number,
  maxLat: number,
): boolean {
  if (maxLat < south || minLat > north) return false;
  // On either side of the meridian lie its smallest and its greatest longitude: what is between is not known.
  if (maxLon - minLon > 180) return true;
  return [-360, 0, 360].some(around => minLon + around <= east && maxLon + around >= west);
}
