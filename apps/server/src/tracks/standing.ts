import { DEFAULT_THRESHOLDS, isMovingSpeed, SPARSE_MS } from '@milepost/geo';
import { metresPerSecond } from '@milepost/units';
import { sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import type { MotionColumns } from './before.ts';

/** What a vehicle reports while it only stands: the same ignition, slow, without doubts, never a minute apart. */
export interface Standing {
  readonly vehicleId: number;
  /** The fixes before this moment. */
  readonly beforeMs: number;
  readonly ignition: boolean | null;
}

/** Reports of nothing else than standing. */
export interface Stood {
  /** The first of them. */
  readonly fromMs: number;
  readonly fixes: number;
}

/** Whether a vehicle has been standing for a while is to be seen from the oldest of its fixes. */
const SEEN = 10;
/** Further back is not gone at once. */
const MOST = 9000;
/** As rows have it. */
const MOVING_SPEED = Math.fround(DEFAULT_THRESHOLDS.movingSpeed);

/** How it stood at the oldest of these fixes; null if it may not have. */
export function standingAtFirst(vehicleId: number, columns: MotionColumns): readonly [Standing] | null {
  const { doubts, fixAt, ignition: ignitions, speed: speeds, valid } = columns;
  const [beforeMs, ignition = null] = [fixAt[0], ignitions[0]];
  if (beforeMs === undefined || fixAt.length < SEEN) return null;
  for (let i = 0; i < SEEN; i++) {
    const speed = speeds[i] ?? null;
    const isSame = (ignitions[i] ?? null) === ignition && valid[i] === true && doubts[i] === 0;
    if (!isSame || speed === null || isMovingSpeed(metresPerSecond(speed), DEFAULT_THRESHOLDS)) return null;
    if (i > 0 && (fixAt[i] as number) - (fixAt[i - 1] as number) >= SPARSE_MS) return null;
  }
  return [{ vehicleId, beforeMs, ignition }];
}

/**
 * How far back each of these vehicles has only stood, among the fixes that are rows. The database looks at thousands of
 * them in the time in which it writes hundreds for us to read.
 */
export async function stoodBefore(trx: AccountTransaction, vehicles: readonly Standing[]): Promise<Map<number, Stood>> {
  if (vehicles.length === 0) return new Map();
  const { rows } = await sql<{ vehicle_id: number; from_at: Date; fixes: number }>`
    select reader.vehicle_id, found.from_at, found.fixes from unnest(
      ${vehicles.map(({ vehicleId }) => vehicleId)}::int4[],
      ${vehicles.map(({ beforeMs }) => new Date(beforeMs))}::timestamptz[],
      ${vehicles.map(({ ignition }) => ignition)}::bool[]
    ) as reader (vehicle_id, before, ignition)
    cross join lateral (
      -- A packed day has no rows.
      select coalesce(max(to_at), '-infinity') as packed_to from sealed_day
      where sealed_day.vehicle_id = reader.vehicle_id and from_at < reader.before
    ) packed
    cross join lateral (
      -- From the newest to the oldest, until one says something else.
      select case when ends then next_at else fix_at end as from_at,
        (case when ends then nth - 1 else nth end)::int4 as fixes
      from (
        select fix_at, next_at, nth, is_first, next_at - fix_at >= ${SPARSE_MS} * interval '1 millisecond'
          or fix_at <= packed_to or position_ignition is distinct from reader.ignition
          or not coalesce(valid and doubts = 0 and speed < ${MOVING_SPEED}::real, false) as ends
        from (
          select fix_at, valid, doubts, speed, ignition as position_ignition,
            lag(fix_at, 1, reader.before) over newest_first as next_at,
            lead(fix_at) over newest_first is null as is_first, row_number() over newest_first as nth
          from position where position.vehicle_id = reader.vehicle_id and fix_at < reader.before
          window newest_first as (order by fix_at desc)
        ) newest
      ) seen
      where ends or nth >= ${MOST} or is_first order by fix_at desc limit 1
    ) found`.execute(trx);
  return new Map(
    rows.map(({ vehicle_id, fixes, from_at }): [number, Stood] => [vehicle_id, { fromMs: from_at.getTime(), fixes }]),
  );
}
