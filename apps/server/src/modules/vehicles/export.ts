import type { IMPORT_COLUMNS, Vehicle } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import { toCsv } from '../../http/csv.ts';
import { type FolderPaths, readFolderPaths } from '../organisation/folder-paths.ts';
import type { Vehicles } from './service.ts';

type Column = (typeof IMPORT_COLUMNS)[number];
type Cell = (vehicle: Vehicle) => string | number | null;

/** Exports vehicles as a file that can be imported again. */
export async function exportVehiclesCsv(
  { db }: Context,
  vehicles: Vehicles,
  viewer: Viewer,
  ids: readonly string[] | null,
): Promise<string> {
  const wanted = ids && new Set(ids);
  const folders = await db.asAccount(viewer.accountId, trx => readFolderPaths(trx));
  const all = await vehicles.list(viewer);
  return toCsv(wanted ? all.filter(({ id }) => wanted.has(id)) : all, columns(folders));
}

const columns = (folders: FolderPaths): Record<Column, Cell> => ({
  imei: ({ imei }) => imei,
  deviceName: ({ deviceName }) => deviceName,
  plate: ({ plate }) => plate,
  vin: ({ vin }) => vin,
  type: ({ type }) => type,
  make: ({ make }) => make,
  model: ({ model }) => model,
  year: ({ year }) => year,
  fuelType: ({ fuelType }) => fuelType,
  tankLitres: ({ tankLitres }) => tankLitres,
  speedLimitKmh: ({ speedLimitKmh }) => speedLimitKmh,
  odometerOffsetKm: ({ odometerOffsetKm }) => odometerOffsetKm,
  tags: ({ tags }) => tags.join('; '),
  notes: ({ notes }) => notes,
  trackerModel: ({ trackerModel }) => trackerModel,
  simNumber: ({ simNumber }) => simNumber,
  trackerId: ({ trackerId }) => trackerId,
  folder: ({ folderId }) => (folderId === null ? null : folders.path(Number(folderId))),
});
