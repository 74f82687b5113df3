import { QueryClient, type QueryKey } from '@tanstack/react-query';
import { retriesByItself } from './retry.ts';
import { onSessionEnd } from './session/session.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: retriesByItself, staleTime: 30_000, refetchOnWindowFocus: false },
    // Without a connection a form says so at once instead of waiting for one.
    mutations: { networkMode: 'always' },
  },
});

/** Reads again also what is being read for the first time: its answer may be from before. */
export async function readAnew(queryKey: QueryKey): Promise<void> {
  await queryClient.cancelQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey });
}

// The next user on this device must not see the last one's data.
onSessionEnd(() => queryClient.clear());
