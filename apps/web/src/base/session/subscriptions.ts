import { listSubscriptions, may } from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';
import { queryClient } from '../queries.ts';
import { useSession } from './session.ts';

/** The server counts the remaining days [R4.19]. */
export const subscriptionsQuery = queryOptions({
  queryKey: ['subscriptions'],
  queryFn: () => call(listSubscriptions),
});

/** Loaded after sign-in [R4.07] and cleared at sign-out, like everything loaded in a session. */
export function startSubscriptions(): void {
  useSession.subscribe(({ me, messaging }, before) => {
    const isKnownNow = messaging !== null && before.messaging === null;
    if (isKnownNow && me && may(me, 'subscriptions.read')) void queryClient.prefetchQuery(subscriptionsQuery);
  });
}
