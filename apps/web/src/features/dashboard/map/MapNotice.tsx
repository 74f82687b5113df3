import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useVehicle } from '../../../live/view.ts';
import type { Insets } from '../../../map/camera.ts';
import type { MapTrouble } from '../../../map/MapView.tsx';
import { showOnlyVehicle, useDashboard } from '../state/dashboard-state.ts';
import { useLayout } from '../use-layout.ts';
import { LayersMenu } from './LayersMenu.tsx';
import { MapKindSwitch } from './MapKindSwitch.tsx';
import styles from './MapNotice.module.css';
import { TrailMenu } from './TrailMenu.tsx';

/** Width of a tool's panel and the gap after it. */
const TOOL_PANEL_PX = 308 + 8;

interface Props {
  readonly trouble: MapTrouble | null;
  readonly insets: Insets;
}

/** One line at the top of the map: how it is drawn, and any problems with it. */
export function MapNotice({ trouble, insets }: Props) {
  const { t } = useTranslation('dashboardMap');
  const hasTrail = useDashboard(state => state.current !== null && state.stage !== 'wall');
  // Next to the panel of an open tool, which takes the usual place.
  const isPushed = useDashboard(state => state.tool !== null) && insets.top === 0;
  const left = insets.left + 56 + (isPushed ? TOOL_PANEL_PX : 0);
  const isPhone = useLayout() === 'phone';
  const stage = useDashboard(state => state.stage);
  const only = useVehicle(useDashboard(state => (state.only ? state.current : null)));
  const text = trouble === 'no-tiles' ? t('noTiles') : trouble === 'online-map-failed' ? t('onlineFailed') : null;
  return (
    <div className={styles.notices} style={{ top: insets.top + 12, left, right: insets.right + 12 }}>
      {stage !== 'wall' && <MapKindSwitch />}
      {hasTrail && <TrailMenu />}
      {!isPhone && stage !== 'wall' && <LayersMenu />}
      {only && (
        <p className={styles.notice} data-tone="filter">
          {t('onlyOne', { name: only.vehicle.deviceName })}
          <button type="button" className={styles.back} onClick={() => showOnlyVehicle(null)}>
            {t('showAll')}
          </button>
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
