import type { Alert } from '@milepost/contract';
import { type MetresPerSecond, metresPerSecond } from '@milepost/units';
import { sql } from 'kysely';
import type { AccountTransaction, Databases } from '../../db/database.ts';
import type { ReportContext } from '../../ingest/report.ts';
import { type AlertRow, selectAlerts, toAlert } from '../alerts/store.ts';
import type { Directory } from '../vehicles/directory.ts';

/** Alerts of which the speed says something. */
const MOVING: ReadonlySet<Alert['kind']> = new Set(['overspeed', 'harshDriving', 'crash', 'tow']);

export interface AlertDetailParts {
  readonly directory: Pick<Directory, 'findById'>;
  readonly reportContext: Pick<ReportContext, 'placeOf'>;
}

/** What is to be told of alerts, as they are now, each beside what is known of it. */
export async function readAlertDetails<I extends { readonly alertId: string }>(
  db: Databases,
  { directory, reportContext }: AlertDetailParts,
  accountId: number,
  items: readonly I[],
): Promise<(I & { readonly alert: Alert; readonly speed: MetresPerSecond | null })[]> {
  return db.asAccount(accountId, async trx => {
    const rows = await selectAlerts(trx)
      .where(
        'alert.id',
        'in',
        items.map(({ alertId }) => alertId),
      )
      .execute();
    const speeds = await speedsOf(
      trx,
      rows.filter(({ kind }) => MOVING.has(kind as Alert['kind'])),
    );
    const byId = new Map(rows.map(row => [row.id, row]));
    return items.flatMap(item => {
      const row = byId.get(item.alertId);
      const vehicle = row && directory.findById(row.vehicle_id);
      if (!vehicle) return [];
      return { ...item, alert: toAlert(row, vehicle, reportContext), speed: speeds.get(row.id) ?? null };
    });
  });
}

/** Of the position in which an alert was last seen. */
async function speedsOf(trx: AccountTransaction, alerts: readonly AlertRow[]): Promise<Map<string, MetresPerSecond>> {
  if (alerts.length === 0) return new Map();
  const ids = alerts.map(({ id }) => id);
  const { rows } = await sql<{ id: string; speed: number }>`
    select alert.id, speed from alert
    join position on position.vehicle_id = alert.vehicle_id and position.fix_at = alert.updated_at
    where alert.id = any(${ids}::uuid[]) and speed is not null`.execute(trx);
  return new Map(rows.map(({ id, speed }) => [id, metresPerSecond(speed)]));
}
