import { type RouteAnswer, readNotificationSettings } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../app/api.ts';

export type NotificationsAnswer = RouteAnswer<typeof readNotificationSettings>;

export const NOTIFICATIONS_QUERY = ['notification-settings'] as const;
const EVERY_MS = 10_000;

/** Asked again and again: how the sending goes changes by itself. */
export const useNotificationSettings = () =>
  useQuery({
    queryKey: NOTIFICATIONS_QUERY,
    queryFn: () => call(readNotificationSettings),
    refetchInterval: EVERY_MS,
  });
