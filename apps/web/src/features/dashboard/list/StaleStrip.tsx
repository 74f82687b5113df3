import { IconHistory } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useConnectivity } from '../../../base/connectivity.ts';
import { formatClock } from '../../../format/time.ts';
import { useConnection } from '../../../live/connection.ts';
import { usePast } from '../../../live/past.ts';
import { usePositions } from '../../../live/view.ts';
import styles from './StaleStrip.module.css';

/**
 * When the list can't be refreshed, it stays and this line says how old it is. With no connection at all, the app's own
 * strip says so.
 */
export function StaleStrip() {
  const { t } = useTranslation('dashboard');
  const positions = usePositions();
  const { error, updatedMs } = useConnection();
  const online = useConnectivity(state => state.status === 'online');
  const isPast = usePast() !== undefined;
  if (isPast || !error || !online || !positions.loaded || updatedMs === null) return null;
  return (
    <p className={styles.strip}>
      <IconHistory size={15} stroke={1.75} aria-hidden />
      {t('error.stale', { time: formatClock(updatedMs) })}
    </p>
  );
}
