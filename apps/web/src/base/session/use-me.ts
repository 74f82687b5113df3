import { readMe } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api.ts';
import { readAnew } from '../queries.ts';
import { useSession } from './session.ts';

const ME = 'me';

/** The signed-in user as the server has them; read once a session, and again after every change of theirs. */
export function useMe() {
  const token = useSession(session => session.token);
  return useQuery({
    queryKey: [ME, token],
    queryFn: () => call(readMe),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** After every change of theirs [R7.03, R7.12]; the page may just be reading who they were. */
export const refreshMe = (): Promise<void> => readAnew([ME]);
