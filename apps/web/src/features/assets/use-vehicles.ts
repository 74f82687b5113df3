import type { Vehicle } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { vehicleListQuery } from '../../live/vehicle-list.ts';

const NONE: readonly Vehicle[] = [];

/** All vehicles, and each by its id. */
export function useVehicles() {
  const { data, error, refetch } = useQuery(vehicleListQuery);
  const vehicles = data ?? NONE;
  const byId = useMemo(() => new Map(vehicles.map(vehicle => [vehicle.id, vehicle])), [vehicles]);
  const members = useMemo(() => vehicles.map(({ id, folderId }) => ({ id, groupId: folderId })), [vehicles]);
  return { vehicles, byId, members, loaded: data !== undefined, error, refetch };
}
