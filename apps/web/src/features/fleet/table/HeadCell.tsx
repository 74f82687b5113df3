import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type PointerEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { usePast } from '../../../live/past.ts';
import type { ChosenColumn, ColumnId } from '../columns/column-ids.ts';
import { FIRST_COLUMN } from '../columns/column-ids.ts';
import { COLUMNS } from '../columns/columns.ts';
import type { Order } from '../state/fleet-url.ts';
import styles from './FleetTable.module.css';

interface Props {
  readonly column: ChosenColumn;
  readonly order: Order;
  readonly onOrder: (order: Order) => void;
  /** Called while the edge is dragged, and with `done` when it is released. */
  readonly onWidth: (width: number, done: boolean) => void;
  /** Another column was dropped on this one. */
  readonly onDrop: (dragged: ColumnId) => void;
}

const DRAG_TYPE = 'text/x-fleet-column';

/**
 * A column's header: click it to sort, drag its edge to resize, drag it to move. The chooser does the same with
 * buttons.
 */
export function HeadCell({ column, order, onOrder, onWidth, onDrop }: Props) {
  const { t } = useTranslation(['fleet', 'vehicle']);
  const system = useMeasureSystem();
  const isPast = usePast() !== undefined;
  const [over, setOver] = useState(false);
  const { id } = column;
  const { align, head } = COLUMNS[id];
  const sorted = order.column === id;
  const Arrow = sorted && order.descending ? IconArrowDown : IconArrowUp;
  const isFirst = id === FIRST_COLUMN;

  return (
    <th
      scope="col"
      data-align={align}
      data-over={over || undefined}
      aria-sort={sorted ? (order.descending ? 'descending' : 'ascending') : undefined}
      draggable={!isFirst}
      onDragStart={event => {
        event.dataTransfer.setData(DRAG_TYPE, id);
        event.dataTransfer.effectAllowed = 'move';
      }}
      onDragOver={event => {
        if (isFirst || !event.dataTransfer.types.includes(DRAG_TYPE)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        setOver(false);
        const dragged = event.dataTransfer.getData(DRAG_TYPE) as ColumnId;
        if (dragged && dragged !== id) onDrop(dragged);
      }}
    >
      <button type="button" onClick={() => onOrder({ column: id, descending: sorted && !order.descending })}>
        <span>{isPast && id === 'age' ? t('columns.fix') : head(t, system)}</span>
        {sorted && <Arrow size={13} stroke={1.75} aria-hidden />}
      </button>
      <span
        className={styles.edge}
        aria-hidden="true"
        onPointerDown={event => resize(event, onWidth)}
        // Dragging the edge must not drag the column.
        draggable
        onDragStart={event => {
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </th>
  );
}

function resize(event: PointerEvent<HTMLElement>, onWidth: Props['onWidth']): void {
  const edge = event.currentTarget;
  const cell = edge.parentElement;
  if (!cell || event.button !== 0) return;
  event.preventDefault();
  const from = cell.getBoundingClientRect().width;
  const startX = event.clientX;
  const sign = getComputedStyle(cell).direction === 'rtl' ? -1 : 1;
  const widthAt = (x: number): number => from + sign * (x - startX);
  edge.setPointerCapture(event.pointerId);
  edge.onpointermove = move => onWidth(widthAt(move.clientX), false);
  edge.onpointerup = up => {
    edge.onpointermove = null;
    edge.onpointerup = null;
    if (up.clientX !== startX) onWidth(widthAt(up.clientX), true);
  };
}
