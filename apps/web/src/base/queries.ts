import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query';
import { retriesByItself } from './retry.ts';
import { onSessionEnd } from './session/session.ts';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: retriesByItself, staleTime: 30_000, refetchOnWindowFocus: false },
    // Without a connection, a form fails at once instead of waiting for one.
    mutations: { networkMode: 'always' },
  },
});

/**
 * Refetches, even while the last fetch is running: its response may be outdated. What has never been read waits for the
 * first response all the same, or it would show nothing for as long as things change.
 */
export async function readAnew(queryKey: QueryKey): Promise<void> {
  const first = queryClient.getQueryCache().findAll({ queryKey, predicate: ({ state }) => state.data === undefined });
  await Promise.all(first.map(answered));
  await queryClient.cancelQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey });
}

const soon = new Map<unknown, Promise<void>>();
const SOON_MS = 400;

/** Refetches what changes in bursts: once for all calls of a moment, and after the response that is on its way. */
export function readSoon(queryKey: QueryKey): Promise<void> {
  const key = hashKey(queryKey);
  const reading = soon.get(key) ?? readAfterAnswers(queryKey, () => soon.delete(key));
  soon.set(key, reading);
  return reading;
}

async function readAfterAnswers(queryKey: QueryKey, begins: () => void): Promise<void> {
  await new Promise(resolve => setTimeout(resolve, SOON_MS));
  await Promise.all(queryClient.getQueryCache().findAll({ queryKey }).map(answered));
  begins();
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
