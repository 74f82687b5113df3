import { type KeyboardEvent, type ReactNode, type Ref, useImperativeHandle, useMemo, useRef, useState } from 'react';
import styles from './Tree.module.css';
import { TreeItem } from './TreeItem.tsx';
import { type Check, type TreeNode, type TreeRow, treeStep, visibleRows } from './tree-rows.ts';
import { type TreeDrag, useDropTarget } from './use-drop-target.ts';
import { useRowWindow } from './use-row-window.ts';
import { useTyping } from './use-typing.ts';

export interface TreeProps<N extends TreeNode<N>> {
  readonly label: string;
  readonly roots: readonly N[];
  readonly expanded: ReadonlySet<string>;
  readonly onExpand: (ids: readonly string[], open: boolean) => void;
  /** A node's name. Typing letters jumps to it. */
  readonly nameOf: (node: N) => string;
  /** The row's text for screen readers; null to use the row's visible text. */
  readonly spokenOf?: (node: N) => string | null;
  readonly current: string | null;
  /** Called on Enter or a click. */
  readonly onChoose: (node: N) => void;
  /** Adds checkboxes. The space bar or a click on the box toggles them. */
  readonly checks?: { readonly of: (node: N) => Check; readonly set: (node: N, on: boolean) => void };
  readonly drag?: TreeDrag<N>;
  /** Keyboard shortcuts that the page adds to a row, such as rename and delete. Returns true if it handled the key. */
  readonly onKey?: (node: N, event: KeyboardEvent) => boolean;
  /** Row height. Pass the same function as long as the heights stay the same. */
  readonly rowPx?: (node: N) => number;
  /** Number of indentation steps for a row; its level by default. */
  readonly indent?: (row: TreeRow<N>) => number;
  /** `list` draws rows from edge to edge with lines between them, and rows with children on a different background. */
  readonly look?: 'plain' | 'list';
  /** Whether typing letters jumps to a name. Turn it off if the page has single-letter shortcuts. */
  readonly typing?: boolean;
  readonly ref?: Ref<TreeHandle<N>>;
  /** Content of a row, after the chevron and the checkbox. */
  readonly children: (node: N, row: TreeRow<N>) => ReactNode;
}

export interface TreeHandle<N> {
  /**
   * Moves the focus to the next or previous row that `isWanted` accepts, starting at the focused row or else the
   * current one.
   */
  move(by: 1 | -1, isWanted: (node: N) => boolean): void;
  /** ID of the focused row. */
  focused(): string | null;
}

const ROW_PX = 34;

/**
 * A tree of any size that follows WAI-ARIA: one tab stop; up and down move between rows, right expands, left collapses,
 * letters search. Only the rows in view are rendered.
 */
export function Tree<N extends TreeNode<N>>(props: TreeProps<N>) {
  const { label, roots, expanded, onExpand, nameOf, current, onChoose, checks, drag, rowPx, typing = true } = props;
  const { indent = ({ level }) => level - 1, spokenOf = nameOf } = props;
  const rows = useMemo(() => visibleRows(roots, expanded), [roots, expanded]);
  const scroller = useRef<HTMLDivElement>(null);
  const typed = useTyping();
  const target = useDropTarget(drag, onExpand);
  const [focused, setFocused] = useState<string | null>(null);

  // The tab stop is the row that had the focus last, else the current row, else the first. It is rendered even when out
  // of view.
  const indexOf = (id: string | null): number => rows.findIndex(row => row.node.id === id);
  const stop = [indexOf(focused), indexOf(current), 0].find(index => index >= 0) ?? 0;

  const heights = useMemo(() => rows.map(({ node }) => rowPx?.(node) ?? ROW_PX), [rows, rowPx]);
  const { first, last, tops, scrollTo } = useRowWindow(scroller, heights);
  const drawn = [...new Set([...rangeOf(first, last), ...(rows.length > 0 ? [stop] : [])])].sort((a, b) => a - b);

  function focusRow(index: number): void {
    const row = rows[index];
    if (!row) return;
    setFocused(row.node.id);
    scrollTo(index);
    const find = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.node.id)}"]`);
    const there = find();
    if (there) there.focus();
    // The row is out of view and is rendered only once the list has scrolled to it.
    else requestAnimationFrame(() => find()?.focus());
  }

  const focusedRow = (): string | null => {
    const active = document.activeElement;
    return active instanceof HTMLElement && scroller.current?.contains(active) ? (active.dataset.row ?? null) : null;
  };
  useImperativeHandle(props.ref, () => ({
    focused: focusedRow,
    move(by, isWanted) {
      const from = indexOf(focusedRow() ?? current);
      const ahead = by > 0 ? rows.slice(from + 1) : rows.slice(0, from === -1 ? undefined : from).reverse();
      const next = ahead.find(({ node }) => isWanted(node));
      focusRow(next ? rows.indexOf(next) : from);
    },
  }));

  function onKeyDown(event: KeyboardEvent<HTMLElement>, at: number): void {
    const row = rows[at];
    // Buttons inside the row handle their own keys.
    if (!row || event.target !== event.currentTarget) return;
    if (!act(event, row, at)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Handles a key. Returns false if the key does nothing here. */
  function act(event: KeyboardEvent, row: TreeRow<N>, at: number): boolean {
    const { node, parent } = row;
    if (props.onKey?.(node, event)) return true;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const step = treeStep(rows, at, event.key);
    if (step?.kind === 'focus') focusRow(step.index);
    else if (step?.kind === 'expand') onExpand([node.id], step.open);
    else if (step) {
      const siblings = rows.filter(other => other.parent === parent && other.expandable);
      onExpand(
        siblings.map(sibling => sibling.node.id),
        true,
      );
    } else if (event.key === 'Enter') onChoose(node);
    else if (event.key.length === 1) {
      const found = typing
        ? typed(
            event.key,
            rows.map(other => nameOf(other.node)),
            at,
          )
        : null;
      if (found !== null) focusRow(found);
      else if (event.key !== ' ') return false;
      else if (checks) checks.set(node, checks.of(node) !== 'on');
      else onChoose(node);
    } else return false;
    return true;
  }

  return (
    <div className={styles.scroller} ref={scroller}>
      <div
        role="tree"
        aria-label={label}
        className={styles.tree}
        data-look={props.look}
        style={{ height: tops.at(-1) }}
        onDragLeave={target.leave}
      >
        {drawn.map(index => {
          const row = rows[index];
          if (!row) return null;
          const { node } = row;
          return (
            <TreeItem
              key={node.id}
              row={row}
              label={spokenOf(node)}
              current={node.id === current}
              check={checks?.of(node) ?? null}
              tabStop={index === stop}
              top={tops[index] ?? 0}
              height={heights[index] ?? ROW_PX}
              indent={indent(row)}
              over={target.over === node.id}
              onFocus={() => setFocused(node.id)}
              onKeyDown={event => onKeyDown(event, index)}
              onChoose={() => onChoose(node)}
              onCheck={on => checks?.set(node, on)}
              onExpand={open => onExpand([node.id], open)}
              dragHandlers={target.handlersOf(row)}
            >
              {props.children(node, row)}
            </TreeItem>
          );
        })}
      </div>
    </div>
  );
}

const rangeOf = (first: number, last: number): number[] => Array.from({ length: last - first }, (_, i) => first + i);
