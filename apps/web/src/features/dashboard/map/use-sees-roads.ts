import { useSession } from '../../../base/session/session.ts';
import { useDashboard } from '../state/dashboard-state.ts';

/** Whether the fleet's roads can be shown at all: drivers see only their own driving, not a vehicle's whole past. */
export const useMaySeeRoads = (): boolean => useSession(({ me }) => me !== null && me.role !== 'driver');

export function useSeesRoads(): boolean {
  const may = useMaySeeRoads();
  return useDashboard(state => state.roads) && may;
}
