import { type Alert, listAlerts } from '@milepost/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../base/api.ts';
import { queryClient, readAnew, readSoon } from '../base/queries.ts';
import { withAlert } from './alert-lists.ts';

/** The most that the server sends at once; the counts include all alerts. */
const READ_AT_ONCE = 500;
export const ALERTS_KEY = 'alerts';

/** Unacknowledged alerts. */
export const openAlertsQuery = queryOptions({
  queryKey: [ALERTS_KEY, 'open'],
  queryFn: () => call(listAlerts, { query: { open: 'true', limit: READ_AT_ONCE } }),
});

/** Reloads everything about alerts. */
export const readAlertsAgain = (): Promise<void> => readAnew([ALERTS_KEY]);

/** Applies events and answers to the cached alerts; reloads what can't be derived from them. */
export function applyAlert(alert: Alert): void {
  const { queryKey } = openAlertsQuery;
  const state = queryClient.getQueryState(queryKey);
  // No page has loaded alerts yet.
  if (!state) return;
  const after = state.data && withAlert(state.data, alert);
  // An answer on its way may be older than this event.
  const isReading = state.fetchStatus !== 'idle';
  if (after) queryClient.setQueryData(queryKey, after);
  if (!after || isReading) void readSoon(queryKey);
  // Only acknowledged alerts are in the other list.
  if (alert.acknowledgedAt !== null) void readSoon([ALERTS_KEY, 'acknowledged']);
}
