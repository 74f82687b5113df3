import { AppError, invalidField } from '../../app-error.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Viewer, Visibility } from '../../fleet/visibility.ts';
import type { VehicleFields } from './store.ts';

type Places = Partial<Pick<VehicleFields, 'folder_id' | 'usual_driver_id'>>;

/**
 * Refuses folders and drivers of other accounts or out of the viewer's scope, and moves to where the viewer would no
 * longer see the vehicle.
 */
export async function refuseOutside(
  trx: AccountTransaction,
  visibility: Visibility,
  viewer: Viewer,
  ...places: readonly Places[]
): Promise<void> {
  const folders = places.flatMap(place => (place.folder_id === undefined ? [] : [place.folder_id]));
  if (folders.some(id => !visibility.holds('folder', viewer, id))) {
    throw invalidField('folderId', 'folder-out-of-scope');
  }
  await refuseMissing(trx, 'folder', folders);

  const drivers = places.flatMap(place => place.usual_driver_id ?? []);
  const found = await refuseMissing(trx, 'driver', drivers);
  for (const { id, department_id: departmentId = null, user_id: userId = null } of found) {
    if (!visibility.seesDriver(viewer, { id, departmentId, userId })) throw new AppError('not-found');
    if (!visibility.holdsDriver(viewer, { departmentId })) throw new AppError('out-of-scope');
  }
}

interface Found {
  readonly id: number;
  readonly department_id?: number | null;
  readonly user_id?: string | null;
}

async function refuseMissing(
  trx: AccountTransaction,
  table: 'folder' | 'driver',
  named: readonly (number | null)[],
): Promise<Found[]> {
  const ids = [...new Set(named.filter(id => id !== null))];
  if (ids.length === 0) return [];
  const found: Found[] =
    table === 'folder'
      ? await trx.selectFrom('folder').select('id').where('id', 'in', ids).execute()
      : await trx
          .selectFrom('driver')
          .select(['id', 'department_id', 'user_id'])
          .where('id', 'in', ids)
          .where('archived', '=', false)
          .execute();
  if (found.length < ids.length) throw new AppError('not-found');
  return found;
}
