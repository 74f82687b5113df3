import {
  createSortedRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import { compareValues, type RegistryColumn } from './columns.ts';
import type { Sort } from './registry-url.ts';

const features = tableFeatures({
  rowSelectionFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

interface Options<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly RegistryColumn<Row>[];
  readonly idOf: (row: Row) => string;
  readonly sort: Sort | null;
  readonly onSort: (sort: Sort | null) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
}

/** Sorting and selection of rows. The page has the state; this only computes changes to it. */
export function useRows<Row extends object>({ rows, columns, idOf, sort, onSort, selected, onSelect }: Options<Row>) {
  const definitions = useMemo(
    () =>
      columns.map(({ id, sortBy }) => ({
        id,
        accessorFn: (row: Row) => sortBy?.(row) ?? undefined,
        enableSorting: sortBy !== undefined,
        sortUndefined: 'last' as const,
        sortFn: (
          one: { getValue: (id: string) => unknown },
          other: { getValue: (id: string) => unknown },
          column: string,
        ) => compareValues(one.getValue(column), other.getValue(column)),
      })),
    [columns],
  );
  const sorting = sort ? [{ id: sort.column, desc: sort.descending }] : [];
  const rowSelection = useMemo(
    () => Object.fromEntries([...selected].map((id): [string, true] => [id, true])),
    [selected],
  );
  return useTable({
    features,
    data: rows,
    columns: definitions,
    getRowId: idOf,
    state: { sorting, rowSelection },
    onSortingChange: change => {
      const [first] = typeof change === 'function' ? change(sorting) : change;
      onSort(first ? { column: first.id, descending: first.desc } : null);
    },
    onRowSelectionChange: change => {
      const next = typeof change === 'function' ? change(rowSelection) : change;
      onSelect(new Set(Object.keys(next).filter(id => next[id])));
    },
  });
}
