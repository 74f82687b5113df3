import { nameCollator } from '../format/locale.ts';
import type { Check } from '../ui/tree/tree-rows.ts';
import { checkOfAll } from '../ui/tree/tree-rows.ts';

/** A folder of vehicles or a department of drivers, in the form the tree needs. */
export interface Group {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly members: readonly string[];
}

export interface GroupNode {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly children: readonly GroupNode[];
  /** IDs of all members, including those of groups inside. */
  readonly members: readonly string[];
}

/** The server's value for "in no folder" and "in no department" (`folder/assign/none`). */
export const NO_GROUP = 'none';

/** The groups as a tree, sorted by name. Groups whose parent the user can't see are at the top. Cycles are broken. */
export function groupTree(groups: readonly Group[]): GroupNode[] {
  const known = new Set(groups.map(({ id }) => id));
  const inside = Map.groupBy(groups, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null));
  const seen = new Set<string>();
  const nodesIn = (parent: string | null): GroupNode[] =>
    (inside.get(parent) ?? [])
      .filter(({ id }) => !seen.has(id))
      .toSorted((a, b) => nameCollator().compare(a.name, b.name))
      .map(group => {
        seen.add(group.id);
        const children = nodesIn(group.id);
        const members = [...group.members, ...children.flatMap(child => child.members)];
        return { id: group.id, name: group.name, parentId: group.parentId, children, members };
      });
  return nodesIn(null);
}

/** Every node of the tree, parents before children. */
export function* allNodes(nodes: readonly GroupNode[]): Generator<GroupNode> {
  for (const node of nodes) {
    yield node;
    yield* allNodes(node.children);
  }
}

export function findNode(nodes: readonly GroupNode[], id: string): GroupNode | undefined {
  for (const node of allNodes(nodes)) if (node.id === id) return node;
  return undefined;
}

/** Names from the top level down to a group: `North › Reefers`. */
export function pathOf(nodes: readonly GroupNode[], id: string): string[] {
  for (const node of nodes) {
    if (node.id === id) return [node.name];
    const below = pathOf(node.children, id);
    if (below.length > 0) return [node.name, ...below];
  }
  return [];
}

/** Whether a group may be moved into another: not into itself or a group inside it. */
export const mayContain = (moved: GroupNode, into: string): boolean => findNode([moved], into) === undefined;

/** The checkbox state of a group, from its selected members [R3.04]. */
export const checkOfGroup = ({ members }: GroupNode, chosen: ReadonlySet<string>): Check =>
  checkOfAll(members.map(id => (chosen.has(id) ? 'on' : 'off')));

/** ID of the node above all groups, which contains everything. */
export const ALL_GROUPS = 'all';

/** Whether the node is a real group, which can be renamed, moved and deleted. */
export const isGroup = ({ id }: GroupNode): boolean => id !== ALL_GROUPS && id !== NO_GROUP;

/** The members of the chosen group. Null if everything is shown, also while the group isn't known yet. */
export function membersIn(
  { nodes, loose }: { readonly nodes: readonly GroupNode[] | null; readonly loose: readonly string[] },
  id: string,
): ReadonlySet<string> | null {
  const group = findNode(nodes ?? [], id);
  if (group) return new Set(group.members);
  return nodes !== null && id === NO_GROUP ? new Set(loose) : null;
}

/** Adds members to the selection or removes them. */
export function withMembers(chosen: ReadonlySet<string>, members: readonly string[], on: boolean): ReadonlySet<string> {
  return on ? chosen.union(new Set(members)) : chosen.difference(new Set(members));
}
