import type { Department, Folder } from '@milepost/contract';
import { fields, flag, listOf, orNull, readKept, text } from '../base/session/kept.ts';
import { DEPARTMENTS_KEY, FOLDERS_KEY } from '../base/session/storage.ts';
import type { Group } from './groups.ts';

/**
 * Folders and departments as stored between visits [R3.09]: the tree with its names, the IDs of members, and what is
 * checked [R3.04]. Members' names, plates and phone numbers aren't stored.
 */
export type StoredFolder = Omit<Folder, 'devices'> & {
  devices: Pick<Folder['devices'][number], 'id' | 'is_checked'>[];
};
export type StoredDepartment = Omit<Department, 'drivers'> & {
  drivers: Pick<Department['drivers'][number], 'id'>[];
};

const group = { id: text, name: text, parentId: orNull(text) };
const folders = listOf(
  fields<StoredFolder>({ ...group, is_checked: flag, devices: listOf(fields({ id: text, is_checked: flag })) }),
);
const departments = listOf(fields<StoredDepartment>({ ...group, drivers: listOf(fields({ id: text })) }));

export const readFolders = (): StoredFolder[] | null => readKept(FOLDERS_KEY, folders);
export const readDepartments = (): StoredDepartment[] | null => readKept(DEPARTMENTS_KEY, departments);

export function storeFolders(folders: readonly StoredFolder[]): void {
  localStorage.setItem(FOLDERS_KEY, JSON.stringify(folders));
}
export function storeDepartments(departments: readonly StoredDepartment[]): void {
  localStorage.setItem(DEPARTMENTS_KEY, JSON.stringify(departments));
}

/** The server's folders with the checks set on this device. New vehicles keep the server's. */
export function withChecks(folders: readonly Folder[], before: readonly StoredFolder[]): StoredFolder[] {
  const checks = new Map(before.flatMap(({ devices }) => devices.map(({ id, is_checked }) => [id, is_checked])));
  return folders.map(({ id, name, parentId, is_checked, devices }) => {
    const kept = devices.map(device => ({ id: device.id, is_checked: checks.get(device.id) ?? device.is_checked }));
    const own = before.find(folder => folder.id === id)?.is_checked ?? is_checked;
    return { id, name, parentId, is_checked: checkOf(kept, own), devices: kept };
  });
}

/** Checks or unchecks vehicles. A folder is checked if all its vehicles are; an empty one keeps its own check. */
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

interface Lists {
  /** Null until first read. */
  readonly folders: readonly StoredFolder[] | null;
  readonly departments: readonly StoredDepartment[] | null;
}

/** Folders or departments in the common form for the tree. */
export function groupsOf(kind: 'folder' | 'department', { folders, departments }: Lists): readonly Group[] | null {
  if (kind === 'folder') return folders?.map(one => ({ ...one, members: one.devices.map(({ id }) => id) })) ?? null;
  return departments?.map(one => ({ ...one, members: one.drivers.map(({ id }) => id) })) ?? null;
}
