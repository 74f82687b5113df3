import type { Option } from '../ui/SelectField.tsx';
import { allNodes, type GroupNode, pathOf } from './groups.ts';

/** Every group by its whole path, for a list to choose from: `North › Reefers`. */
export const groupOptions = (nodes: readonly GroupNode[]): Option[] =>
  [...allNodes(nodes)].map(({ id }) => ({ value: id, label: pathOf(nodes, id).join(' › ') }));
