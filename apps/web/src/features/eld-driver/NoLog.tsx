import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { keepsNoLog, noteOwnLog } from '../../base/session/own-log.ts';
import { toast } from '../../base/toasts/toast.ts';
import { paths } from '../../paths.ts';

/** For users without a log. This is most drivers' start page; those who keep no log go on to their own page. */
export function NoLog() {
  const { t } = useTranslation('eldDriverMore');
  const [wasKnown] = useState(keepsNoLog);
  useEffect(() => {
    // The user opened this page on purpose; it is not just their start page.
    if (wasKnown) toast(`${t('noLogTitle')}. ${t('noLogText')}`, 'info');
    noteOwnLog(false);
  }, [wasKnown, t]);
  return <Navigate to={paths.personal()} replace />;
}
