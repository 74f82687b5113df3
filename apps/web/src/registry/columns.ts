import type { ReactNode } from 'react';
import { nameCollator } from '../format/locale.ts';

export interface RegistryColumn<Row> {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The value to sort by; null comes last in both directions. A column without this can't be sorted. */
  readonly sortBy?: (row: Row) => string | number | null;
  /** Right-aligned, for numbers. */
  readonly align?: 'end';
  /** Shown only in windows of at least this width, in px. */
  readonly from?: 1024 | 1440 | 1920;
}

export function compareValues(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return nameCollator().compare(String(one), String(other));
}
