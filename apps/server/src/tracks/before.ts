import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import { IMPOSSIBLE_TIME } from './fixes.ts';
import { columnsOfDay, dayOf, unpackDay } from './sealed-day.ts';
import { POSITION_COLUMNS, type StoredPosition, toStoredPosition } from './stored-position.ts';

/** What a vehicle's motion follows from. Times in milliseconds since 1970, speed in m/s. */
export interface MotionFix {
  readonly fixMs: number;
  readonly receivedMs: number;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number | null;
  readonly course: number | null;
  readonly ignition: boolean | null;
  readonly valid: boolean;
  readonly doubts: number;
  readonly rfid: string | null;
}

export interface BackFrom {
  readonly vehicleId: number;
  /** The fixes before this moment. */
  readonly beforeMs: number;
}

/** Of more days than this a vehicle is not read at once. */
const DAYS_AT_ONCE = 40;

const SEALED = ['receivedAt', 'lat', 'lon', 'speed', 'course', 'ignition', 'valid', 'doubts'] as const;

type JsonFix = readonly [
  fixMs: number,
  receivedMs: number,
  lat: number,
  lon: number,
  speed: number | null,
  course: number | null,
  ignition: boolean | null,
  valid: boolean,
  doubts: number,
  rfid: string | null,
];

export interface FixesBack {
  /** Oldest first. */
  readonly fixes: readonly MotionFix[];
  /** There are no earlier ones. */
  readonly isAll: boolean;
}

/**
 * The newest fixes of many vehicles before a moment, `limit` of each or more, without those with an impossible time.
 * Packed days are read whole. Rows come as JSON, which is read several times as fast as rows are.
 */
export async function fixesBack(
  trx: AccountTransaction,
  vehicles: readonly BackFrom[],
  limit: number,
  { withCards }: { readonly withCards: boolean },
): Promise<Map<number, FixesBack>> {
  const { rows } = await sql<{ vehicle_id: number; fixes: JsonFix[] | null; track: Buffer | null }>`
    select reader.vehicle_id, found.* from unnest(
      ${vehicles.map(({ vehicleId }) => vehicleId)}::int4[],
      ${vehicles.map(({ beforeMs }) => new Date(beforeMs))}::timestamptz[]
    ) as reader (vehicle_id, before)
    cross join lateral (
      (
        select json_agg(json_build_array(
          floor(extract(epoch from fix_at) * 1000), floor(extract(epoch from received_at) * 1000), lat, lon,
          speed, course, ignition, valid, doubts, rfid
        )) as fixes, null::bytea as track from (
          select * from position
          where position.vehicle_id = reader.vehicle_id and fix_at < reader.before
            and doubts & ${sql.lit(IMPOSSIBLE_TIME)} = 0
          order by fix_at desc limit ${limit}
        ) newest
      ) union all (
        select null, track from (
          select track, sum(case when to_at >= reader.before then 0 else positions end)
            over (order by day desc rows between unbounded preceding and 1 preceding) as later
          from (
            select * from sealed_day
            where sealed_day.vehicle_id = reader.vehicle_id and from_at < reader.before
              and day <= (reader.before at time zone 'UTC')::date
            order by day desc limit ${DAYS_AT_ONCE}
          ) newest
        ) days where coalesce(later, 0) < ${limit}
      )
    ) found`.execute(trx);
  const before = new Map(vehicles.map(({ vehicleId, beforeMs }) => [vehicleId, beforeMs]));
  const found = new Map<number, { readonly fixes: MotionFix[]; readonly rows: number; readonly days: number }>();
  for (const { vehicle_id: vehicleId, fixes, track } of rows) {
    const known = found.get(vehicleId) ?? { fixes: [], rows: 0, days: 0 };
    for (const fix of fixes ?? []) known.fixes.push(toFix(fix));
    if (track) pushSealed(known.fixes, track, before.get(vehicleId) ?? 0, withCards);
    found.set(vehicleId, { ...known, rows: known.rows + (fixes?.length ?? 0), days: known.days + (track ? 1 : 0) });
  }
  return new Map(
    [...found].map(([vehicleId, { fixes, rows: ofRows, days }]) => {
      fixes.sort((a, b) => a.fixMs - b.fixMs);
      const isAll = fixes.length < limit && days < DAYS_AT_ONCE;
      // Of a vehicle with both, what is older than the newest `limit` may have holes.
      return [vehicleId, { fixes: ofRows > 0 && days > 0 && !isAll ? fixes.slice(-limit) : fixes, isAll }];
    }),
  );
}

