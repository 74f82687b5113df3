import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useConnectivity } from '../base/connectivity.ts';
import { useSession } from '../base/session/session.ts';
import { openOutbox, tasksInStep, useOutbox } from '../phone/phone-outbox.ts';
import { shownTasks } from './shown-tasks.ts';

/** The change feed announces changes by the office at once; polling is for a connection that broke unnoticed. */
const ASK_EVERY_MS = 60_000;

/** A driver's own tasks as this phone knows them, kept in sync with the server while the page is open. */
export function useMyTasks() {
  const owner = useSession(session => session.me?.id ?? null);
  const online = useConnectivity(state => state.status === 'online');
  const kept = useOutbox(state => state.tasks);
  const waiting = useOutbox(state => state.waiting);
  const { error, refetch } = useQuery({
    queryKey: ['my-tasks', owner],
    queryFn: async () => {
      if (owner === null) return null;
      await openOutbox(owner);
      await tasksInStep(owner);
      return null;
    },
    // Without a network, show the stored tasks.
    networkMode: 'always',
    enabled: owner !== null,
    refetchInterval: ASK_EVERY_MS,
    staleTime: 0,
  });
  useEffect(() => {
    if (online) void refetch();
  }, [online, refetch]);
  const tasks = useMemo(() => kept && shownTasks(kept, waiting), [kept, waiting]);
  return { owner, tasks, error };
}
