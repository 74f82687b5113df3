import type { FleetGroup, FleetRows } from '../rows/fleet-rows.ts';

/** The table's rows in order: group headers, and the vehicles of groups that are open. */
export type TableItem =
  | { readonly kind: 'group'; readonly key: string; readonly group: FleetGroup }
  | { readonly kind: 'row'; readonly key: string; readonly imei: string };

/** A single group without a name means no grouping, so it gets no header. */
export function tableItems({ groups }: FleetRows, closed: ReadonlySet<string>): TableItem[] {
  const isFlat = groups.length === 1 && groups[0]?.name === null;
  return groups.flatMap(group => {
    const rows = group.imeis.map((imei): TableItem => ({ kind: 'row', key: `${group.key}|${imei}`, imei }));
    if (isFlat) return rows;
    const head: TableItem = { kind: 'group', key: `${group.key}|`, group };
    return closed.has(group.key) ? [head] : [head, ...rows];
  });
}

/** Index of the header above an item; -1 if there is none. */
export function headBefore(items: readonly TableItem[], index: number): number {
  for (let at = Math.min(index, items.length - 1); at >= 0; at--) if (items[at]?.kind === 'group') return at;
  return -1;
}
