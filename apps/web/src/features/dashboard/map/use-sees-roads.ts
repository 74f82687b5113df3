import { useSession } from '../../../base/session/session.ts';
import { useDashboard } from '../state/dashboard-state.ts';

/** Whether there may be roads of the fleet at all: a driver sees no more of a vehicle's past than their own driving. */
export const useMaySeeRoads = (): boolean => useSession(({ me }) => me !== null && me.role !== 'driver');

export function useSeesRoads(): boolean {
  const may = useMaySeeRoads();
  return useDashboard(state => state.roads) && may;
}
