import type { Alert } from '@milepost/contract';
import type { Databases } from '../../db/database.ts';
import type { Directory } from '../../fleet/directory.ts';
import type { ReportContext } from '../../ingest/report.ts';
import { type SeesOther, selectAlerts, toAlert, vehicleOf } from '../alerts/store.ts';

export interface AlertDetailParts {
  readonly directory: Pick<Directory, 'findById'>;
  readonly reportContext: Pick<ReportContext, 'placeOf'>;
}

/** The alerts to report, in their current state, each with its details. */
export async function readAlertDetails<I extends { readonly alertId: string }>(
  db: Databases,
  { directory, reportContext }: AlertDetailParts,
  accountId: number,
  items: readonly I[],
  /** Of their reader. */
  sees: SeesOther,
): Promise<(I & { readonly alert: Alert })[]> {
  return db.asAccount(accountId, async trx => {
    const rows = await selectAlerts(trx)
      .where(
        'alert.id',
        'in',
        items.map(({ alertId }) => alertId),
      )
      .execute();
    const byId = new Map(rows.map(row => [row.id, row]));
    return items.flatMap(item => {
      const row = byId.get(item.alertId);
      if (!row) return [];
      const vehicle = vehicleOf(row, directory);
      if (vehicle === undefined) return [];
      return { ...item, alert: toAlert(row, vehicle, reportContext, sees) };
    });
  });
}
