import type { ReactNode } from 'react';
import { nameCollator } from '../format/locale.ts';

export interface RegistryColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** What it is sorted by; null comes last either way. A column without this cannot be sorted. */
  readonly sortBy?: (row: Row) => string | number | null;
  /** Figures are aligned to the right. */
  readonly align?: 'end';
  /** Needs a window of this width, in px. */
  readonly from?: 1024 | 1440 | 1920;
}

export function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return nameCollator().compare(String(one), String(other));
}
