import { type Alert, listAlerts } from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { queryClient, readAnew } from '../base/queries.ts';
import { withAlert } from './alert-lists.ts';

/** As many as the server gives at once; the counts are of all. */
const READ_AT_ONCE = 500;
export const ALERTS_KEY = 'alerts';

/** Unacknowledged alerts. */
export const openAlertsQuery = queryOptions({
  queryKey: [ALERTS_KEY, 'open'],
  queryFn: () => call(listAlerts, { query: { open: 'true', limit: READ_AT_ONCE } }),
});

/** Everything about alerts is read again. */
export const readAlertsAgain = (): Promise<void> => readAnew([ALERTS_KEY]);

/** Applies events and answers to the cached alerts; refetches what can't be derived. */
export function applyAlert(alert: Alert): void {
  const { queryKey } = openAlertsQuery;
  const state = queryClient.getQueryState(queryKey);
  // Nobody has asked yet.
  if (!state) return;
  const after = state.data && withAlert(state.data, alert);
  // An answer that is on its way may be from before.
  const isReading = state.fetchStatus !== 'idle';
  if (after) queryClient.setQueryData(queryKey, after);
  if (!state.data) void readAnew(queryKey);
  else if (!after || isReading) void queryClient.invalidateQueries({ queryKey });
  // The other list has it only once it is acknowledged.
  if (alert.acknowledgedAt !== null) {
    void queryClient.invalidateQueries({ queryKey: [ALERTS_KEY, 'acknowledged'] });
  }
}
