import { type RouteAnswer, readNotificationSettings } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../base/api.ts';

export type NotificationsAnswer = RouteAnswer<typeof readNotificationSettings>;

export const NOTIFICATIONS_QUERY = ['notification-settings'] as const;
const EVERY_MS = 10_000;

/** Polled, because the delivery status changes on its own. */
export const useNotificationSettings = () =>
  useQuery({
    queryKey: NOTIFICATIONS_QUERY,
    queryFn: () => call(readNotificationSettings),
    refetchInterval: EVERY_MS,
  });
