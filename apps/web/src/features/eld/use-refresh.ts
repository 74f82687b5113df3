import { useQueryClient } from '@tanstack/react-query';
import { BOARD_KEY } from '../../logbook/board-key.ts';

/** Reloads everything on screen about logs. */
export function useRefresh(): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all([queries.invalidateQueries({ queryKey: ['eld'] }), queries.invalidateQueries({ queryKey: BOARD_KEY })]);
}
