import { listVehicles } from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../app/api.ts';

/** The list of vehicles: read once for the live positions and for the pages that list them. */
export const vehicleListQuery = queryOptions({
  queryKey: ['vehicles'],
  queryFn: () => call(listVehicles),
});
