import type { Option } from '../ui/SelectField.tsx';
import { allNodes, type GroupNode, pathOf } from './groups.ts';
import { type GroupKind, useOrganisation } from './organisation.ts';
/** A tree's groups as options, null until they have loaded, and the error if they couldn't be loaded. */
export function useGroupList(kind: GroupKind, nodes: readonly GroupNode[]) {
  const isRead = useOrganisation(state => (kind === 'folder' ? state.folders : state.departments) !== null);
  const readError = useOrganisation(state => (kind === 'folder' ? state.folderError : state.departmentError));
  return { list: isRead ? groupOptions(nodes) : null, readError };
}

/** All groups as options, named by their path: `North › Reefers`. */
export const groupOptions = (nodes: readonly GroupNode[]): Option[] =>
  [...allNodes(nodes)].map(({ id }) => ({ value: id, label: pathOf(nodes, id).join(' › ') }));
