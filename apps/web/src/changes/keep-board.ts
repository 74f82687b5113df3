import { readBoard } from '@milepost/contract';
import { call } from '../base/api.ts';
import { queryClient, readAnew } from '../base/queries.ts';
import { BOARD_KEY } from '../logbook/board-key.ts';
import { type Board, withRows } from '../logbook/board-rows.ts';

/** More than this are sooner read with the whole board. */
const ROWS_AT_ONCE = 200;

/** Reads again the rows of these drivers; null in it says that it is not known which. */
export async function keepBoard(driverIds: ReadonlySet<string | null>): Promise<void> {
  if (driverIds.size === 0) return;
  const query = queryClient.getQueryCache().find<Board>({ queryKey: BOARD_KEY, exact: true });
  if (!query) return;
  const drivers = [...driverIds].filter(id => id !== null && /^\d+$/.test(id));
  // Of unidentified driving the board has only the sum.
  if (driverIds.has(null) || drivers.length === 0 || drivers.length > ROWS_AT_ONCE) return readAnew(BOARD_KEY);
  // What is on its way may be from before, and would take the place of what is read here.
  if (query.state.fetchStatus !== 'idle') await query.fetch().catch(() => {});
  if (query.state.data === undefined) return;
  try {
    const part = await call(readBoard, { query: { drivers: drivers.join(',') } });
    queryClient.setQueryData<Board>(BOARD_KEY, board => board && withRows(board, part, driverIds));
  } catch {
    await queryClient.invalidateQueries({ queryKey: BOARD_KEY });
  }
}
