import { IconArrowsMaximize, IconCurrentLocation, IconHelpHexagon, IconMinus, IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../app/toasts/toast.ts';
import type { Insets } from '../../../map/camera.ts';
import { useMap } from '../../../map/map-context.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { useLayout } from '../use-layout.ts';
import { Legend } from './Legend.tsx';
import styles from './MapTools.module.css';
import { useMyPlace } from './use-my-place.ts';

interface Props {
  readonly insets: Insets;
  readonly onFitAll: () => void;
}

/** Zoom, fit, my place and the legend. */
export function MapTools({ insets, onFitAll }: Props) {
  const { t } = useTranslation('dashboard');
  const { map } = useMap();
  const phone = useLayout() === 'phone';
  const locate = useMyPlace(() => toast(t('map.locateFailed'), 'info'));
  return (
    <div className={styles.tools} style={phone ? { right: 12, bottom: insets.bottom + 34 } : { top: 12, left: 12 }}>
      <IconButton label={t('map.zoomIn')} tooltip="right" className={styles.zoom} onClick={() => map.zoomIn()}>
        <IconPlus {...ICON} />
      </IconButton>
      <IconButton label={t('map.zoomOut')} tooltip="right" className={styles.zoom} onClick={() => map.zoomOut()}>
        <IconMinus {...ICON} />
      </IconButton>
      <IconButton label={t('map.fitAll')} tooltip="right" onClick={onFitAll}>
        <IconArrowsMaximize {...ICON} />
      </IconButton>
      <IconButton label={t('map.locate')} tooltip="right" onClick={locate}>
        <IconCurrentLocation {...ICON} />
      </IconButton>
      <Popover
        label={t('legend.title')}
        side="beside"
        trigger={props => (
          <IconButton {...props} label={t('legend.open')} tooltip="right">
            <IconHelpHexagon {...ICON} />
          </IconButton>
        )}
      >
        <Legend />
      </Popover>
    </div>
  );
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
