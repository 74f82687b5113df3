import { readMe } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api.ts';
import { readAnew } from '../queries.ts';
import { useSession } from './session.ts';

const ME = 'me';

/**
 * The signed-in user from the server. Loaded once per session, and again whenever the user changes something about
 * themselves.
 */
export function useMe() {
  const token = useSession(session => session.token);
  return useQuery({
    queryKey: [ME, token],
    queryFn: () => call(readMe),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Reloads the user after such a change [R7.03, R7.12], even if a request with older data is running. */
export const refreshMe = (): Promise<void> => readAnew([ME]);
