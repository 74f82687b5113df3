import type { AlertKind, Severity } from '@milepost/contract';
import { type EpochMs, epochMs } from '@milepost/units';
import type { Selectable } from 'kysely';
import type { ClientBase, Pool } from 'pg';
import type { AlertTable } from '../../db/alert-schema.ts';
import type { AlertState } from './fold.ts';

/** Alerts of tasks are not among them. */
type Row = Selectable<AlertTable> & { readonly vehicle_id: number };

/**
 * Open alerts of these vehicles or of all, and those closed at or after this moment. Locked in the order of their
 * IDs, as acknowledging does, to prevent deadlocks.
 */
export async function loadStates(
  client: ClientBase | Pool,
  vehicleIds: readonly number[] | 'all',
  closedFromMs: number | null,
): Promise<AlertState[]> {
  const { rows } = await client.query<Row>(
    `select * from alert
     where vehicle_id is not null and ($1::int4[] is null or vehicle_id = any($1)) and (closed_at is null or closed_at >= $2)
     order by id for update`,
    [vehicleIds === 'all' ? null : vehicleIds, closedFromMs === null ? null : new Date(closedFromMs)],
  );
  return rows.map(row => ({
    id: row.id,
    accountId: row.account_id,
    vehicleId: row.vehicle_id,
    kind: row.kind as AlertKind,
    severity: row.severity as Severity,
    event: row.event,
    openedAt: epochMs(row.opened_at.getTime()),
    updatedAt: epochMs(row.updated_at.getTime()),
    count: row.count,
    closedAt: momentOf(row.closed_at),
    late: row.late,
    lat: row.lat,
    lon: row.lon,
    figures: row.figures,
    driverId: row.driver_id,
    acknowledgedAt: momentOf(row.acknowledged_at),
    acknowledgedBy: row.acknowledged_by,
  }));
}

const momentOf = (date: Date | null): EpochMs | null => date && epochMs(date.getTime());

const SAVE = `
insert into alert (id, account_id, vehicle_id, kind, severity, event, opened_at, updated_at, count, closed_at, late,
  lat, lon, figures, driver_id, acknowledged_at)
select * from jsonb_to_recordset($1::jsonb) as told (id uuid, account_id int4, vehicle_id int4, kind text, severity text,
  event text, opened_at timestamptz, updated_at timestamptz, count int4, closed_at timestamptz, late bool,
  lat float8, lon float8, figures jsonb, driver_id int4, acknowledged_at timestamptz)
on conflict (id) do update set event = excluded.event, opened_at = excluded.opened_at, updated_at = excluded.updated_at,
  count = excluded.count, closed_at = excluded.closed_at, lat = excluded.lat, lon = excluded.lon,
  figures = excluded.figures`;

/** Writes new alerts and the changes from reports; who acknowledged an alert is kept. */
export async function saveStates(client: ClientBase, alerts: readonly AlertState[]): Promise<void> {
  // Closed alerts first: only one alert of a kind can be open.
  const rows = alerts.toSorted((a, b) => Number(a.closedAt === null) - Number(b.closedAt === null)).map(toRow);
  await client.query(SAVE, [JSON.stringify(rows)]);
}

const toRow = (alert: AlertState) => ({
  id: alert.id,
  account_id: alert.accountId,
  vehicle_id: alert.vehicleId,
  kind: alert.kind,
  severity: alert.severity,
  event: alert.event,
  opened_at: new Date(alert.openedAt),
  updated_at: new Date(alert.updatedAt),
  count: alert.count,
  closed_at: alert.closedAt && new Date(alert.closedAt),
  late: alert.late,
  lat: alert.lat,
  lon: alert.lon,
  figures: alert.figures,
  driver_id: alert.driverId,
  acknowledged_at: alert.acknowledgedAt && new Date(alert.acknowledgedAt),
});
