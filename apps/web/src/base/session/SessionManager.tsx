import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { setAppearance } from '../appearance.ts';
import { toast } from '../toasts/toast.ts';
import { setMe } from './session.ts';
import { takeLoginNotice } from './storage.ts';
import { useMe } from './use-me.ts';

/** While someone is signed in: loads the user, and shows one sign-in message per browser session [R4.01, R4.05]. */
export function SessionManager() {
  const { t } = useTranslation('shell');
  const { data: me } = useMe();

  useEffect(() => {
    if (!me) return;
    setMe(me);
    if (!takeLoginNotice()) return;
    toast(t('loggedIn'));
    // At sign-in the user's own appearance applies. If they then change it on this device, that wins.
    if (me.preferences.appearance !== null) setAppearance(me.preferences.appearance);
  }, [me, t]);

  return null;
}
