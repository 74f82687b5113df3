import { listVisits } from '@milepost/contract';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../base/api.ts';

export interface VisitsAsked {
  readonly geofenceId?: string;
  readonly deviceId?: string;
  readonly fromMs: number;
  readonly toMs: number;
}

const PAGE = 100;
/** How often to reload while the server is counting older visits. */
const COUNTING_MS = 2000;

/** Visits in a period, newest first, page by page. */
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
