import { useCallback } from 'react';
import { useAccountSettings, useAccountZone } from '../base/account-settings.ts';
import { isoDateOf } from '../format/date.ts';
import { useFromNow } from '../live/view.ts';
import { type Expiry, expiryOf } from './expiry.ts';

/** A function that tells whether a document has expired or will soon, by the account's date and warning days. */
export function useExpiry(): (expiresOn: string) => Expiry {
  const { warnBeforeExpiryDays } = useAccountSettings();
  const zone = useAccountZone();
  const today = useFromNow(ms => isoDateOf(ms, zone));
  return useCallback(expiresOn => expiryOf(expiresOn, today, warnBeforeExpiryDays), [today, warnBeforeExpiryDays]);
}
