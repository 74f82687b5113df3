import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { retriesByItself } from './retry.ts';
import { onSessionEnd } from './session/session.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: retriesByItself, staleTime: 30_000, refetchOnWindowFocus: false },
    // Without a connection, a form fails at once instead of waiting for one.
    mutations: { networkMode: 'always' },
  },
});

/** Refetches, even while the first fetch is running: its response may be outdated. */
export async function readAnew(queryKey: QueryKey): Promise<void> {
  await queryClient.cancelQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey });
}

// The next user on this device must not see the previous user's data.
onSessionEnd(() => queryClient.clear());
