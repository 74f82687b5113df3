import { DEFAULT_SETTINGS, readSettings, type Settings } from '@milepost/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from './api.ts';

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
