import { IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useConnectivity } from '../../../app/connectivity/connectivity.ts';
import { formatClock } from '../../../format/clock.ts';
import { useConnection } from '../../../live/connection.ts';
import { positions } from '../../../live/live.ts';
import styles from './StaleStrip.module.css';

/** The list stays when it cannot be read anew, and says how old it is. Without any connection the shell's strip does. */
export function StaleStrip() {
  const { t } = useTranslation('dashboard');
  const { error, updatedMs } = useConnection();
  const online = useConnectivity(state => state.status === 'online');
  if (!error || !online || !positions.loaded || updatedMs === null) return null;
  return (
    <p className={styles.strip}>
      <IconHistory size={15} stroke={1.75} aria-hidden />
      {t('error.stale', { time: formatClock(updatedMs) })}
    </p>
  );
}
