import type { FieldError, importRowErrorSchema } from '@milepost/contract';
import type { z } from 'zod';

export type RowError = z.output<typeof importRowErrorSchema>;

/** What is wrong at a place in a file of vehicles. */
export function rowError(row: number, column: string | null, { field: _, ...problem }: FieldError): RowError {
  return { row, column, ...problem };
}
