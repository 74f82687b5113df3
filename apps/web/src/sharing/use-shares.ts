import { listOwnShares, listShares, may, type Share } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { useSession } from '../base/session/session.ts';

const SHARES = ['shares'];
/** Links start and end on their own and are visited, so they are read again this often. */
const EVERY_MS = 60_000;

/**
 * Links that show any of these vehicles; without `deviceIds`, all links. They include the number of views, so they are
 * read again each time.
 */
export function useShares(deviceIds?: readonly string[]) {
  const seesOthers = useSession(({ me }) => me !== null && may(me, 'shares.read'));
  return useQuery({
    queryKey: SHARES,
    queryFn: async () => (await (seesOthers ? call(listShares, { query: {} }) : call(listOwnShares))).shares,
    staleTime: 0,
    refetchInterval: EVERY_MS,
    select: (shares: Share[]) =>
      deviceIds ? shares.filter(({ vehicles }) => vehicles.some(({ id }) => deviceIds.includes(id))) : shares,
  });
}
export type SharesQuery = ReturnType<typeof useShares>;

export function useRefreshShares(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: SHARES });
}
