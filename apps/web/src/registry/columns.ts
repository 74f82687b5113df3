import type { ReactNode } from 'react';

export interface RegistryColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** What it is sorted by; null comes last either way. A column without this cannot be sorted. */
  readonly sortBy?: (row: Row) => string | number | null;
  /** Figures stand to the right. */
  readonly align?: 'end';
  /** Needs a window of this width, in px. */
  readonly from?: 1024 | 1440 | 1920;
}

/** Names as people read them: `Truck 9` before `Truck 10`, `é` beside `e`. */
const collator = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' });

export function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return collator.compare(String(one), String(other));
}
