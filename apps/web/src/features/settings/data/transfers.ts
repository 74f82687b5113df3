import { type DataExport, type DataImport, listExports, listImports, may } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { useSockets } from '../../../live/sockets/socket-store.ts';

/** The change feed reloads the queries with these keys. */
export const EXPORTS = ['data-exports'];
export const IMPORTS = ['data-imports'];

export type Transfer = Omit<DataExport, 'positions' | 'file'> & Omit<DataImport, 'rows' | 'phase'>;

/** Polling without the change feed: often while a job is running, rarely to notice new ones. */
const OPEN_MS = 2000;
const IDLE_MS = 30_000;

export const isOpen = ({ endedAt }: Pick<Transfer, 'endedAt'>): boolean => endedAt === null;

/** The change feed sends these jobs to users who may change settings. */
function useIsTold(): boolean {
  const isConnected = useSockets(sockets => sockets['/eld'].state === 'connected');
  const isConcerned = useSession(({ me }) => me !== null && may(me, 'settings.write'));
  return isConnected && isConcerned;
}

const pollMs = (isTold: boolean, transfers: readonly Transfer[] | undefined): number | false => {
  if (isTold) return false;
  return transfers?.some(isOpen) ? OPEN_MS : IDLE_MS;
};

export function useExports() {
  const isTold = useIsTold();
  return useQuery({
    queryKey: EXPORTS,
    queryFn: () => call(listExports),
    refetchInterval: ({ state }) => pollMs(isTold, state.data),
  });
}

/** When an import is done, everything on screen is reloaded. */
export function useImports() {
  const isTold = useIsTold();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: IMPORTS,
    queryFn: () => call(listImports),
    refetchInterval: ({ state }) => pollMs(isTold, state.data),
  });
  const state = query.data?.[0]?.state;
  const was = useRef(state);
  useEffect(() => {
    if (was.current !== undefined && was.current !== 'done' && state === 'done') void queries.invalidateQueries();
    was.current = state;
  }, [state, queries]);
  return query;
}
