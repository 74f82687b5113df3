import { listSubscriptions, may } from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api.ts';
import { queryClient } from '../queries.ts';
import { useSession } from './session.ts';

/** The days that remain are the server's own count [R4.19]. */
export const subscriptionsQuery = queryOptions({
  queryKey: ['subscriptions'],
  queryFn: () => call(listSubscriptions),
});

/** Read once somebody is signed in [R4.07]; they go with the session, as all that was read in it. */
export function startSubscriptions(): void {
  useSession.subscribe(({ me, messaging }, before) => {
    const isKnownNow = messaging !== null && before.messaging === null;
    if (isKnownNow && me && may(me, 'subscriptions.read')) void queryClient.prefetchQuery(subscriptionsQuery);
  });
}
