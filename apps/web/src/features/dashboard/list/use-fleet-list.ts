import { useMemo, useSyncExternalStore } from 'react';
import { useAlertsByVehicle } from '../../../alerts/use-alerts.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { positions, serverClock } from '../../../live/live.ts';
import { useGroupPaths } from '../../../organisation/use-group-paths.ts';
import { parseSearch } from '../../../search-tokens/search-text.ts';
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
  const tokens = useDashboard(state => state.tokens);
  const statuses = useDashboard(state => state.statuses);
  const sort = useDashboard(state => state.sort);
  const system = useMeasureSystem();
  const paths = useGroupPaths();
  const alerts = useAlertsByVehicle();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the store's content.
  return useMemo(() => {
    const typed = parseSearch(query, system);
    return fleetList(positions, {
      search: { ...typed, tokens: [...tokens, ...typed.tokens] },
      context: { nowMs: serverClock.now(), alertsOf: ({ id }) => alerts.get(id)?.count ?? 0, ...paths },
      statuses,
      sort,
    });
  }, [version, query, tokens, statuses, sort, system, paths, alerts]);
}
