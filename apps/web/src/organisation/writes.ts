import {
  assignDepartment,
  assignFolder,
  createDepartment,
  createFolder,
  deleteDepartment,
  deleteFolder,
  updateDepartment,
  updateFolder,
} from '@milepost/contract';
import { call } from '../base/api.ts';
import { changedHere } from '../changes/apply-changes.ts';
import { type GroupKind, useOrganisation } from './organisation.ts';
import { groupsOf } from './stored-groups.ts';

interface NewGroupFields {
  readonly name: string;
  readonly parentId?: string | null | undefined;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Waits for a write, then updates the list [R7.32] and the members that were moved. */
async function thenRead<T>(
  kind: GroupKind,
  write: Promise<T>,
  id: (answer: T) => string,
  members: readonly string[] = [],
): Promise<T> {
  const answer = await write;
  await changedHere([kind, id(answer)], [kind === 'folder' ? 'vehicle' : 'driver', ...members]);
  return answer;
}

const idOf = ({ id }: Named): string => id;

export const createGroup = (kind: GroupKind, body: NewGroupFields) =>
  thenRead<Named>(kind, kind === 'folder' ? call(createFolder, { body }) : call(createDepartment, { body }), idOf);

export const changeGroup = (kind: GroupKind, id: string, body: Partial<NewGroupFields>) =>
  thenRead<Named>(
    kind,
    kind === 'folder' ? call(updateFolder, { params: { id }, body }) : call(updateDepartment, { params: { id }, body }),
    idOf,
  );

export const deleteGroup = (kind: GroupKind, id: string) =>
  thenRead(
    kind,
    kind === 'folder' ? call(deleteFolder, { params: { id } }) : call(deleteDepartment, { params: { id } }),
    () => id,
    groupsOf(kind, useOrganisation.getState())?.find(group => group.id === id)?.members,
  );

/** Assigns members to a group, or to none with `NO_GROUP`. */
export const assignMembers = (kind: GroupKind, id: string, members: readonly string[]) =>
  thenRead(
    kind,
    kind === 'folder'
      ? call(assignFolder, { params: { id }, body: { devices: [...members] } })
      : call(assignDepartment, { params: { id }, body: { drivers: [...members] } }),
    () => id,
    members,
  );
