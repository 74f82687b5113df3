import { listVehicles, type Vehicle } from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { answered, queryClient } from '../base/queries.ts';

/** The list of vehicles, loaded once for live positions and for pages that list them. */
export const vehicleListQuery = queryOptions({
  queryKey: ['vehicles'],
  queryFn: () => call(listVehicles),
});

/** At the start of a page, the list has often just been loaded, for the page or for the geofence watcher. */
const KEPT_MS = 10_000;

/** `kept` may be some seconds old; `changed` must not be the answer to a request from before the change. */
export type ListAge = 'kept' | 'newest' | 'changed';

export async function readVehicleList(age: ListAge): Promise<readonly Vehicle[]> {
  if (age === 'changed') await answered(queryClient.getQueryCache().find(vehicleListQuery));
  return queryClient.fetchQuery({ ...vehicleListQuery, staleTime: age === 'kept' ? KEPT_MS : 0 });
}
