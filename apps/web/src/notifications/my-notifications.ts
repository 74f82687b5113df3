import { type RouteAnswer, readMyNotifications } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../base/api.ts';

export type MyNotifications = RouteAnswer<typeof readMyNotifications>;

export const MY_NOTIFICATIONS_QUERY = ['my-notifications'] as const;

export const useMyNotifications = () =>
  useQuery({ queryKey: MY_NOTIFICATIONS_QUERY, queryFn: () => call(readMyNotifications), staleTime: 0 });
