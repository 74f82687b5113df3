import { IconArrowsMaximize, IconMinus, IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/IconButton.tsx';
import { useMap } from '../map-context.ts';
import styles from './ZoomTools.module.css';

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

interface Props {
  readonly fitLabel: string;
  readonly onFit: () => void;
  /** More buttons, above these. */
  readonly children?: ReactNode;
}

/** The buttons in the corner of a map. On phones, fingers zoom. */
export function ZoomTools({ fitLabel, onFit, children }: Props) {
  const { t } = useTranslation('map');
  const { map } = useMap();
  return (
    <div className={styles.tools}>
      {children}
      <IconButton label={fitLabel} tooltip="left" onClick={onFit}>
        <IconArrowsMaximize {...ICON} />
      </IconButton>
      <IconButton label={t('zoomIn')} tooltip="left" className={styles.zoom} onClick={() => map.zoomIn()}>
        <IconPlus {...ICON} />
      </IconButton>
      <IconButton label={t('zoomOut')} tooltip="left" className={styles.zoom} onClick={() => map.zoomOut()}>
        <IconMinus {...ICON} />
      </IconButton>
    </div>
  );
}
