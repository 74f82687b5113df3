import type { Folder } from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  checked,
  readDepartments,
  readFolders,
  storeDepartments,
  storeFolders,
  withChecks,
  withoutNames,
} from './stored-groups.ts';

const stored = new Map<string, string>();
beforeAll(() => {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  });
});
afterAll(() => void vi.unstubAllGlobals());
beforeEach(() => stored.clear());

const folder = (id: string, ...devices: string[]): Folder => ({
  id,
  name: `Folder ${id}`,
  parentId: null,
  is_checked: true,
  devices: devices.map(one => ({ id: one, imei: `imei-${one}`, deviceName: `Truck ${one}`, is_checked: true })),
});

describe('[R3.09] what is kept of folders and departments', () => {
  it('stands under the specified keys and is read back', () => {
    const folders = withChecks([folder('1', 'a')], []);
    storeFolders(folders);
    const departments = withoutNames([
      { id: '7', name: 'North', parentId: null, drivers: [{ id: '9', name: 'Dana Whitlock' }] },
    ]);
    storeDepartments(departments);
    expect([...stored.keys()]).toEqual(['folders', 'departments']);
    expect(readFolders()).toEqual(folders);
    expect(readDepartments()).toEqual(departments);
  });

  it('is the least: no vehicle’s name or IMEI, no driver’s name', () => {
    storeFolders(withChecks([folder('1', 'a')], []));
    storeDepartments(
      withoutNames([{ id: '7', name: 'North', parentId: null, drivers: [{ id: '9', name: 'Dana Whitlock' }] }]),
    );
    expect([...stored.values()].join()).not.toMatch(/Truck|imei|Dana/);
  });

  it.each(['', 'nonsense', '{}', '[{"id":1}]', 'null'])('written by someone else, %j is nothing', text => {
    stored.set('folders', text);
    stored.set('departments', text);
    expect([readFolders(), readDepartments()]).toEqual([null, null]);
  });
});

describe('[R3.04] checks', () => {
  it('set here outlive a refresh; a vehicle that is new has the server’s', () => {
    const before = checked(withChecks([folder('1', 'a', 'b')], []), new Set(['a']), false);
    const after = withChecks([folder('1', 'b', 'c'), folder('2', 'a')], before);
    expect(after.flatMap(({ devices }) => devices)).toEqual([
      { id: 'b', is_checked: true },
      { id: 'c', is_checked: true },
      { id: 'a', is_checked: false },
    ]);
    expect(after.map(({ is_checked }) => is_checked)).toEqual([true, false]);
  });

  it('of a folder hold only where all in it are checked; an empty folder keeps its own', () => {
    const folders = withChecks([folder('1', 'a', 'b'), folder('2')], []);
    const one = checked(folders, new Set(['a']), false);
    expect(one.map(({ is_checked }) => is_checked)).toEqual([false, true]);
    expect(checked(one, new Set(['a']), true)).toEqual(folders);
  });
});
