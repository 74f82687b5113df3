import { readBoard } from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { queryClient, readAnew } from '../base/queries.ts';
import { BOARD_KEY } from '../logbook/board-key.ts';
import { type Board, withRows } from '../logbook/board-rows.ts';
import { keepLogsBy } from './apply-changes.ts';

/** For more drivers than this, reading the whole board is faster. */
const ROWS_AT_ONCE = 200;

/** Polled, because only the server computes how rest restores the clocks. */
export const BOARD_EVERY_MS = 60_000;

/** The status and clocks of the drivers who keep a log. */
export const boardQuery = queryOptions({
  queryKey: BOARD_KEY,
  queryFn: () => call(readBoard, { query: {} }),
  refetchInterval: BOARD_EVERY_MS,
});

keepLogsBy(keepBoard);

/** Reads these drivers' rows again. If the set has null, the changed drivers aren't known. */
async function keepBoard(driverIds: ReadonlySet<string | null>): Promise<void> {
  if (driverIds.size === 0) return;
  const query = queryClient.getQueryCache().find<Board>({ queryKey: BOARD_KEY, exact: true });
  if (!query) return;
  const drivers = [...driverIds].filter(id => id !== null && /^\d+$/.test(id));
  // The board only has the total of unidentified driving, so it is read as a whole.
  if (driverIds.has(null) || drivers.length === 0 || drivers.length > ROWS_AT_ONCE) return readAnew(BOARD_KEY);
  // A running request may have older data and would overwrite what is read here.
  if (query.state.fetchStatus !== 'idle') await query.fetch().catch(() => {});
  if (query.state.data === undefined) return;
  try {
    const part = await call(readBoard, { query: { drivers: drivers.join(',') } });
    queryClient.setQueryData<Board>(BOARD_KEY, board => board && withRows(board, part, driverIds));
  } catch {
    await queryClient.invalidateQueries({ queryKey: BOARD_KEY });
  }
}
