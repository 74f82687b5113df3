import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useMedia } from '../base/use-media.ts';
import { Checkbox } from '../ui/Checkbox.tsx';
import hidden from '../ui/hidden.module.css';
import { opensRow } from '../ui/opens-row.ts';
import frame from '../ui/table.module.css';
import type { RegistryColumn } from './columns.ts';
import { LIST_ID, useFocusAfter } from './focus-list.ts';
import styles from './RegistryTable.module.css';
import type { Sort } from './registry-url.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useRows } from './use-rows.ts';

interface Props<Row> {
  /** Describes the list for screen readers and in the keyboard help. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** The first column names the row; its cell is the button that opens it. Keep the array stable. */
  readonly columns: readonly RegistryColumn<Row>[];
  readonly idOf: (row: Row) => string;
  /** The row's name for use in sentences: "Select Omar Haddad". */
  readonly nameOf: (row: Row) => string;
  readonly sort: Sort | null;
  readonly onSort: (sort: Sort | null) => void;
  /** ID of the open row. */
  readonly open: string | null;
  readonly onOpen: (id: string) => void;
  /** Rows can be selected only if both are set. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (selected: ReadonlySet<string>) => void;
  /** A menu at the end of each row. */
  readonly menu?: (row: Row) => ReactNode;
  /** Further lines of a row on a phone, where rows are cards. */
  readonly card?: (row: Row) => ReactNode;
  /** Called when the user starts dragging a row. Always offer a button that does the same. */
  readonly onDragRow?: (id: string, data: DataTransfer) => void;
}

const ROW_PX = 46;
const CARD_PX = 92;
const NOTHING: ReadonlySet<string> = new Set();

/**
 * A table of registry rows: sort by column headers, select with checkboxes, open by name. Renders only rows in view.
 */
export function RegistryTable<Row extends object>(props: Props<Row>) {
  const { label, columns, nameOf, open, onOpen, selected = NOTHING, onSelect, menu, card, onDragRow } = props;
  const { t } = useTranslation('registry');
  const scroller = useRef<HTMLDivElement>(null);
  useFocusAfter(scroller);
  const isPhone = useMedia('(max-width: 37.49em)');
  const widths = {
    1024: useMedia('(min-width: 64em)'),
    1440: useMedia('(min-width: 90em)'),
    1920: useMedia('(min-width: 120em)'),
  };
  const shown = isPhone && card ? columns.slice(0, 1) : columns.filter(({ from }) => !from || widths[from]);
  const table = useRows({ ...props, selected, onSelect: onSelect ?? (() => {}) });
  const rows = table.getRowModel().rows;
  const virtual = useVirtualizer({
    count: rows.length,
    // On a phone, the page scrolls instead of the list.
    getScrollElement: () => (isPhone ? document.getElementById('main') : scroller.current),
    estimateSize: () => (isPhone ? CARD_PX : ROW_PX),
    getItemKey: index => rows[index]?.id ?? index,
    overscan: 8,
  });
  const drawn = virtual.getVirtualItems();
  const before = drawn[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (drawn.at(-1)?.end ?? 0);
  const width = shown.length + (onSelect ? 1 : 0) + (menu ? 1 : 0);

  const ids = rows.map(row => row.id);
  const { pick, onKeyDown } = useRowKeys({
    label,
    scroller,
    ids,
    open,
    selected,
    onSelect,
    scrollTo: index => virtual.scrollToIndex(index),
  });

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section ref={scroller} id={LIST_ID} className={frame.scroller} tabIndex={0} aria-label={label}>
      <table
        className={`${frame.table} ${styles.table}`}
        data-cards={(isPhone && card !== undefined) || undefined}
        aria-rowcount={rows.length + 1}
        onKeyDown={onKeyDown}
      >
        <thead>
          <tr>
            {onSelect && (
              <th className={styles.narrow} scope="col">
                <Checkbox
                  aria-label={t('selectAll')}
                  checked={ids.length > 0 && ids.every(id => selected.has(id))}
                  mixed={selected.size > 0 && !ids.every(id => selected.has(id))}
                  onChange={event => onSelect(new Set(event.currentTarget.checked ? ids : []))}
                />
              </th>
            )}
            {shown.map(({ id, header, align, sortBy }) => {
              const sorted = table.getColumn(id)?.getIsSorted() || false;
              const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp;
              return (
                <th
                  key={id}
                  scope="col"
                  data-align={align}
                  aria-sort={sorted ? (sorted === 'desc' ? 'descending' : 'ascending') : undefined}
                >
                  {sortBy ? (
                    <button type="button" onClick={() => table.getColumn(id)?.toggleSorting(sorted === 'asc')}>
                      {header}
                      {sorted && <Arrow size={13} stroke={1.75} aria-hidden />}
                    </button>
                  ) : (
                    header
                  )}
                </th>
              );
            })}
            {menu && (
              <th className={styles.narrow} scope="col">
                <span className={hidden.hidden}>{t('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <Gap height={before} width={width} />
        <tbody>
          {drawn.map(({ index }) => {
            const row = rows[index];
            if (!row) return null;
            const { id, original } = row;
            return (
              <tr
                key={id}
                ref={virtual.measureElement}
                data-id={id}
                data-index={index}
                data-selected={selected.has(id) || undefined}
                aria-rowindex={index + 2}
                aria-current={id === open || undefined}
                draggable={onDragRow !== undefined}
                onDragStart={event => onDragRow?.(id, event.dataTransfer)}
                onClick={event => opensRow(event) && onOpen(id)}
              >
                {onSelect && (
                  <td className={styles.narrow}>
                    <Checkbox
                      data-pick
                      aria-label={t('select', { name: nameOf(original) })}
                      checked={selected.has(id)}
                      onClick={event => pick(id, event.currentTarget.checked, event.shiftKey)}
                      onChange={() => {}}
                    />
                  </td>
                )}
                {shown.map((column, at) => (
                  <td key={column.id} data-align={column.align}>
                    {at === 0 ? (
                      <button type="button" className={styles.open} data-open onClick={() => onOpen(id)}>
                        {column.cell(original)}
                      </button>
                    ) : (
                      column.cell(original)
                    )}
                    {isPhone && at === 0 && card && <div className={styles.card}>{card(original)}</div>}
                  </td>
                ))}
                {menu && <td className={styles.narrow}>{menu(original)}</td>}
              </tr>
            );
          })}
        </tbody>
        <Gap height={after} width={width} />
      </table>
    </section>
  );
}

/** Takes up the space of rows that aren't rendered. */
function Gap({ height, width }: { readonly height: number; readonly width: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true" className={frame.gap}>
      <tr>
        <td colSpan={width} style={{ height }} />
      </tr>
    </tbody>
  );
}
