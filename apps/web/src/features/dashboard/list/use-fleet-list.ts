import { useMemo, useSyncExternalStore } from 'react';
import { useAlertsByVehicle } from '../../../alerts/use-alerts.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { positions, serverClock } from '../../../live/live.ts';
import { type GroupNode, groupTree } from '../../../organisation/groups.ts';
import { useOrganisation } from '../../../organisation/organisation.ts';
import type { SearchContext } from '../../../search-tokens/matches.ts';
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
  const paths = usePaths();
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

/** In which folder a vehicle is, and in which department its driver. */
function usePaths(): Pick<SearchContext, 'folderPathOf' | 'departmentPathOf'> {
  const folders = useOrganisation(state => state.folders);
  const departments = useOrganisation(state => state.departments);
  return useMemo(() => {
    const folderPaths = pathsOf(folders ?? []);
    const departmentPaths = pathsOf(departments ?? []);
    const departmentOf = new Map(departments?.flatMap(({ id, drivers }) => drivers.map(driver => [driver.id, id])));
    return {
      folderPathOf: ({ folderId }) => folderPaths.get(folderId ?? '') ?? [],
      departmentPathOf: driverId => departmentPaths.get(departmentOf.get(driverId) ?? '') ?? [],
    };
  }, [folders, departments]);
}

/** Names from the top down, of each group. */
function pathsOf(groups: readonly { readonly id: string; readonly name: string; readonly parentId: string | null }[]) {
  const paths = new Map<string, readonly string[]>();
  const walk = (nodes: readonly GroupNode[], above: readonly string[]): void => {
    for (const { id, name, children } of nodes) {
      const path = [...above, name];
      paths.set(id, path);
      walk(children, path);
    }
  };
  walk(groupTree(groups.map(group => ({ ...group, members: [] }))), []);
  return paths;
}
