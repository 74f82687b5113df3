import {
  IconArrowsMaximize,
  IconCurrentLocation,
  IconHelpHexagon,
  IconHistory,
  IconMaximize,
  IconMinimize,
  IconMinus,
  IconNavigationNorth,
  IconPlus,
  IconPresentation,
  IconRadar2,
  IconRuler2,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useShortcuts } from '../../../base/shortcuts/use-shortcuts.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { usePast } from '../../../live/past.ts';
import type { Insets } from '../../../map/camera.ts';
import { useMapAtRest } from '../../../map/controls/use-map-at-rest.ts';
import { useMap } from '../../../map/map-context.ts';
import { useAt } from '../../../time-travel/at.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { type MapTool, openTool, setStage, useDashboard } from '../state/dashboard-state.ts';
import { useLayout } from '../use-layout.ts';
import { Legend } from './Legend.tsx';
import styles from './MapTools.module.css';
import { useMyPlace } from './use-my-place.ts';

/** How far back the past view starts. */
const HOUR_MS = 3_600_000;

interface Props {
  readonly insets: Insets;
  readonly onFitAll: () => void;
}

/** The map's tools. A phone shows fewer: fingers zoom and turn the map. */
export function MapTools({ insets, onFitAll }: Props) {
  const { t } = useTranslation('dashboardMap');
  const { map } = useMap();
  const phone = useLayout() === 'phone';
  const stage = useDashboard(state => state.stage);
  const turned = useMapAtRest(one => Math.abs(one.getBearing()) > 0.5);
  const isPast = usePast() !== undefined;
  const [, showMoment] = useAt();
  const look = (): void => showMoment(Date.now() - HOUR_MS);
  useShortcuts(isPast ? [] : [{ keys: ['t'], label: t('past'), group: t('label'), run: look }]);
  const locate = useMyPlace(() => toast(t('locateFailed'), 'info'));
  return (
    <div className={styles.tools} style={phone ? { right: 12, bottom: insets.bottom + 34 } : { top: 12, left: 12 }}>
      <div className={styles.group} data-desk>
        <IconButton label={t('zoomIn')} tooltip="right" onClick={() => map.zoomIn()}>
          <IconPlus {...ICON} />
        </IconButton>
        <IconButton label={t('zoomOut')} tooltip="right" onClick={() => map.zoomOut()}>
          <IconMinus {...ICON} />
        </IconButton>
      </div>
      <div className={styles.group}>
        {turned && (
          <IconButton label={t('northUp')} tooltip="right" onClick={() => map.resetNorth()}>
            <IconNavigationNorth {...ICON} />
          </IconButton>
        )}
        <IconButton label={t('fitAll')} tooltip="right" onClick={onFitAll}>
          <IconArrowsMaximize {...ICON} />
        </IconButton>
        <IconButton label={t('locate')} tooltip="right" onClick={locate}>
          <IconCurrentLocation {...ICON} />
        </IconButton>
        {!isPast && (
          <IconButton label={t('past')} tooltip="right" onClick={look}>
            <IconHistory {...ICON} />
          </IconButton>
        )}
        {!phone && (
          <>
            <Tool tool="measure" label={t('measure.open')}>
              <IconRuler2 {...ICON} />
            </Tool>
            <Tool tool="nearest" label={t('nearest.open')}>
              <IconRadar2 {...ICON} />
            </Tool>
          </>
        )}
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
      {!phone && (
        <div className={styles.group}>
          <IconButton
            label={t(stage === 'full' ? 'stage.leave' : 'stage.full')}
            tooltip="right"
            onClick={() => setStage(stage === 'full' ? 'page' : 'full')}
          >
            {stage === 'full' ? <IconMinimize {...ICON} /> : <IconMaximize {...ICON} />}
          </IconButton>
          <IconButton label={t('stage.wall')} tooltip="right" onClick={() => setStage('wall')}>
            <IconPresentation {...ICON} />
          </IconButton>
        </div>
      )}
    </div>
  );
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

interface ToolProps {
  readonly tool: MapTool;
  readonly label: string;
  readonly children: React.ReactNode;
}

function Tool({ tool, label, children }: ToolProps) {
  const isOpen = useDashboard(state => state.tool === tool);
  return (
    <IconButton label={label} tooltip="right" aria-pressed={isOpen} onClick={() => openTool(isOpen ? null : tool)}>
      {children}
    </IconButton>
  );
}
