import { randomUUID } from 'node:crypto';
import type { Severity } from '@milepost/contract';
import type { FenceEvent } from '@milepost/geo';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';

export interface Intrusion {
  readonly accountId: number;
  readonly vehicleId: number;
  readonly driverId: number | null;
  readonly event: FenceEvent;
  readonly severity: Severity;
}

/** What happened longer ago when it became known is in the history, and alerts nobody. */
const NEWS_MS = 24 * 3_600_000;

/** Writes an alert for each vehicle that entered a restricted geofence. Returns the IDs of those that are new. */
export async function openRestricted(
  trx: AccountTransaction,
  intrusions: readonly Intrusion[],
  nowMs: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (const { accountId, driverId, event, severity, vehicleId } of intrusions) {
    const { entry, exit, fenceId } = event;
    const isOld = nowMs - entry.at > NEWS_MS;
    const { rows } = await sql<{ id: string }>`
      insert into alert (id, account_id, vehicle_id, kind, severity, event, opened_at, updated_at, closed_at, lat, lon,
        driver_id, acknowledged_at, geofence_id, geofence_name, began_at)
      select ${randomUUID()}::uuid, account_id, ${vehicleId}::int4, 'restricted', ${severity}::text, null,
        ${iso(entry.at)}::timestamptz, ${iso(entry.at)}::timestamptz, ${exit && iso(exit.at)}::timestamptz,
        ${entry.lat}::float8, ${entry.lon}::float8, ${isOld ? null : driverId}::int4,
        ${isOld ? iso(nowMs) : null}::timestamptz, id, name, ${iso(entry.knownAt)}::timestamptz
      from geofence where account_id = ${accountId} and id = ${fenceId} and is_restricted and is_on
      on conflict do nothing returning id`.execute(trx);
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}

/** Ends the alerts of these vehicles about geofences that they are not in. Returns their IDs. */
export async function closeRestricted(
  trx: AccountTransaction,
  vehicleIds: readonly number[],
  nowMs: number,
): Promise<string[]> {
  if (vehicleIds.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    update alert set closed_at = greatest(opened_at, coalesce((
      select max(out_at) from visit
      where visit.vehicle_id = alert.vehicle_id and visit.geofence_id = alert.geofence_id and in_at <= alert.opened_at
    ), ${iso(nowMs)}::timestamptz))
    where kind = 'restricted' and closed_at is null and vehicle_id = any (${vehicleIds}::int4[]) and not exists (
      select from visit
      where visit.vehicle_id = alert.vehicle_id and visit.geofence_id = alert.geofence_id and out_at is null)
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Ends the alerts about a geofence that is not watched any more. Returns their IDs. */
export async function closeRestrictedOf(
  trx: AccountTransaction,
  accountId: number,
  fenceId: number,
  kinds: readonly ('restricted' | 'rule')[] = ['restricted'],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update alert set closed_at = greatest(opened_at, now())
    where account_id = ${accountId} and kind = any (${kinds}::text[]) and geofence_id = ${fenceId} and closed_at is null
    returning id`.execute(trx);
  return rows.map(({ id }) => id);
}

const iso = (ms: number): string => new Date(ms).toISOString();
