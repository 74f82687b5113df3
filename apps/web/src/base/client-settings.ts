import { readClientSettings } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from './api.ts';

/** What the server says about itself before anyone signs in: its name, version, demo mode and map. */
export function useClientSettings() {
  return useQuery({
    queryKey: ['client-settings'],
    queryFn: () => call(readClientSettings),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The product's name until the server has said its own. */
const DEFAULT_APP_NAME = 'Milepost';

export function useAppName(): string {
  return useClientSettings().data?.appName ?? DEFAULT_APP_NAME;
}
