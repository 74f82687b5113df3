import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { EXPANDED_PREFIX, useExpandState } from './expanded.ts';
import { type GroupNode, groupTree, NO_GROUP } from './groups.ts';
import { type GroupKind, useOrganisation } from './organisation.ts';
import { groupsOf } from './stored-groups.ts';

/** A vehicle or driver, and its group if it is in one. */
export interface Member {
  readonly id: string;
  readonly groupId: string | null;
}

export interface Groups {
  /** Null until loaded. */
  readonly nodes: readonly GroupNode[] | null;
  /** IDs of members that are in none of these groups. */
  readonly loose: readonly string[];
  readonly error: unknown;
}

/** Folders or departments as a tree with members. Members come from the page's own list, so tree and table agree. */
export function useGroups(kind: GroupKind, members: readonly Member[]): Groups {
  const { folders, departments } = useOrganisation(
    useShallow(state => ({ folders: state.folders, departments: state.departments })),
  );
  const error = useOrganisation(state => (kind === 'folder' ? state.folderError : state.departmentError));
  return useMemo(() => {
    const groups = groupsOf(kind, { folders, departments });
    const known = new Set(groups?.map(({ id }) => id));
    const byGroup = Map.groupBy(members, ({ groupId }) =>
      groupId !== null && known.has(groupId) ? groupId : NO_GROUP,
    );
    const idsIn = (id: string): string[] => (byGroup.get(id) ?? []).map(member => member.id);
    const nodes = groups && groupTree(groups.map(group => ({ ...group, members: idsIn(group.id) })));
    return { nodes, loose: idsIn(NO_GROUP), error };
  }, [kind, folders, departments, members, error]);
}

/** IDs of the expanded groups. The root is expanded until the user collapses it. */
export function useExpanded(kind: GroupKind, all: string): ReadonlySet<string> {
  const open = useExpandState(state => state.open);
  return useMemo(() => {
    const prefix = EXPANDED_PREFIX[kind];
    const ids = Object.keys(open).filter(key => open[key] && key.startsWith(prefix));
    const expanded = new Set(ids.map(key => key.slice(prefix.length)));
    if (open[prefix + all] === undefined) expanded.add(all);
    return expanded;
  }, [open, kind, all]);
}
