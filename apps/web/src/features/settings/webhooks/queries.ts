import { listWebhookDeliveries, listWebhooks, type WebhookDelivery } from '@milepost/contract';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../base/api.ts';

/** The change feed reloads queries that start with these keys (`changes/query-keys.ts`). */
const WEBHOOKS = ['webhooks'] as const;
const DELIVERIES = ['webhook-deliveries'] as const;
const PAGE = 20;

export type DeliveryState = WebhookDelivery['state'];

export const useWebhooks = () => useQuery({ queryKey: WEBHOOKS, queryFn: () => call(listWebhooks) });

/** One webhook's deliveries, page by page; all, or those in one state. */
export const useDeliveries = (id: string, state: DeliveryState | 'all') =>
  useInfiniteQuery({
    queryKey: [...DELIVERIES, id, state],
    queryFn: ({ pageParam: before }) =>
      call(listWebhookDeliveries, {
        params: { id },
        query: { limit: PAGE, ...(state !== 'all' && { state }), ...(before !== null && { before }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: page => (page.length < PAGE ? null : (page.at(-1)?.id ?? null)),
  });

/** Reloads after the user's own change, sooner than the change feed would. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([WEBHOOKS, DELIVERIES].map(queryKey => queries.invalidateQueries({ queryKey })));
  };
}
