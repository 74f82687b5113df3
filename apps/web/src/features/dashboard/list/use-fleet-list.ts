import { useMemo, useSyncExternalStore } from 'react';
import { positions } from '../../../live/live.ts';
import { useDashboard } from '../state/dashboard-state.ts';
import { type FleetList, fleetList } from './fleet-list.ts';
import { createSettled } from './settled.ts';

/** Order and counts follow the positions this often: a list that jumps all the time cannot be read. */
const settled = createSettled(
  listener => positions.subscribe(listener),
  () => positions.version,
  1000,
);

/** The vehicles to show, with the counts of the ribbon; what is typed counts at once. */
export function useFleetList(): FleetList {
  const version = useSyncExternalStore(settled.subscribe, settled.value);
  const query = useDashboard(state => state.query);
  const statuses = useDashboard(state => state.statuses);
  const sort = useDashboard(state => state.sort);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the store's content.
  return useMemo(
    () => fleetList(positions.entries.values(), { query, statuses, sort }),
    [version, query, statuses, sort],
  );
}
