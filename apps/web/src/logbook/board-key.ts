/** The board of drivers: brought up to date row by row (`changes/keep-board.ts`), and not with the other queries of logs. */
export const BOARD_KEY = ['logbook-board'] as const;
