import { useCallback } from 'react';
import { useAccountSettings } from '../base/account-settings.ts';
import { isoDateOf } from '../format/date.ts';
import { useFromNow } from '../live/view.ts';
import { type Expiry, expiryOf } from './expiry.ts';

/** Which documents have expired or end soon, by the account's days of warning. */
export function useExpiry(): (expiresOn: string) => Expiry {
  const { warnBeforeExpiryDays } = useAccountSettings();
  const today = useFromNow(isoDateOf);
  return useCallback(expiresOn => expiryOf(expiresOn, today, warnBeforeExpiryDays), [today, warnBeforeExpiryDays]);
}
