import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatMoment } from '../../format/time.ts';
import { useMyNotifications } from '../../notifications/my-notifications.ts';
import { receivedIn } from '../../notifications/received.ts';
import { paths } from '../../paths.ts';
import styles from './AlertsPage.module.css';

/** How many alerts reached the user today by email and push, and what waits for the digest; nothing before the first. */
export function Received() {
  const { t } = useTranslation('alerts');
  const { data } = useMyNotifications();
  if (!data) return null;
  const { alerts, beyond, digestAt } = receivedIn(data.received, data.today);
  const { dailyLimit } = data.choice;
  if (alerts === 0 && digestAt === null) return null;
  return (
    <p className={styles.first}>
      {dailyLimit === null
        ? t('page.received', { count: alerts })
        : t('page.receivedOf', { count: alerts, limit: dailyLimit })}{' '}
      {digestAt !== null && t('page.beyond', { count: beyond, time: formatMoment(Date.parse(digestAt), Date.now()) })}{' '}
      <Link to={paths.profile('notifications')}>{t('page.limit')}</Link>
    </p>
  );
}
