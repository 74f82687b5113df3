import { expect, it } from 'vitest';
import { isForVehicle } from './is-for-vehicle.ts';

const FOLDERS = [
  { id: '1', parentId: null },
  { id: '2', parentId: '1' },
  { id: '3', parentId: null },
  // In each other, as after a merge that went wrong.
  { id: '8', parentId: '9' },
  { id: '9', parentId: '8' },
];

it.each([
  ['for all vehicles', null, true],
  ['for the vehicle', { deviceIds: ['7'], folderIds: [] }, true],
  ['for its folder', { deviceIds: [], folderIds: ['2'] }, true],
  ['for a folder around its own', { deviceIds: [], folderIds: ['1'] }, true],
  ['for others', { deviceIds: ['6'], folderIds: ['3'] }, false],
])('a rule %s', (_, vehicles, isFor) => {
  expect(isForVehicle({ vehicles }, { id: '7', folderId: '2' }, FOLDERS)).toBe(isFor);
});

it('ends where folders are in each other', () => {
  const vehicles = { deviceIds: [], folderIds: ['1'] };
  expect(isForVehicle({ vehicles }, { id: '7', folderId: '8' }, FOLDERS)).toBe(false);
});
