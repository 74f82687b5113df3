import { listSubscriptions, may } from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';
import { queryClient } from '../queries.ts';
import { useSession } from './session.ts';

/** Subscriptions with the remaining days, which the server counts [R4.19]. */
export const subscriptionsQuery = queryOptions({
  queryKey: ['subscriptions'],
  queryFn: () => call(listSubscriptions),
});

/** Loads the subscriptions after sign-in [R4.07]. Signing out clears them along with all other loaded data. */
export function startSubscriptions(): void {
  useSession.subscribe(({ me, messaging }, before) => {
    const isKnownNow = messaging !== null && before.messaging === null;
    if (isKnownNow && me && may(me, 'subscriptions.read')) void queryClient.prefetchQuery(subscriptionsQuery);
  });
}
