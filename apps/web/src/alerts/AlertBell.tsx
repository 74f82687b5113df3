import { IconBell } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../paths.ts';
import styles from './AlertBell.module.css';
import { useAlerts, useMayReadAlerts } from './use-alerts.ts';

/** Link to the alerts, with the number of unacknowledged ones. */
export function AlertBell() {
  const { t } = useTranslation('shell');
  const { alerts, total } = useAlerts();
  if (!useMayReadAlerts()) return null;
  const label = alerts ? t('alerts.bell', { count: total }) : t('nav.alerts');
  return (
    <Link
      to={paths.alerts()}
      className={styles.bell}
      aria-label={label}
      data-tooltip={label}
      data-tooltip-side="bottom"
    >
      <IconBell size={19} stroke={1.75} aria-hidden />
      <AlertCount />
    </Link>
  );
}

/** Only the number, for links that have their own label. */
export function AlertCount() {
  const { total, counts } = useAlerts();
  if (total === 0) return null;
  return (
    <em className={styles.count} data-critical={counts.critical > 0 || undefined} aria-hidden>
      {total > 99 ? '99+' : total}
    </em>
  );
}
