import { listShares, type Share } from '@milepost/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../app/api.ts';

const SHARES = ['shares'];

/** Links that show any of these vehicles; all of them without a list. They count views: read anew each time. */
export function useShares(deviceIds?: readonly string[]) {
  return useQuery({
    queryKey: SHARES,
    queryFn: async () => (await call(listShares, { query: {} })).shares,
    staleTime: 0,
    select: (shares: Share[]) =>
      deviceIds ? shares.filter(({ vehicles }) => vehicles.some(({ id }) => deviceIds.includes(id))) : shares,
  });
}
export type SharesQuery = ReturnType<typeof useShares>;

export function useRefreshShares(): () => void {
  const queryClient = useQueryClient();
  return () => void queryClient.invalidateQueries({ queryKey: SHARES });
}
