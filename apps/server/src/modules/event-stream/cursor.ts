import { type ArrivalCursor, readCursor, writeCursor } from '../../db/arrivals.ts';

/** Where a stream stands: the number of the last change, and the positions that were given. */
export interface StreamCursor {
  readonly number: number;
  readonly arrivals: ArrivalCursor;
}

/** The ID of an event: a program sends the last one that it got, to go on there. */
export const writeEventId = ({ arrivals, number }: StreamCursor): string => `${number}.${writeCursor(arrivals)}`;

/** Null if no event had this ID. */
export function readEventId(text: string): StreamCursor | null {
  const [, number, rest] = /^(\d{1,15})\.([\w-]+)$/.exec(text) ?? [];
  const arrivals = rest === undefined ? null : readCursor(rest);
  return arrivals && { number: Number(number), arrivals };
}
