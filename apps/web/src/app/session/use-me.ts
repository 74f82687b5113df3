import { readMe } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../api.ts';
import { useSession } from './session.ts';

/** The signed-in user as the server has them; read once a session, and again after every change of theirs. */
export function useMe() {
  const token = useSession(session => session.token);
  return useQuery({
    queryKey: ['me', token],
    queryFn: () => call(readMe),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
