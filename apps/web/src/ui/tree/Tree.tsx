import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type DragEvent, type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react';
import styles from './Tree.module.css';
import { TreeItem } from './TreeItem.tsx';
import { type Check, type TreeNode, type TreeRow, treeStep, visibleRows } from './tree-rows.ts';
import { useDropTarget } from './use-drop-target.ts';
import { useTyping } from './use-typing.ts';

export interface TreeProps<N extends TreeNode<N>> {
  readonly label: string;
  readonly roots: readonly N[];
  readonly expanded: ReadonlySet<string>;
  readonly onExpand: (ids: readonly string[], open: boolean) => void;
  /** A node's name: typed letters find it. */
  readonly nameOf: (node: N) => string;
  /** What is read out for a row, where that is more than its name. */
  readonly spokenOf?: (node: N) => string;
  readonly current: string | null;
  /** Enter, or a press. */
  readonly onChoose: (node: N) => void;
  /** With checks the space bar, or a press on the box, checks. */
  readonly checks?: { readonly of: (node: N) => Check; readonly set: (node: N, on: boolean) => void };
  readonly drag?: TreeDrag<N>;
  /** Keys of the page's own on a row: rename, delete. True when it was taken. */
  readonly onKey?: (node: N, event: KeyboardEvent) => boolean;
  readonly rowPx?: (node: N) => number;
  /** What stands in a row, after the chevron and the box. */
  readonly children: (node: N, row: TreeRow<N>) => ReactNode;
}

export interface TreeDrag<N> {
  /** A drag of this node begins; false where it stays. */
  readonly start: (node: N, event: DragEvent) => boolean;
  readonly accepts: (node: N) => boolean;
  /** What is dragged is over this node, or over none. */
  readonly over: (node: N | null) => void;
  readonly drop: (node: N) => void;
}

const ROW_PX = 34;

/**
 * A tree of any size, after WAI-ARIA: one tab stop, arrows between rows, right opens and left closes, letters search.
 * Only the rows in view are drawn. It knows nothing of what it shows.
 */
export function Tree<N extends TreeNode<N>>(props: TreeProps<N>) {
  const { label, roots, expanded, onExpand, nameOf, current, onChoose, checks, drag, rowPx } = props;
  const rows = useMemo(() => visibleRows(roots, expanded), [roots, expanded]);
  const scroller = useRef<HTMLDivElement>(null);
  const typed = useTyping();
  const target = useDropTarget(drag, onExpand);
  const [focused, setFocused] = useState<string | null>(null);

  // The tab stop: where the focus was last, else the chosen row, else the first. It is drawn wherever it is.
  const indexOf = (id: string | null): number => rows.findIndex(row => row.node.id === id);
  const stop = [indexOf(focused), indexOf(current), 0].find(index => index >= 0) ?? 0;

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => {
      const row = rows[index];
      return row && rowPx ? rowPx(row.node) : ROW_PX;
    },
    getItemKey: index => rows[index]?.node.id ?? index,
    rangeExtractor: range =>
      [...new Set([...defaultRangeExtractor(range), Math.min(stop, range.count - 1)])].sort((a, b) => a - b),
    overscan: 8,
  });

  function focusRow(index: number): void {
    const row = rows[index];
    if (!row) return;
    setFocused(row.node.id);
    virtual.scrollToIndex(index);
    const find = () => scroller.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(row.node.id)}"]`);
    const drawn = find();
    if (drawn) drawn.focus();
    // Far away: it is drawn once the list has been scrolled to it.
    else requestAnimationFrame(() => find()?.focus());
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>, at: number): void {
    const row = rows[at];
    // Buttons in the row have keys of their own.
    if (!row || event.target !== event.currentTarget) return;
    if (!act(event, row, at)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Does what a key means; false when it means nothing here. */
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
      const names = rows.map(other => nameOf(other.node));
      const found = typed(event.key, names, at);
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
        style={{ height: virtual.getTotalSize() }}
        onDragLeave={target.leave}
      >
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index];
          if (!row) return null;
          const { node } = row;
          return (
            <TreeItem
              key={node.id}
              row={row}
              label={props.spokenOf?.(node) ?? nameOf(node)}
              current={node.id === current}
              check={checks?.of(node) ?? null}
              tabStop={index === stop}
              top={start}
              height={size}
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
