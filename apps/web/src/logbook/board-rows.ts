import type { RouteAnswer, readBoard } from '@milepost/contract';

export type Board = RouteAnswer<typeof readBoard>;

/** A board with some rows reloaded: each in its place, new ones last, and rows missing from the answer removed. */
export function withRows(board: Board, part: Board, asked: ReadonlySet<string | null>): Board {
  const read = new Map(part.rows.map(row => [row.driverId, row]));
  const known = new Set(board.rows.map(({ driverId }) => driverId));
  return {
    ...part,
    rows: [
      ...board.rows.flatMap(row => (asked.has(row.driverId) ? (read.get(row.driverId) ?? []) : row)),
      ...part.rows.filter(({ driverId }) => !known.has(driverId)),
    ],
  };
}
