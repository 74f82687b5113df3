import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react';
import styles from './Tree.module.css';
import { TreeCheck } from './TreeCheck.tsx';
import type { Check, TreeRow } from './tree-rows.ts';

export type DragHandlers = Pick<ComponentProps<'div'>, 'draggable' | 'onDragStart' | 'onDragOver' | 'onDrop'>;

interface Props {
  readonly row: TreeRow<unknown> & { readonly node: { readonly id: string } };
  /** The row's text for screen readers; null if the visible text is enough. */
  readonly label: string | null;
  readonly current: boolean;
  readonly check: Check | null;
  readonly tabStop: boolean;
  readonly top: number;
  readonly height: number;
  readonly indent: number;
  /** Dropping the dragged item now would put it on this row. */
  readonly over: boolean;
  readonly onFocus: () => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  readonly onChoose: () => void;
  readonly onCheck: (on: boolean) => void;
  readonly onExpand: (open: boolean) => void;
  readonly dragHandlers: DragHandlers;
  readonly children: ReactNode;
}

export function TreeItem(props: Props) {
  const { row, label, current, check, tabStop, top, height, children } = props;
  const { level, position, siblings, expandable, expanded } = row;
  const Chevron = expanded ? IconChevronDown : IconChevronRight;
  return (
    <div
      {...props.dragHandlers}
      role="treeitem"
      data-row={row.node.id}
      aria-label={label ?? undefined}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={expandable ? expanded : undefined}
      aria-current={current ? 'true' : undefined}
      aria-selected={check === null ? current : undefined}
      aria-checked={check === null ? undefined : check === 'mixed' ? 'mixed' : check === 'on'}
      tabIndex={tabStop ? 0 : -1}
      className={styles.row}
      data-over={props.over || undefined}
      style={{ height, transform: `translateY(${top}px)`, '--level': props.indent } as React.CSSProperties}
      onFocus={event => event.target === event.currentTarget && props.onFocus()}
      onKeyDown={props.onKeyDown}
      onClick={props.onChoose}
    >
      {expandable ? (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do it on the row.
        // biome-ignore lint/a11y/noStaticElementInteractions: a part of the row, which has role and state.
        <span
          className={styles.chevron}
          onClick={event => {
            event.stopPropagation();
            props.onExpand(!expanded);
          }}
        >
          <Chevron size={15} stroke={1.75} aria-hidden />
        </span>
      ) : (
        <span className={styles.chevron} />
      )}
      {check !== null && <TreeCheck check={check} onToggle={() => props.onCheck(check !== 'on')} />}
      <span className={styles.content}>{children}</span>
    </div>
  );
}
