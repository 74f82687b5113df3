import { readClientSettings } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from './api.ts';

/** What the server tells anyone before they sign in: its name, version, demo mode and map. */
export function useClientSettings() {
  return useQuery({
    queryKey: ['client-settings'],
    queryFn: () => call(readClientSettings),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The name shown until the server's name has loaded. */
const DEFAULT_APP_NAME = 'Milepost';

export function useAppName(): string {
  return useClientSettings().data?.appName ?? DEFAULT_APP_NAME;
}
