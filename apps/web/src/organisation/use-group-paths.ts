import { useMemo } from 'react';
import type { SearchContext } from '../search-tokens/matches.ts';
import { type GroupNode, groupTree } from './groups.ts';
import { useOrganisation } from './organisation.ts';

/** Functions that return the folder path of a vehicle and the department path of a driver. */
export function useGroupPaths(): Required<Pick<SearchContext, 'folderPathOf' | 'departmentPathOf'>> {
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

/** The path of each group by ID, as names from the top level down. */
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
