import { AppError } from '../../../app-error.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import type { NameOf } from '../days/shown.ts';
import { type DriverTerms, logOfDriver, readDriverTerms } from '../settings/driver-terms.ts';

/**
 * The terms of all drivers whom the viewer sees, whose log may have something to show: who was archived, or keeps no log
 * anymore, did keep one, and the carrier has to have it for six months (395.8(k)).
 */
export async function seenLogs(
  trx: AccountTransaction,
  viewer: Viewer,
  { visibility }: Pick<Organisation, 'visibility'>,
  ids: readonly number[] | null,
): Promise<DriverTerms[]> {
  return (await readDriverTerms(trx, ids)).filter(({ driverId, departmentId, userId }) =>
    visibility.seesDriver(viewer, { id: driverId, departmentId, userId }),
  );
}

/** Those on the board: who keeps a log, and with them an archived driver who is still signed in to a vehicle. */
export async function termsOnBoard(
  trx: AccountTransaction,
  viewer: Viewer,
  organisation: Pick<Organisation, 'visibility'>,
  ids: readonly number[] | null,
): Promise<DriverTerms[]> {
  const keeping = (await seenLogs(trx, viewer, organisation, ids)).filter(({ settings }) => settings.keepsLog);
  if (keeping.every(({ archived }) => !archived)) return keeping;
  const rows = await trx
    .selectFrom('recorder_fold')
    .select(['driver_id', 'co_driver_id'])
    .where(eb => eb.or([eb('driver_id', 'is not', null), eb('co_driver_id', 'is not', null)]))
    .execute();
  const signedIn = new Set(rows.flatMap(({ co_driver_id, driver_id }) => [driver_id, co_driver_id]));
  return keeping.filter(({ archived, driverId }) => !archived || signedIn.has(driverId));
}

/** Whether there is a log to show, of a driver who keeps none anymore. */
export async function hasLog(trx: AccountTransaction, { driverId, settings }: DriverTerms): Promise<boolean> {
  if (settings.keepsLog) return true;
  const row = await trx
    .selectFrom('duty_entry')
    .select('position')
    .where('log', '=', logOfDriver(driverId))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The driver whom the signed-in user is, or the problem `no-log`. */
export async function ownDriver(trx: AccountTransaction, { userId }: Viewer): Promise<number> {
  const row = await trx.selectFrom('driver').select('id').where('user_id', '=', userId).executeTakeFirst();
  if (!row) throw new AppError('no-log');
  return row.id;
}

/** Their terms, or the problem `no-log` if they keep none here. */
export async function ownTerms(trx: AccountTransaction, viewer: Viewer): Promise<DriverTerms> {
  const [terms] = await readDriverTerms(trx, [await ownDriver(trx, viewer)]);
  if (!terms?.settings.keepsLog) throw new AppError('no-log');
  return terms;
}

/** The display names of all users, also of deleted ones, by the ids in the records’ `by`. */
export async function readNames(trx: AccountTransaction): Promise<NameOf> {
  const rows = await trx.selectFrom('person').select(['id', 'display_name']).execute();
  const names = new Map(rows.map(({ id, display_name }) => [id, display_name]));
  return by => names.get(by) ?? null;
}
