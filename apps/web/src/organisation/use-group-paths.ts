import { useMemo } from 'react';
import type { SearchContext } from '../search-tokens/matches.ts';
import { type GroupNode, groupTree } from './groups.ts';
import { useOrganisation } from './organisation.ts';

/** A vehicle's folder and its driver's department. */
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
