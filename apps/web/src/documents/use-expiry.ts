import { useCallback } from 'react';
import { useAccountSettings } from '../app/account-settings.ts';
import { isoDateOf } from '../format/date.ts';
import { useFromNow } from '../live/use-now.ts';
import { type Expiry, expiryOf } from './expiry.ts';

/** How documents stand today, by the account's own days of warning. */
export function useExpiry(): (expiresOn: string) => Expiry {
  const { warnBeforeExpiryDays } = useAccountSettings();
  const today = useFromNow(isoDateOf);
  return useCallback(expiresOn => expiryOf(expiresOn, today, warnBeforeExpiryDays), [today, warnBeforeExpiryDays]);
}
