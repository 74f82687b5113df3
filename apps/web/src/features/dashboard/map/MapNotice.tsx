import { IconInfoCircle, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useVehicle } from '../../../live/use-vehicle.ts';
import type { Insets } from '../../../map/camera.ts';
import { useBeyondStreets } from '../../../map/controls/use-beyond-streets.ts';
import type { MapTrouble } from '../../../map/MapView.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { showOnlyVehicle, useDashboard } from '../state/dashboard-state.ts';
import styles from './MapNotice.module.css';

interface Props {
  readonly trouble: MapTrouble | null;
  /** The base map is the product's own. */
  readonly offline: boolean;
  readonly insets: Insets;
}

/** One line at the top of the map about what it does not show, if anything. */
export function MapNotice({ trouble, offline, insets }: Props) {
  const { t } = useTranslation('dashboard');
  const beyondStreets = useBeyondStreets();
  const only = useVehicle(useDashboard(state => state.only));
  const text =
    trouble === 'no-tiles'
      ? t('map.noTiles')
      : trouble === 'online-map-failed'
        ? t('map.onlineFailed')
        : beyondStreets && offline
          ? t('map.streetsOnly')
          : null;
  return (
    <div className={styles.notices} style={{ top: insets.top + 12, left: insets.left + 56, right: insets.right + 12 }}>
      {only && (
        <p className={styles.notice} data-tone="filter">
          {t('map.onlyOne', { name: only.vehicle.deviceName })}
          <IconButton label={t('map.showAll')} className={styles.close} onClick={() => showOnlyVehicle(null)}>
            <IconX size={15} stroke={1.75} aria-hidden />
          </IconButton>
        </p>
      )}
      {text && (
        <p className={styles.notice}>
          <IconInfoCircle size={15} stroke={1.75} aria-hidden />
          {text}
        </p>
      )}
    </div>
  );
}