const toFix = ([
  fixMs,
  receivedMs,
  lat,
  lon,
  speed,
  course,
  ignition,
  valid,
  doubts,
  rfid,
]: JsonFix): MotionFix => ({ fixMs, receivedMs, lat, lon, speed, course, ignition, valid, doubts, rfid });

function pushSealed(to: MotionFix[], track: Buffer, beforeMs: number, withCards: boolean): void {
  const columns = columnsOfDay(track, withCards ? [...SEALED, 'rfid'] : SEALED);
  const cards = withCards ? (columns as { rfid?: (string | null)[] }).rfid : undefined;
  for (let i = 0; i < columns.fixAt.length; i++) {
    const fixMs = columns.fixAt[i] as number;
    if (fixMs >= beforeMs) break;
    const doubts = columns.doubts[i] as number;
    if ((doubts & IMPOSSIBLE_TIME) !== 0) continue;
    to.push({
      fixMs,
      receivedMs: columns.receivedAt[i] as number,
      lat: columns.lat[i] as number,
      lon: columns.lon[i] as number,
      speed: columns.speed[i] as number | null,
      course: columns.course[i] as number | null,
      ignition: columns.ignition[i] as boolean | null,
      valid: columns.valid[i] as boolean,
      doubts,
      rfid: cards?.[i] ?? null,
    });
  }
}

/** The positions at these moments, one of a vehicle; what was deleted meanwhile is missing. */
export async function positionsAt(
  trx: AccountTransaction,
  moments: readonly { readonly vehicleId: number; readonly fixMs: number }[],
): Promise<Map<number, StoredPosition>> {
  const wanted = new Map(moments.map(({ vehicleId, fixMs }) => [vehicleId, fixMs]));
  const ids = moments.map(({ vehicleId }) => vehicleId);
  const { rows } = await sql<Parameters<typeof toStoredPosition>[0] & { vehicle_id: number }>`
    select position.* from unnest(${ids}::int4[], ${moments.map(({ fixMs }) => new Date(fixMs))}::timestamptz[])
      as wanted (vehicle_id, at)
    join position on position.vehicle_id = wanted.vehicle_id and fix_at >= at and fix_at < at + interval '1 millisecond'`.execute(
    trx,
  );
  const found = new Map(rows.map(row => [row.vehicle_id, toStoredPosition(row)]));
  const packed = moments.filter(({ vehicleId }) => !found.has(vehicleId));
  if (packed.length === 0) return found;
  const sealed = await sql<{ vehicle_id: number; track: Buffer }>`
    select sealed_day.vehicle_id, track from unnest(
      ${packed.map(({ vehicleId }) => vehicleId)}::int4[], ${packed.map(({ fixMs }) => dayOf(fixMs))}::date[]
    ) as wanted (vehicle_id, of_day)
    join sealed_day on sealed_day.vehicle_id = wanted.vehicle_id and day = of_day`.execute(trx);
  for (const { vehicle_id: vehicleId, track } of sealed.rows) {
    const row = unpackDay(track, POSITION_COLUMNS).find(({ fix_at }) => fix_at.getTime() === wanted.get(vehicleId));
    if (row) found.set(vehicleId, toStoredPosition(row));
  }
  return found;
}
