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
import { call } from '../app/api.ts';
import { queryClient } from '../app/queries.ts';
import { liveSource } from '../live/live.ts';
import { vehicleListQuery } from '../live/vehicle-list.ts';
import { type GroupKind, refreshGroups } from './organisation.ts';

/** What the pages keep of drivers. */
export const DRIVERS_KEY = ['drivers'] as const;

interface NewGroupFields {
  readonly name: string;
  readonly parentId?: string | null | undefined;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Every write ends with reading the list anew [R7.32], and what the pages have of its members. */
async function thenReread<T>(kind: GroupKind, write: Promise<T>): Promise<T> {
  const answer = await write;
  await Promise.all([refreshGroups(kind), rereadMembers(kind)]);
  return answer;
}

export async function rereadMembers(kind: GroupKind): Promise<void> {
  if (kind === 'department') return queryClient.invalidateQueries({ queryKey: DRIVERS_KEY });
  liveSource.vehiclesChanged();
  await queryClient.invalidateQueries({ queryKey: vehicleListQuery.queryKey });
}

export const createGroup = (kind: GroupKind, body: NewGroupFields) =>
  thenReread<Named>(kind, kind === 'folder' ? call(createFolder, { body }) : call(createDepartment, { body }));

export const changeGroup = (kind: GroupKind, id: string, body: Partial<NewGroupFields>) =>
  thenReread<Named>(
    kind,
    kind === 'folder' ? call(updateFolder, { params: { id }, body }) : call(updateDepartment, { params: { id }, body }),
  );

export const deleteGroup = (kind: GroupKind, id: string) =>
  thenReread(
    kind,
    kind === 'folder' ? call(deleteFolder, { params: { id } }) : call(deleteDepartment, { params: { id } }),
  );

/** Into a group, or with `NO_GROUP` out of theirs. */
export const assignMembers = (kind: GroupKind, id: string, members: readonly string[]) =>
  thenReread(
    kind,
    kind === 'folder'
      ? call(assignFolder, { params: { id }, body: { devices: [...members] } })
      : call(assignDepartment, { params: { id }, body: { drivers: [...members] } }),
  );
