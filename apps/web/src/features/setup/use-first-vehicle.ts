import { useQuery } from '@tanstack/react-query';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { useVehicle } from '../../live/view.ts';

/** The installation's first vehicle, live; undefined if there is none yet. */
export function useFirstVehicle() {
  const { data } = useQuery(vehicleListQuery);
  return useVehicle(data?.[0]?.imei ?? null);
}
