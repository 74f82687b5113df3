import { fieldError, plainTrackerId } from '@milepost/contract';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Visibility } from '../../fleet/visibility.ts';
import type { By } from '../audit/by.ts';
import { type FolderPaths, readFolderPaths } from '../organisation/folder-paths.ts';
import { type ReadVehicle, readVehiclesCsv } from './csv.ts';
import { type RowError, rowError } from './row-error.ts';
import type { Vehicles } from './service.ts';

const MAX_ROWS = 10_000;

export interface ImportAnswer {
  readonly dryRun: boolean;
  readonly rows: number;
  readonly imported: number;
  readonly errors: RowError[];
}

/** Imports a file of vehicles: all of them, or none and every error by row. A dry run reports what would happen. */
export async function importVehiclesCsv(
  { db }: Context,
  { vehicles, visibility }: { readonly vehicles: Vehicles; readonly visibility: Visibility },
  by: By,
  text: string,
  dryRun: boolean,
): Promise<ImportAnswer> {
  const file = await readVehiclesCsv(text);
  if (file.rows > MAX_ROWS) throw new AppError('too-many-rows', { limit: MAX_ROWS });
  const { accountId } = by.session;
  const taken = await findTaken(db, accountId, file.vehicles);
  const isHeld = (id: number | null): boolean => visibility.holds('folder', by.session, id);
  const places = await findFolders(db, accountId, file.vehicles, isHeld);
  const errors = [...file.errors, ...taken, ...places.errors].sort((a, b) => a.row - b.row);
  if (dryRun) return { dryRun, rows: file.rows, imported: 0, errors };
  if (errors.length > 0) throw importProblem(errors);
  await vehicles.createMany(
    by,
    file.vehicles.map(({ fields, row }) => ({ ...fields, folderId: places.idOfRow.get(row) ?? null })),
  );
  return { dryRun, rows: file.rows, imported: file.rows, errors: [] };
}

function importProblem(errors: readonly RowError[]): AppError {
  const rows = new Set(errors.map(error => error.row)).size;
  return new AppError(
    'import-has-errors',
    { count: rows },
    {
      errors: errors.map(({ row, column, ...problem }) => ({
        field: column === null ? `row ${row}` : `row ${row}.${column}`,
        ...problem,
      })),
    },
  );
}

/** Finds folders by name. They must exist, so that a typo does not create one. */
async function findFolders(
  db: Context['db'],
  accountId: number,
  read: readonly ReadVehicle[],
  isHeld: (id: number | null) => boolean,
) {
  const errors: RowError[] = [];
  const idOfRow = new Map<number, string>();
  if (isHeld(null) && read.every(({ folder }) => folder === null)) return { errors, idOfRow };
  const folders: FolderPaths = await db.asAccount(accountId, trx => readFolderPaths(trx, isHeld));
  for (const { row, folder } of read) {
    if (folder === null && isHeld(null)) continue;
    const id = folder === null ? null : folders.find(folder);
    if (id !== null) idOfRow.set(row, String(id));
    else if (folder === null) errors.push(rowError(row, 'folder', fieldError('', 'folder-out-of-scope')));
    else errors.push(rowError(row, 'folder', fieldError('', 'csv-no-folder')));
  }
  return { errors, idOfRow };
}

/** Finds duplicates: IMEIs and tracker IDs are unique in the installation, names in the account. */
async function findTaken(db: Context['db'], accountId: number, read: readonly ReadVehicle[]): Promise<RowError[]> {
  if (read.length === 0) return [];
  const imeis = await db.system
    .selectFrom('vehicle')
    .select('imei')
    .where('imei', 'in', [...new Set(read.flatMap(({ fields }) => [fields.imei, fields.trackerId ?? []].flat()))])
    .execute();
  const ids = [...new Set(read.flatMap(({ fields }) => [plainTrackerId(fields.imei), fields.trackerId ?? []].flat()))];
  const trackerIds = await db.system
    .selectFrom('vehicle')
    .select('tracker_id')
    .where(sql<boolean>`tracker_id = any(${ids})`)
    .execute();
  const names = await db.asAccount(accountId, trx => trx.selectFrom('vehicle').select('name').execute());
  const takenImeis = new Set(imeis.map(row => row.imei));
  const takenTrackerIds = new Set(trackerIds.map(row => row.tracker_id));
  const takenNames = new Set(names.map(row => row.name.toLowerCase()));
  return read.flatMap(({ row, fields }) => {
    const errors: RowError[] = [];
    const isTaken = takenImeis.has(fields.imei) || takenTrackerIds.has(plainTrackerId(fields.imei));
    if (isTaken) errors.push(rowError(row, 'imei', fieldError('', 'imei-taken')));
    if (fields.trackerId && (takenTrackerIds.has(fields.trackerId) || takenImeis.has(fields.trackerId))) {
      errors.push(rowError(row, 'trackerId', fieldError('', 'tracker-id-taken')));
    }
    if (takenNames.has(fields.deviceName.toLowerCase())) {
      errors.push(rowError(row, 'deviceName', fieldError('', 'name-taken', { name: fields.deviceName })));
    }
    return errors;
  });
}
