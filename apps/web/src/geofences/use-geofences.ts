import {
  createGeofence,
  createGeofenceGroup,
  deleteGeofence,
  deleteGeofenceGroup,
  deleteGeofences,
  type Geofence,
  type GeofenceBulkChange,
  type GeofenceChange,
  type GeofenceGroup,
  type ImportedGeofence,
  importGeofences,
  listGeofenceGroups,
  listGeofences,
  type NewGeofence,
  type NewGeofenceGroup,
  updateGeofence,
  updateGeofenceGroup,
  updateGeofences,
} from '@milepost/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { queryClient } from '../base/queries.ts';

export const geofencesQuery = queryOptions({ queryKey: ['geofences', 'list'], queryFn: () => call(listGeofences) });
const groupsQuery = queryOptions({ queryKey: ['geofences', 'groups'], queryFn: () => call(listGeofenceGroups) });

export const useGeofences = ({ enabled = true } = {}) => useQuery({ ...geofencesQuery, enabled });
export const useGeofenceGroups = () => useQuery(groupsQuery);

const byName = <T extends { readonly name: string }>(all: readonly T[]): T[] =>
  all.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { sensitivity: 'base' }));

function keep(geofence: Geofence): Geofence {
  queryClient.setQueryData(
    geofencesQuery.queryKey,
    all => all && byName([...all.filter(({ id }) => id !== geofence.id), geofence]),
  );
  return geofence;
}

export const addGeofence = async (body: NewGeofence): Promise<Geofence> => keep(await call(createGeofence, { body }));

export async function addAll(
  geofences: readonly ImportedGeofence[],
  groups: readonly NewGeofenceGroup[],
): Promise<Geofence[]> {
  const made = await call(importGeofences, { body: { geofences: [...geofences], groups: [...groups] } });
  made.forEach(keep);
  if (groups.length > 0) await queryClient.invalidateQueries({ queryKey: groupsQuery.queryKey });
  return made;
}

export const changeGeofence = async (id: string, body: GeofenceChange): Promise<Geofence> =>
  keep(await call(updateGeofence, { params: { id }, body }));

export async function removeGeofence(id: string): Promise<void> {
  await call(deleteGeofence, { params: { id } });
  queryClient.setQueryData(geofencesQuery.queryKey, all => all?.filter(one => one.id !== id));
}

export async function changeGeofences(ids: readonly string[], change: GeofenceBulkChange): Promise<void> {
  const changed = await call(updateGeofences, { body: { ids: [...ids], change } });
  changed.forEach(keep);
}

export async function removeGeofences(ids: readonly string[]): Promise<void> {
  await call(deleteGeofences, { body: { ids: [...ids] } });
  queryClient.setQueryData(geofencesQuery.queryKey, all => all?.filter(({ id }) => !ids.includes(id)));
}

function keepGroup(group: GeofenceGroup): GeofenceGroup {
  queryClient.setQueryData(
    groupsQuery.queryKey,
    all => all && byName([...all.filter(({ id }) => id !== group.id), group]),
  );
  return group;
}

type GroupFields = Pick<GeofenceGroup, 'name' | 'color'> & Partial<Pick<GeofenceGroup, 'detention'>>;

export const addGroup = async (body: GroupFields): Promise<GeofenceGroup> =>
  keepGroup(await call(createGeofenceGroup, { body }));

export const changeGroup = async (id: string, body: GroupFields): Promise<GeofenceGroup> =>
  keepGroup(await call(updateGeofenceGroup, { params: { id }, body }));

/** Its geofences are then in no group. */
export async function removeGroup(id: string): Promise<void> {
  await call(deleteGeofenceGroup, { params: { id } });
  queryClient.setQueryData(groupsQuery.queryKey, all => all?.filter(one => one.id !== id));
  await queryClient.invalidateQueries({ queryKey: geofencesQuery.queryKey });
}
