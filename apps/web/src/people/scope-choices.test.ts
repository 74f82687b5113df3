import { expect, it } from 'vitest';
import { scopeChoices } from './scope-choices.ts';

const folder = (id: string, parentId: string | null) => ({ id, name: id, parentId, devices: [], isChecked: false });
const ORGANISATION = {
  folders: [
    folder('Illinois', null),
    folder('Chicago', 'Illinois'),
    folder('Loop', 'Chicago'),
    folder('Peoria', 'Illinois'),
    folder('Iowa', null),
  ],
  departments: [],
} as unknown as Parameters<typeof scopeChoices>[0];

const named = (held: Parameters<typeof scopeChoices>[1]) =>
  scopeChoices(ORGANISATION, held).map(({ depth, name }) => `${depth} ${name}`);

it('are all of them for anyone who has no limits', () => {
  expect(named(null).toSorted()).toEqual(['0 Illinois', '0 Iowa', '1 Chicago', '1 Peoria', '2 Loop']);
});

it('are what someone holds with all inside it, and nothing above', () => {
  expect(named({ folderIds: ['Chicago'], departmentIds: [] })).toEqual(['0 Chicago', '1 Loop']);
  expect(named({ folderIds: [], departmentIds: ['Chicago'] })).toEqual([]);
});
