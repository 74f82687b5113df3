import { IconHistory } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectivity } from '../../base/connectivity.ts';
import { useSession } from '../../base/session/session.ts';
import { formatClock } from '../../format/time.ts';
import styles from './ConnectionStrip.module.css';

/** The strip at the top while there is no connection. Shows the age of the data and when the next attempt is. */
export function ConnectionStrip() {
  const { t } = useTranslation('connectivity');
  const { lastOkAt, nextCheckAt } = useConnectivity();
  const signedIn = useSession(session => session.token !== null);
  const [nowMs, setNowMs] = useState(Date.now);

  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 250);
    return () => clearInterval(timer);
  }, []);

  const seconds = nextCheckAt === null ? 0 : Math.ceil((nextCheckAt - nowMs) / 1000);
  const asOf = signedIn ? 'dataAsOf' : 'asOf';
  return (
    <div className={styles.strip}>
      <IconHistory size={18} stroke={1.75} aria-hidden />
      <span>
        {lastOkAt === null ? t('notYet') : t(asOf, { time: formatClock(lastOkAt) })}
        {' · '}
        {seconds > 0 ? t('tryingIn', { seconds }) : t('tryingNow')}
      </span>
    </div>
  );
}
