import type { InspectionReport } from '@milepost/contract';
import { advanceDvir, type Dvir, type DvirRefusal, type DvirState, mayBeDriven, trailersOf } from '@milepost/eld';
import type { Selectable } from 'kysely';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Database } from '../../../db/schema.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import { audit } from '../../audit/audit.ts';
import type { By } from '../../audit/by.ts';
import { iso } from '../days/shown.ts';

type Row = Selectable<Database['inspection_report']>;

const SHOWN_MS = 92 * 24 * 3_600_000;

const REFUSED: Readonly<Record<DvirRefusal, string>> = {
  'done-already': 'The repair is certified already.',
  'certification-missing': 'The repair has to be certified first.',
  'signed-before': 'The signature is older than the one before it.',
  'nothing-to-certify': 'The report has no defects.',
};

/** A stored report with its state and signatures. */
const dvirOf = ({ report, state, certified, reviewed }: Row): Dvir => ({
  report: report as Dvir['report'],
  state: state as DvirState,
  certifiedBy: certified as Dvir['certifiedBy'],
  reviewedBy: reviewed as Dvir['reviewedBy'],
});

/** The report in the contract’s form. */
function shownInspection(row: Row, vehicle: Omit<InspectionReport['vehicle'], 'id'>): InspectionReport {
  const dvir = dvirOf(row);
  const { report, certifiedBy, reviewedBy, state } = dvir;
  const photos = row.photos as readonly (readonly string[])[];
  const signed = ({ name, at }: { readonly name: string; readonly at: number }) => ({ name, at: iso(at) });
  return {
    id: row.id,
    vehicle: { id: String(row.vehicle_id), ...vehicle },
    when: row.inspected,
    trailers: report.trailers,
    state,
    defects: report.defects.map((defect, i) => ({ ...defect, photos: [...(photos[i] ?? [])] })),
    reportedBy: signed(report.reportedBy),
    certifiedBy: certifiedBy && signed(certifiedBy),
    reviewedBy: reviewedBy && signed(reviewedBy),
    mayBeDriven: mayBeDriven(dvir, trailersOf(report.trailers)),
  };
}

/**
 * The reports of three months on the vehicles that the viewer sees, newest first; those on deleted vehicles are for
 * whoever sees the whole account.
 */
export async function listInspectionsOf(
  trx: AccountTransaction,
  viewer: Viewer,
  { visibility }: Organisation,
  now: number,
): Promise<InspectionReport[]> {
  const vehicles = new Map<number, Omit<InspectionReport['vehicle'], 'id'>>();
  if (visibility.seesAll(viewer)) {
    const former = await trx.selectFrom('former_vehicle').select(['id', 'name']).execute();
    for (const { id, name } of former) vehicles.set(id, { deviceName: name, isDeleted: true });
  }
  for (const { id, name } of visibility.vehicles(viewer)) vehicles.set(id, { deviceName: name });
  const rows = await trx
    .selectFrom('inspection_report')
    .selectAll()
    .where('reported_at', '>=', new Date(now - SHOWN_MS))
    .orderBy('reported_at', 'desc')
    .execute();
  return rows.flatMap(row => {
    const vehicle = vehicles.get(row.vehicle_id);
    return vehicle ? [shownInspection(row, vehicle)] : [];
  });
}

/** Signs that the defects are repaired, or that no repair is needed (49 CFR 396.11(a)(3)(ii)). */
export async function certifyRepairOf(
  { db, feed }: Pick<Context, 'db' | 'feed'>,
  { visibility }: Organisation,
  { session, author }: By,
  { id, repaired }: { readonly id: string; readonly repaired: boolean },
  now: number,
): Promise<InspectionReport> {
  const answer = await db.asAccount(session.accountId, async trx => {
    const row = await trx
      .selectFrom('inspection_report')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new AppError('not-found');
    const vehicle = visibility.heldVehicle(session, row.vehicle_id);
    const user = await trx
      .selectFrom('app_user')
      .select('display_name')
      .where('id', '=', session.userId)
      .executeTakeFirst();
    const signature = { by: session.userId, name: user?.display_name ?? session.userName, at: now };
    const next = advanceDvir(dvirOf(row), repaired ? 'certify-repaired' : 'certify-not-needed', signature);
    if (typeof next === 'string') {
      const reason = REFUSED[next];
      throw new AppError('log-refused', { reason }, { errors: [{ field: '', code: next, message: reason }] });
    }
    const change = { state: next.state, certified: JSON.stringify(next.certifiedBy) };
    await trx.updateTable('inspection_report').set(change).where('id', '=', id).execute();
    await audit(trx, author, {
      action: 'inspection.certified',
      target: { id: vehicle.id, name: vehicle.name },
      changes: [{ field: 'state', from: row.state, to: next.state }],
    });
    return shownInspection(
      { ...row, state: next.state, certified: next.certifiedBy as never },
      { deviceName: vehicle.name },
    );
  });
  await feed.settled();
  return answer;
}
