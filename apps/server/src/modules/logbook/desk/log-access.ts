import { AppError } from '../../../app-error.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { Viewer } from '../../../fleet/visibility.ts';
import type { NameOf } from '../days/shown.ts';
import { type DriverTerms, readDriverTerms } from '../settings/driver-terms.ts';

/** The terms of the drivers who keep a log and whom the viewer sees, by name; only these, if ids are given. */
export async function seenTerms(
  trx: AccountTransaction,
  viewer: Viewer,
  { visibility }: Pick<Organisation, 'visibility'>,
  ids: readonly number[] | null,
): Promise<DriverTerms[]> {
  return (await readDriverTerms(trx, ids)).filter(
    ({ driverId, departmentId, userId, settings, archived }) =>
      settings.keepsLog && !archived && visibility.seesDriver(viewer, { id: driverId, departmentId, userId }),
  );
}

/** The driver of the signed-in user, or the problem `no-log` if they keep none here. */
export async function ownTerms(trx: AccountTransaction, { userId }: Viewer): Promise<DriverTerms> {
  const row = await trx.selectFrom('driver').select('id').where('user_id', '=', userId).executeTakeFirst();
  const [terms] = row ? await readDriverTerms(trx, [row.id]) : [];
  if (!terms?.settings.keepsLog) throw new AppError('no-log');
  return terms;
}

/** The display names of all users, by the ids in the records’ `by`. */
export async function readNames(trx: AccountTransaction): Promise<NameOf> {
  const rows = await trx.selectFrom('app_user').select(['id', 'display_name']).execute();
  const names = new Map(rows.map(({ id, display_name }) => [id, display_name]));
  return by => names.get(by) ?? null;
}
