import { advanceDvir, type Dvir, dvirSchema, openDvir } from '@milepost/eld';
import { powerUnitOf, vinOf } from '../recorder/record-vehicle.ts';
import type { Entered, TakeParts } from './entered.ts';

/** Keeps an inspection report (49 CFR 396.11). */
export async function inspect(parts: TakeParts, entered: Entered, vehicleId: number | null): Promise<string | null> {
  const { accountId, terms, trx, userId } = parts;
  const { action } = entered;
  if (action.kind !== 'inspect' || vehicleId === null) return 'not-found';
  const vehicle = await trx
    .selectFrom('vehicle')
    .select(['name', 'vin'])
    .where('id', '=', vehicleId)
    .executeTakeFirst();
  if (!vehicle) return 'not-found';
  const report = dvirSchema.safeParse({
    id: entered.id,
    vehicle: { powerUnit: powerUnitOf(vehicle.name), vin: vinOf(vehicle.vin) },
    trailers: action.trailers,
    defects: action.defects.map(({ photos: _photos, ...defect }) => defect),
    reportedBy: { by: userId, name: terms.name, at: entered.atMs },
  });
  if (!report.success) return 'not-an-entry';
  await trx
    .insertInto('inspection_report')
    .values({
      ...{ account_id: accountId, id: entered.id, vehicle_id: vehicleId, driver_id: terms.driverId },
      ...{ inspected: action.when, report: JSON.stringify(report.data), state: 'reported' },
      photos: JSON.stringify(action.defects.map(({ photos }) => photos)),
      ...{ certified: null, reviewed: null, reported_at: new Date(entered.atMs) },
    })
    .execute();
  return null;
}

/** The next driver’s signature under a repaired report (396.13). */
export async function review({ terms, trx, userId }: TakeParts, { atMs }: Entered, id: string): Promise<string | null> {
  const row = await trx.selectFrom('inspection_report').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) return 'unknown-record';
  const dvir = {
    ...openDvir(row.report as Dvir['report']),
    ...{ state: row.state, certifiedBy: row.certified, reviewedBy: row.reviewed },
  } as Dvir;
  const next = advanceDvir(dvir, 'review', { by: userId, name: terms.name, at: atMs });
  if (typeof next === 'string') return next;
  await trx
    .updateTable('inspection_report')
    .set({ state: next.state, reviewed: JSON.stringify(next.reviewedBy) })
    .where('id', '=', id)
    .execute();
  return null;
}
