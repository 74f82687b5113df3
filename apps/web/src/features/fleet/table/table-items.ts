import type { FleetGroup, FleetRows } from '../rows/fleet-rows.ts';

/** What stands below each other in the table: heads of groups, and the rows of those that are open. */
export type TableItem =
  | { readonly kind: 'group'; readonly key: string; readonly group: FleetGroup }
  | { readonly kind: 'row'; readonly key: string; readonly imei: string };

/** With one group that has no name, nothing is grouped: it gets no head. */
export function tableItems({ groups }: FleetRows, closed: ReadonlySet<string>): TableItem[] {
  const isFlat = groups.length === 1 && groups[0]?.name === null;
  return groups.flatMap(group => {
    const rows = group.imeis.map((imei): TableItem => ({ kind: 'row', key: `${group.key}|${imei}`, imei }));
    if (isFlat) return rows;
    const head: TableItem = { kind: 'group', key: `${group.key}|`, group };
    return closed.has(group.key) ? [head] : [head, ...rows];
  });
}

/** Index of an item's heading; -1: none. */
export function headBefore(items: readonly TableItem[], index: number): number {
  for (let at = Math.min(index, items.length - 1); at >= 0; at--) if (items[at]?.kind === 'group') return at;
  return -1;
}
