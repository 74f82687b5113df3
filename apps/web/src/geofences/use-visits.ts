import { listInside, listVisits, type RouteAnswer } from '@milepost/contract';
import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { call } from '../base/api.ts';

export type InsideNow = RouteAnswer<typeof listInside>;

const insideQuery = queryOptions({ queryKey: ['visits', 'inside'], queryFn: () => call(listInside) });

/** Who is inside which geofence; counted anew by the server whenever a vehicle crosses an edge. */
export const useInside = ({ enabled = true } = {}) => useQuery({ ...insideQuery, enabled });

export interface VisitsAsked {
  readonly geofenceId?: string;
  readonly deviceId?: string;
  readonly fromMs: number;
  readonly toMs: number;
}

const PAGE = 100;
/** While older visits are being counted. */
const COUNTING_MS = 2000;

/** Visits of a period, newest first, in pages. */
const visitsQuery = ({ fromMs, toMs, ...of }: VisitsAsked) =>
  infiniteQueryOptions({
    queryKey: ['visits', 'list', of, fromMs, toMs],
    queryFn: ({ pageParam }) =>
      call(listVisits, {
        query: {
          ...of,
          from: new Date(fromMs).toISOString(),
          to: new Date(toMs).toISOString(),
          limit: PAGE,
          ...(pageParam !== null && { after: pageParam }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ hasMore, visits }) => (hasMore ? (visits.at(-1)?.id ?? null) : null),
    refetchInterval: ({ state }) => (state.data?.pages[0]?.counting ? COUNTING_MS : false),
  });

export const useVisits = (asked: VisitsAsked) => useInfiniteQuery(visitsQuery(asked));
