import { listMoveIns, type MoveIn } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../../base/api.ts';

/** The change feed reloads the query with this key. */
export const MOVE_INS = ['move-ins'];
const OPEN_MS = 1000;
const IDLE_MS = 30_000;

export const isOpen = ({ endedAt }: Pick<MoveIn, 'endedAt'>): boolean => endedAt === null;

/** Dry runs and imports; when an import is done, everything on screen is reloaded. */
export function useMoveIns() {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: MOVE_INS,
    queryFn: () => call(listMoveIns),
    refetchInterval: ({ state }) => (state.data?.some(isOpen) ? OPEN_MS : IDLE_MS),
  });
  const imported = query.data?.find(({ dryRun, state }) => !dryRun && state === 'done')?.id;
  const known = useRef<string | undefined | null>(null);
  useEffect(() => {
    if (query.data === undefined) return;
    if (known.current !== null && imported !== known.current) void queries.invalidateQueries();
    known.current = imported;
  }, [imported, query.data, queries]);
  return query;
}
