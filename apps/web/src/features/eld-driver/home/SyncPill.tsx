import { useTranslation } from 'react-i18next';
import { homeTime } from '../../../logbook/home-time.ts';
import styles from '../Driver.module.css';
import { useDriverDuty } from '../store/driver-duty.ts';

/** Whether the server has everything that the driver entered, and since when. */
export function SyncPill() {
  const { t } = useTranslation('eldDriver');
  const waiting = useDriverDuty(state => state.waiting.length);
  const heardAtMs = useDriverDuty(state => state.heardAtMs);
  const zone = useDriverDuty(state => state.word?.dutyLog.timezone);
  const text =
    waiting > 0
      ? t('waiting', { count: waiting })
      : heardAtMs === null || zone === undefined
        ? t('notSaved')
        : t('saved', { time: homeTime(heardAtMs, zone) });
  return (
    <span className={styles.pill} data-waiting={waiting > 0 || undefined} role="status">
      {text}
    </span>
  );
}
