import { useMemo, useSyncExternalStore } from 'react';
import { useAlertsByVehicle } from '../../../alerts/use-alerts.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useGeofencesOf } from '../../../geofences/use-geofences-of.ts';
import { useClock, usePositions } from '../../../live/view.ts';
import { useGroupPaths } from '../../../organisation/use-group-paths.ts';
import { parseSearch, type Search } from '../../../search-tokens/search-text.ts';
import { useDashboard } from '../state/dashboard-state.ts';
import { type FleetList, fleetList } from './fleet-list.ts';
import { createSettled } from './settled.ts';

/** How often order and counts follow the positions: nobody can read a list that jumps all the time. */
const EVERY_MS = 1000;

/** The filters and what is typed, as one search. */
export function useSearch(): Search {
  const query = useDashboard(state => state.query);
  const tokens = useDashboard(state => state.tokens);
  const system = useMeasureSystem();
  return useMemo(() => {
    const typed = parseSearch(query, system);
    return { ...typed, tokens: [...tokens, ...typed.tokens] };
  }, [query, system, tokens]);
}

/** The vehicles to show and the status counts, updated while typing. */
export function useFleetList(): FleetList {
  const clock = useClock();
  const positions = usePositions();
  const settled = useMemo(
    () =>
      createSettled(
        listener => positions.subscribe(listener),
        () => positions.version,
        EVERY_MS,
      ),
    [positions],
  );
  const version = useSyncExternalStore(settled.subscribe, settled.value);
  const statuses = useDashboard(state => state.statuses);
  const sort = useDashboard(state => state.sort);
  const paths = useGroupPaths();
  const alerts = useAlertsByVehicle();
  const search = useSearch();
  const geofences = useGeofencesOf(search.tokens);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version stands for the store's contents.
  return useMemo(() => {
    return fleetList(positions, {
      search,
      context: { nowMs: clock.now(), alertsOf: ({ id }) => alerts.get(id)?.count ?? 0, ...paths, ...geofences },
      statuses,
      sort,
    });
  }, [positions, clock, version, search, statuses, sort, paths, alerts, geofences]);
}
