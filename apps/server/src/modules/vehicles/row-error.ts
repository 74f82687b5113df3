import type { FieldError, importRowErrorSchema } from '@milepost/contract';
import type { z } from 'zod';

export type RowError = z.output<typeof importRowErrorSchema>;

/** An error in a file of vehicles: at a row and column, or in a whole row if the column is null. */
export function rowError(row: number, column: string | null, { field: _, ...problem }: FieldError): RowError {
  return { row, column, ...problem };
}
