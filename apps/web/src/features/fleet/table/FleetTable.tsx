import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type RefObject, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePast } from '../../../live/past.ts';
import { LIST_ID } from '../../../registry/focus-list.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import frame from '../../../ui/table.module.css';
import { type ChosenColumn, movedColumn, resizedColumn } from '../columns/column-ids.ts';
import { COLUMNS } from '../columns/columns.ts';
import { PICK_PX } from '../columns/default-columns.ts';
import type { FleetFacts } from '../facts.ts';
import type { FleetRows } from '../rows/fleet-rows.ts';
import type { FleetView } from '../state/fleet-url.ts';
import { FleetRow } from './FleetRow.tsx';
import styles from './FleetTable.module.css';
import { GroupHead } from './GroupHead.tsx';
import { HeadCell } from './HeadCell.tsx';
import { headBefore, tableItems } from './table-items.ts';
import { useFleetKeys } from './use-fleet-keys.ts';

/** Extra width: a time with seconds is wider than an age. */
const CLOCK_PX = 16;

interface Props {
  readonly rows: FleetRows;
  readonly view: FleetView;
  readonly columns: readonly ChosenColumn[];
  readonly facts: FleetFacts;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (imeis: ReadonlySet<string>) => void;
  readonly onView: (change: Partial<FleetView>) => void;
  readonly onCommand: ((imeis: readonly string[]) => void) | null;
  /** The element in which rows keep their order while someone works in it. */
  readonly attention: RefObject<HTMLElement | null>;
}

const ROW_PX = 32;

/**
 * The fleet as a table: grouped, sorted by clicking column names, selected by checkboxes. Only rows in view are
 * rendered.
 */
export function FleetTable({ rows, view, columns, facts, selected, onSelect, onView, onCommand, attention }: Props) {
  const { t } = useTranslation(['fleet', 'registry']);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  // While a column edge is dragged, only the table changes; the address is updated at the end.
  const [dragged, setDragged] = useState<ChosenColumn | null>(null);
  const scroller = useRef<HTMLElement>(null);
  const items = useMemo(() => tableItems(rows, closed), [rows, closed]);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: index => items[index]?.key ?? index,
    overscan: 6,
    // Height of the table's and the group's header rows.
    scrollPaddingStart: 2 * ROW_PX,
    // The header of the group in view stays rendered, so that it can stick to the top.
    rangeExtractor: range => {
      const head = headBefore(items, range.startIndex);
      const drawn = defaultRangeExtractor(range);
      return head < 0 || drawn.includes(head) ? drawn : [head, ...drawn];
    },
  });
  const drawn = virtual.getVirtualItems();
  const { onKeyDown, onClick } = useFleetKeys({
    table: scroller,
    items,
    selected,
    onSelect,
    onCommand,
    scrollTo: index => virtual.scrollToIndex(index),
  });

  const isPast = usePast() !== undefined;
  const widthOf = ({ id, width }: ChosenColumn): number | undefined =>
    dragged?.id === id
      ? dragged.width
      : (width ?? (COLUMNS[id].flexible ? undefined : COLUMNS[id].width + (isPast && id === 'age' ? CLOCK_PX : 0)));
  const minWidth = columns.reduce((sum, column) => sum + (widthOf(column) ?? COLUMNS[column.id].width), PICK_PX);
  const span = columns.length + 1;
  const all = useMemo(() => rows.groups.flatMap(({ imeis }) => imeis), [rows]);
  const allSelected = all.length > 0 && all.every(imei => selected.has(imei));

  return (
    <section
      ref={element => {
        scroller.current = element;
        attention.current = element;
      }}
      id={LIST_ID}
      className={frame.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
      tabIndex={0}
      aria-label={t('table')}
    >
      <table
        className={`${frame.table} ${styles.table}`}
        style={{ minWidth }}
        aria-rowcount={items.length + 1}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <colgroup>
          <col style={{ width: PICK_PX }} />
          {columns.map(column => (
            <col key={column.id} style={{ width: widthOf(column) }} />
          ))}
        </colgroup>
        <thead>
          <tr className={styles.head} aria-rowindex={1}>
            <td>
              <Checkbox
                aria-label={t('registry:selectAll')}
                checked={allSelected}
                mixed={selected.size > 0 && !allSelected}
                onChange={event => onSelect(new Set(event.currentTarget.checked ? all : []))}
              />
            </td>
            {columns.map((column, at) => (
              <HeadCell
                key={column.id}
                column={column}
                order={view.order}
                onOrder={order => onView({ order })}
                onWidth={(width, done) => {
                  const resized = resizedColumn([column], column.id, width);
                  setDragged(done ? null : (resized[0] ?? null));
                  if (done) onView({ columns: resizedColumn(columns, column.id, width) });
                }}
                onDrop={id => onView({ columns: movedColumn(columns, id, at) })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {drawn.map(({ index, start }, at) => {
            const item = items[index];
            const gap = start - (at === 0 ? 0 : (drawn[at - 1]?.end ?? 0));
            if (!item) return null;
            return (
              <Fragment key={item.key}>
                {gap > 0 && <Gap height={gap} span={span} />}
                {item.kind === 'row' ? (
                  <FleetRow
                    imei={item.imei}
                    rowKey={item.key}
                    rowIndex={index + 2}
                    columns={columns}
                    facts={facts}
                    selected={selected.has(item.imei)}
                  />
                ) : (
                  <tr className={styles.group} aria-rowindex={index + 2}>
                    <th colSpan={span} scope="rowgroup">
                      <GroupHead
                        group={item.group}
                        grouping={rows.grouping}
                        closed={closed}
                        onClosed={setClosed}
                        selected={selected}
                        onSelect={onSelect}
                      />
                    </th>
                  </tr>
                )}
              </Fragment>
            );
          })}
          <Gap height={virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0)} span={span} />
        </tbody>
      </table>
    </section>
  );
}

/** Takes the space of rows that aren't rendered. */
function Gap({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null;
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a table row takes no focus, and this one only fills space.
    <tr aria-hidden="true" className={frame.gap}>
      <td colSpan={span} style={{ height }} />
    </tr>
  );
}
