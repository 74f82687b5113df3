import { type Alert, listAlerts } from '@milepost/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ALERTS_KEY } from '../../alerts/open-alerts.ts';
import { call } from '../../base/api.ts';

const PAGE = 100;

/** Acknowledged alerts, page by page, newest first; loaded only while they are shown. */
export function useAcknowledged(enabled: boolean) {
  const query = useInfiniteQuery({
    queryKey: [ALERTS_KEY, 'acknowledged'],
    enabled,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      call(listAlerts, {
        query: { open: 'false', limit: PAGE, ...(pageParam !== undefined && { before: pageParam }) },
      }),
    getNextPageParam: ({ alerts }) => (alerts.length < PAGE ? undefined : alerts.at(-1)?.id),
  });
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = query;
  const alerts = useMemo<readonly Alert[] | undefined>(() => data?.pages.flatMap(page => page.alerts), [data]);
  return {
    alerts,
    error,
    hasMore: hasNextPage,
    isReadingMore: isFetchingNextPage,
    readMore: () => void fetchNextPage(),
    refetch: () => void refetch(),
  };
}
