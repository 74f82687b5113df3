import { DEFAULT_SETTINGS, readSettings, type Settings } from '@milepost/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './api.ts';
import { queryClient } from './queries.ts';

export const ACCOUNT_SETTINGS_KEY = ['account-settings'] as const;
/** Account settings rarely change, so reading them this often is enough. */
const FRESH_MS = 5 * 60_000;

export const accountSettingsQuery = queryOptions({
  queryKey: ACCOUNT_SETTINGS_KEY,
  queryFn: () => call(readSettings),
  staleTime: FRESH_MS,
});

/** The account's settings; defaults until they have loaded. */
export function useAccountSettings(): Settings {
  return useQuery(accountSettingsQuery).data?.settings ?? DEFAULT_SETTINGS;
}

/** The time zone in which the account's days begin; undefined until the settings have loaded. */
export const useAccountZone = (): string | undefined => useQuery(accountSettingsQuery).data?.settings.timeZone;

/** The same, for what is worked out when it is needed. */
export const accountZone = (): string | undefined =>
  queryClient.getQueryData(accountSettingsQuery.queryKey)?.settings.timeZone;
