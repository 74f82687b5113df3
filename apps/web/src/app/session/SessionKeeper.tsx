import { readMe } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api.ts';
import { toast } from '../toasts/toast.ts';
import { setMe, useSession } from './session.ts';
import { takeLoginNotice } from './storage.ts';

/** While someone is signed in: reads who they are, and says once per browser session that it worked [R4.01, R4.05]. */
export function SessionKeeper() {
  const { t } = useTranslation('shell');
  const token = useSession(session => session.token);
  const { data: me } = useQuery({
    queryKey: ['me', token],
    queryFn: () => call(readMe),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });

  useEffect(() => {
    if (!me) return;
    setMe(me);
    if (takeLoginNotice()) toast(t('loggedIn'));
  }, [me, t]);

  return null;
}
