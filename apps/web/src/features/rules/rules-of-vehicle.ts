import type { Rule } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { useOrganisation } from '../../organisation/organisation.ts';
import { type Folders, isForVehicle } from '../../rules/is-for-vehicle.ts';

const NO_FOLDERS: Folders = [];

/** The vehicle whose name or plate is what was searched for, and the test for its rules; null if there is none. */
export function useSearchedVehicle(query: string) {
  const wanted = query.trim().toLocaleLowerCase();
  const folders = useOrganisation(state => state.folders) ?? NO_FOLDERS;
  const { data: vehicles } = useQuery({ ...vehicleListQuery, enabled: wanted !== '' });
  const vehicle =
    wanted === ''
      ? undefined
      : vehicles?.find(({ deviceName, plate }) =>
          [deviceName, plate].some(name => name?.toLocaleLowerCase() === wanted),
        );
  return vehicle ? { name: vehicle.deviceName, isFor: (rule: Rule) => isForVehicle(rule, vehicle, folders) } : null;
}
