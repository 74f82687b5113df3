import type { TrackerProtocol } from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import type { AccountTransaction } from '../db/database.ts';
import type { Database } from '../db/schema.ts';
import { readSpan } from './span.ts';
import { POSITION_COLUMNS, type ReceivedPosition, type StoredPosition, toStoredPosition } from './stored-position.ts';

/** Up to `limit` positions from a moment on, oldest first. */
export async function positionsFrom(
  trx: AccountTransaction,
  vehicleId: number,
  { from, isFromIncluded, to }: { readonly from: Date; readonly isFromIncluded: boolean; readonly to: Date },
  limit: number,
): Promise<StoredPosition[]> {
  const span = { vehicleId, to, ...(isFromIncluded ? { from } : { after: from }) };
  return (await readSpan(trx, span, { columns: POSITION_COLUMNS, limit })).map(toStoredPosition);
}

/** The newest positions, or the newest up to a moment; newest first. */
export async function newestPositions(
  trx: AccountTransaction,
  vehicleId: number,
  limit: number,
  to?: Date,
): Promise<StoredPosition[]> {
  const reading = { columns: POSITION_COLUMNS, limit, isReversed: true };
  return (await readSpan(trx, { vehicleId, to }, reading)).map(toStoredPosition);
}

/**
 * The positions of each of these vehicles after its stored state, by vehicle, oldest first, without late ones. Days that
 * are not followed yet are never sealed.
 */
export async function positionsAfterStates(
  db: AccountTransaction,
  vehicleIds: readonly number[] | 'all',
): Promise<{ readonly accountId: number; readonly vehicleId: number; readonly position: StoredPosition }[]> {
  const ids = vehicleIds === 'all' ? null : vehicleIds;
  const { rows } = await sql<Selectable<Database['position']>>`
    select later.* from vehicle_state state cross join lateral (
      select * from position
      where vehicle_id = state.vehicle_id and not late
        and fix_at > coalesce(to_timestamp((state.live->>'fixAt')::float8 / 1000), '-infinity')
    ) later
    where ${ids}::int4[] is null or state.vehicle_id = any (${ids}::int4[])
    order by later.vehicle_id, later.fix_at`.execute(db);
  return rows.map(row => ({ accountId: row.account_id, vehicleId: row.vehicle_id, position: toStoredPosition(row) }));
}

const BELIEVED_COLUMNS = ['lat', 'lon', 'speed', 'course', 'rfid', 'attributes', 'valid', 'doubts'] as const;

export interface BelievedFix {
  readonly fix_at: Date;
  readonly lat: number;
  readonly lon: number;
  readonly speed: number | null;
  readonly course: number | null;
  readonly rfid: string | null;
  /** The tracker says that the driver's private mode was on. */
  readonly is_private: boolean;
}

/** Valid fixes of (after, to] without doubts, oldest first. */
export async function believedFixes(
  trx: AccountTransaction,
  vehicleId: number,
  range: { readonly after: Date; readonly to: Date },
  limit?: number,
): Promise<BelievedFix[]> {
  const reading = { columns: BELIEVED_COLUMNS, isBelieved: true, ...(limit === undefined ? {} : { limit }) };
  const rows = await readSpan(trx, { vehicleId, ...range }, reading);
  return rows.map(({ attributes, fix_at, lat, lon, speed, course, rfid }) => {
    const privateMode = (attributes as { readonly privateMode?: unknown } | null)?.privateMode;
    return { fix_at, lat, lon, speed, course, rfid, is_private: ['true', '1'].includes(String(privateMode)) };
  });
}

/** Which card vehicles reported at moments, by which protocol; null where no position of these days has that time. */
export async function cardsAt(
  trx: AccountTransaction,
  moments: readonly { readonly vehicleId: number; readonly at: Date }[],
): Promise<(Pick<ReceivedPosition, 'protocol' | 'rfid'> | null)[]> {
  const { rows } = await sql<{ protocol: TrackerProtocol | null; rfid: string | null }>`
    select protocol, rfid from unnest(${moments.map(({ vehicleId }) => vehicleId)}::int4[],
      ${moments.map(({ at }) => at)}::timestamptz[]) with ordinality as asked (vehicle_id, fix_at, nth)
    left join position using (vehicle_id, fix_at) order by nth`.execute(trx);
  return rows.map(({ protocol, rfid }) => (protocol === null ? null : { protocol, rfid }));
}
