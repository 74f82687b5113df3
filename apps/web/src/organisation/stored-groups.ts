import { type Department, departmentSchema, type Folder, folderSchema } from '@milepost/contract';
import { DEPARTMENTS_KEY, FOLDERS_KEY } from '../app/session/storage.ts';

/**
 * Folders and departments as the browser keeps them between visits [R3.09]: the tree with its names, who is in what by
 * id alone, and what is checked [R3.04]. Names, plates and phones stay where they came from.
 */
const storedFolderSchema = folderSchema.extend({
  devices: folderSchema.shape.devices.element.pick({ id: true, is_checked: true }).array(),
});
const storedDepartmentSchema = departmentSchema.extend({
  drivers: departmentSchema.shape.drivers.element.pick({ id: true }).array(),
});
export type StoredFolder = ReturnType<typeof storedFolderSchema.parse>;
export type StoredDepartment = ReturnType<typeof storedDepartmentSchema.parse>;

const lists = { [FOLDERS_KEY]: storedFolderSchema.array(), [DEPARTMENTS_KEY]: storedDepartmentSchema.array() };

function read<K extends keyof typeof lists>(key: K): ReturnType<(typeof lists)[K]['parse']> | null {
  try {
    return lists[key].parse(JSON.parse(localStorage.getItem(key) ?? '')) as ReturnType<(typeof lists)[K]['parse']>;
  } catch {
    // Nothing stored, or written by another version: the server is asked anyway.
    return null;
  }
}

export const readFolders = (): StoredFolder[] | null => read(FOLDERS_KEY);
export const readDepartments = (): StoredDepartment[] | null => read(DEPARTMENTS_KEY);

export function storeFolders(folders: readonly StoredFolder[]): void {
  localStorage.setItem(FOLDERS_KEY, JSON.stringify(folders));
}
export function storeDepartments(departments: readonly StoredDepartment[]): void {
  localStorage.setItem(DEPARTMENTS_KEY, JSON.stringify(departments));
}

/** What the server says, with the checks that were set here: a vehicle that is new to us has the server's. */
export function withChecks(folders: readonly Folder[], before: readonly StoredFolder[]): StoredFolder[] {
  const checks = new Map(before.flatMap(({ devices }) => devices.map(({ id, is_checked }) => [id, is_checked])));
  return folders.map(({ id, name, parentId, is_checked, devices }) => {
    const kept = devices.map(device => ({ id: device.id, is_checked: checks.get(device.id) ?? device.is_checked }));
    const own = before.find(folder => folder.id === id)?.is_checked ?? is_checked;
    return { id, name, parentId, is_checked: checkOf(kept, own), devices: kept };
  });
}

/** Sets the checks of vehicles; a folder is checked where all in it are, and an empty one keeps its own. */
export function checked(folders: readonly StoredFolder[], ids: ReadonlySet<string>, on: boolean): StoredFolder[] {
  return folders.map(folder => {
    const devices = folder.devices.map(device => (ids.has(device.id) ? { ...device, is_checked: on } : device));
    return { ...folder, devices, is_checked: checkOf(devices, folder.is_checked) };
  });
}

const checkOf = (devices: StoredFolder['devices'], own: boolean): boolean =>
  devices.length === 0 ? own : devices.every(({ is_checked }) => is_checked);

export const withoutNames = (departments: readonly Department[]): StoredDepartment[] =>
  departments.map(({ id, name, parentId, drivers }) => ({
    id,
    name,
    parentId,
    drivers: drivers.map(driver => ({ id: driver.id })),
  }));
