/** A tree's node and its children. */
export interface TreeNode<N> {
  readonly id: string;
  readonly children: readonly N[];
}

/** A visible row with its position in the tree, as WAI-ARIA needs it. */
export interface TreeRow<N> {
  readonly node: N;
  /** 1 for the top level. */
  readonly level: number;
  /** Position among its siblings, from 1, and the number of siblings. */
  readonly position: number;
  readonly siblings: number;
  /** Index of the parent's row; null at the top level. */
  readonly parent: number | null;
  readonly expandable: boolean;
  readonly expanded: boolean;
}

/** The rows whose ancestors are all expanded, from top to bottom. */
export function visibleRows<N extends TreeNode<N>>(roots: readonly N[], expanded: ReadonlySet<string>): TreeRow<N>[] {
  const rows: TreeRow<N>[] = [];
  const add = (nodes: readonly N[], level: number, parent: number | null): void => {
    for (const [index, node] of nodes.entries()) {
      const expandable = node.children.length > 0;
      const isOpen = expandable && expanded.has(node.id);
      const at = rows.length;
      rows.push({
        node,
        level,
        position: index + 1,
        siblings: nodes.length,
        parent,
        expandable,
        expanded: isOpen,
      });
      if (isOpen) add(node.children, level + 1, at);
    }
  };
  add(roots, 1, null);
  return rows;
}

/** What a key does in a tree (WAI-ARIA Authoring Practices, tree view). */
export type TreeStep =
  | { readonly kind: 'focus'; readonly index: number }
  | { readonly kind: 'expand'; readonly index: number; readonly open: boolean }
  | { readonly kind: 'expand-siblings'; readonly index: number };

export function treeStep<N>(rows: readonly TreeRow<N>[], at: number, key: string): TreeStep | null {
  const row = rows[at];
  if (!row) return rows.length > 0 && isMove(key) ? { kind: 'focus', index: 0 } : null;
  const focus = (index: number): TreeStep => ({ kind: 'focus', index: Math.max(0, Math.min(rows.length - 1, index)) });
  switch (key) {
    case 'ArrowDown':
      return focus(at + 1);
    case 'ArrowUp':
      return focus(at - 1);
    case 'Home':
      return focus(0);
    case 'End':
      return focus(rows.length - 1);
    case 'ArrowRight':
      if (!row.expandable) return null;
      return row.expanded ? focus(at + 1) : { kind: 'expand', index: at, open: true };
    case 'ArrowLeft':
      if (row.expanded) return { kind: 'expand', index: at, open: false };
      return row.parent === null ? null : focus(row.parent);
    case '*':
      return { kind: 'expand-siblings', index: at };
    default:
      return null;
  }
}

const isMove = (key: string): boolean => ['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(key);

/**
 * The next row whose name starts with the typed text. Once several letters are typed, the search starts at the current
 * row.
 */
export function typedRow(names: readonly string[], at: number, typed: string): number | null {
  const wanted = typed.toLocaleLowerCase();
  const first = [...wanted].length > 1 ? 0 : 1;
  for (let step = first; step < names.length + first; step++) {
    const index = (at + step + names.length) % names.length;
    if (names[index]?.toLocaleLowerCase().startsWith(wanted)) return index;
  }
  return null;
}

export const CHECKS = ['on', 'off', 'mixed'] as const;
/** Tri-state: all, none or some items are checked [R3.04]. */
export type Check = (typeof CHECKS)[number];

/** The state of a parent's checkbox: that of its children if they agree, otherwise mixed. Off without children. */
export function checkOfAll(checks: Iterable<Check>): Check {
  const seen = new Set(checks);
  if (seen.size === 0) return 'off';
  return seen.size === 1 ? ([...seen][0] ?? 'off') : 'mixed';
}
