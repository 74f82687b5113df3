/**
 * Key of the drivers' board. It is updated row by row (`changes/keep-board.ts`), not reloaded with other log queries.
 */
export const BOARD_KEY = ['logbook-board'] as const;
