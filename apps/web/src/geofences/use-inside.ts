import { listInside, type RouteAnswer } from '@milepost/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../base/api.ts';
import { usePast } from '../live/past.ts';

export type InsideNow = RouteAnswer<typeof listInside>;

/** How often to reload while the server is still counting visits of the past. */
const COUNTING_MS = 5000;

export const insideQuery = queryOptions({
  queryKey: ['inside'],
  queryFn: () => call(listInside, { query: {} }),
  refetchInterval: ({ state }) => (state.data?.counting ? COUNTING_MS : false),
});

/** Which vehicles are inside which geofence, now or at a past moment; kept up to date by vehicle (`changes/keep-inside.ts`). */
export function useInside({ enabled = true } = {}) {
  const past = usePast();
  const { data, error, refetch } = useQuery({ ...insideQuery, enabled });
  const picture = past?.picture;
  const then = useMemo(
    (): InsideNow | undefined => (picture ? { inside: picture.inside, last: [], counting: 0, vehicles: 0 } : undefined),
    [picture],
  );
  return { data: past ? then : data, error, refetch };
}
