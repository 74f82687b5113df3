import type { Option } from '../ui/SelectField.tsx';
import { allNodes, type GroupNode, pathOf } from './groups.ts';
import { type GroupKind, useOrganisation } from './organisation.ts';
/** The groups of a tree to choose from: null until they were read, with why they could not be. */
export function useGroupList(kind: GroupKind, nodes: readonly GroupNode[]) {
  const isRead = useOrganisation(state => (kind === 'folder' ? state.folders : state.departments) !== null);
  const readError = useOrganisation(state => (kind === 'folder' ? state.folderError : state.departmentError));
  return { list: isRead ? groupOptions(nodes) : null, readError };
}

/** Every group by its whole path, for a list to choose from: `North › Reefers`. */
export const groupOptions = (nodes: readonly GroupNode[]): Option[] =>
  [...allNodes(nodes)].map(({ id }) => ({ value: id, label: pathOf(nodes, id).join(' › ') }));
