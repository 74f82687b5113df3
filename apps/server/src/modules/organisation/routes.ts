import {
  assignDepartment,
  assignFolder,
  assignVehicle,
  createDepartment,
  createDriver,
  createFolder,
  type Department,
  deleteDepartment,
  deleteDriver,
  deleteFolder,
  type Folder,
  listDepartments,
  listDrivers,
  listFolders,
  readDriver,
  readMyDriver,
  updateDepartment,
  updateDriver,
  updateFolder,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Viewer } from '../../fleet/visibility.ts';
import type { Http } from '../../http/server.ts';
import { by } from '../audit/by.ts';
import { createDrivers } from './drivers.ts';
import { createGroups } from './groups.ts';

export function registerOrganisation(http: Http, context: Context, organisation: Organisation): void {
  const folders = createGroups('folder', context, organisation);
  const departments = createGroups('department', context, organisation);
  const drivers = createDrivers(context, organisation);
  const { visibility } = organisation;

  const listOfFolders = async (viewer: Viewer): Promise<Folder[]> => {
    const vehicles = visibility.vehicles(viewer).sort((a, b) => byName(a.name, b.name));
    const inFolder = Map.groupBy(vehicles, vehicle => vehicle.folderId ?? 0);
    return (await folders.list(viewer, new Set(inFolder.keys()))).map(({ id, name, parent_id }) => ({
      id: String(id),
      name,
      parentId: parent_id === null ? null : String(parent_id),
      is_checked: false,
      devices: (inFolder.get(id) ?? []).map(({ id, imei, name }) => ({
        id: String(id),
        imei,
        deviceName: name,
        is_checked: false,
      })),
    }));
  };
  const listOfDepartments = async (viewer: Viewer): Promise<Department[]> => {
    const people = (await drivers.list(viewer)).filter(({ archived }) => !archived);
    const inDepartment = Map.groupBy(people, driver => Number(driver.departmentId ?? 0));
    return (await departments.list(viewer, new Set(inDepartment.keys()))).map(({ id, name, parent_id }) => ({
      id: String(id),
      name,
      parentId: parent_id === null ? null : String(parent_id),
      drivers: (inDepartment.get(id) ?? []).map(({ id, name }) => ({ id, name })),
    }));
  };

  http.handle(listFolders, ({ session }) => listOfFolders(session));
  http.handle(createFolder, async call => {
    const id = await folders.create(by(call), call.body);
    return pick(await listOfFolders(call.session), id);
  });
  http.handle(updateFolder, async call => {
    await folders.update(by(call), Number(call.params.id), call.body);
    return pick(await listOfFolders(call.session), call.params.id);
  });
  http.handle(deleteFolder, async call => {
    const released = await folders.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id, released };
  });
  http.handle(assignFolder, async call => {
    const ids = call.body.devices.map(Number);
    for (const id of ids) visibility.heldVehicle(call.session, id);
    return { assigned: await folders.assign(by(call), groupOf(call.params.id), ids) };
  });

  http.handle(listDepartments, ({ session }) => listOfDepartments(session));
  http.handle(createDepartment, async call => {
    const id = await departments.create(by(call), call.body);
    return pick(await listOfDepartments(call.session), id);
  });
  http.handle(updateDepartment, async call => {
    await departments.update(by(call), Number(call.params.id), call.body);
    return pick(await listOfDepartments(call.session), call.params.id);
  });
  http.handle(deleteDepartment, async call => {
    const released = await departments.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id, released };
  });
  http.handle(assignDepartment, async call => {
    const ids = call.body.drivers.map(Number);
    await drivers.refuseUnheld(call.session, ids);
    return { assigned: await departments.assign(by(call), groupOf(call.params.id), ids) };
  });

  http.handle(listDrivers, ({ session }) => drivers.list(session));
  http.handle(readDriver, ({ session, params }) => drivers.read(session, Number(params.id)));
  http.handle(createDriver, call => drivers.create(by(call), call.body));
  http.handle(updateDriver, call => drivers.update(by(call), Number(call.params.id), call.body));
  http.handle(deleteDriver, async call => {
    await drivers.remove(by(call), Number(call.params.id));
    return { deleted: true as const, id: call.params.id };
  });
  http.handle(assignVehicle, call => {
    const { deviceId } = call.body;
    return drivers.assign(by(call), Number(call.params.id), deviceId === null ? null : Number(deviceId));
  });
  http.handle(readMyDriver, async ({ session }) => ({ driver: await drivers.mine(session) }));
}

const groupOf = (id: string): number | null => (id === 'none' ? null : Number(id));
const byName = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true, sensitivity: 'base' });

function pick<T extends { readonly id: string }>(all: readonly T[], id: string | number): T {
  const one = all.find(each => each.id === String(id));
  if (!one) throw new AppError('not-found');
  return one;
}
