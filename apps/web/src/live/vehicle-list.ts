import { listVehicles } from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../base/api.ts';

/** The list of vehicles, loaded once for live positions and for pages that list them. */
export const vehicleListQuery = queryOptions({
  queryKey: ['vehicles'],
  queryFn: () => call(listVehicles),
});
