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

interface Running {
  readonly state: { readonly fetchStatus: string };
  fetch(): Promise<unknown>;
}

/** Resolves when the query has no running request, whose response may be outdated. */
export async function answered(query: Running | undefined): Promise<void> {
  if (query && query.state.fetchStatus !== 'idle') await query.fetch().catch(() => {});
}

// The next user on this device must not see the previous user's data.
onSessionEnd(() => queryClient.clear());
