import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { DragHandlers } from './TreeItem.tsx';
import type { TreeNode, TreeRow } from './tree-rows.ts';

export interface TreeDrag<N> {
  /** Starts dragging this node. Returns false if it can't be dragged. */
  readonly start: (node: N, event: DragEvent) => boolean;
  readonly accepts: (node: N) => boolean;
  /** Called with the node under the dragged item, or null. */
  readonly over: (node: N | null) => void;
  readonly drop: (node: N) => void;
}

/** Dragging over a collapsed node for this long expands it. */
const SPRING_MS = 700;

/** Event handlers that let rows accept dragged items, and the row under the dragged item. */
export function useDropTarget<N extends TreeNode<N>>(
  drag: TreeDrag<N> | undefined,
  onExpand: (ids: readonly string[], open: boolean) => void,
): {
  readonly over: string | null;
  readonly leave: (event: DragEvent<HTMLElement>) => void;
  readonly handlersOf: (row: TreeRow<N>) => DragHandlers;
} {
  const [over, setOver] = useState<string | null>(null);
  const spring = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(spring.current), []);

  function aim(row: TreeRow<N> | null): void {
    if ((row?.node.id ?? null) === over) return;
    clearTimeout(spring.current);
    setOver(row?.node.id ?? null);
    drag?.over(row?.node ?? null);
    if (row?.expandable && !row.expanded) spring.current = setTimeout(() => onExpand([row.node.id], true), SPRING_MS);
  }

  function handlersOf(row: TreeRow<N>): DragHandlers {
    if (!drag) return {};
    return {
      draggable: true,
      onDragStart: event => {
        if (!drag.start(row.node, event)) event.preventDefault();
      },
      onDragOver: event => {
        const accepted = drag.accepts(row.node);
        aim(accepted ? row : null);
        if (!accepted) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'move';
      },
      onDrop: event => {
        event.preventDefault();
        aim(null);
        drag.drop(row.node);
      },
    };
  }

  return {
    over,
    handlersOf,
    leave: event => {
      const to = event.relatedTarget;
      if (!(to instanceof Node && event.currentTarget.contains(to))) aim(null);
    },
  };
}
