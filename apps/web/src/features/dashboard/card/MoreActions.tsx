import { may } from '@milepost/contract';
import {
  IconBellOff,
  IconClipboardList,
  IconCopy,
  IconEye,
  IconGridDots,
  IconMapPinShare,
  IconRadar2,
  IconUserPlus,
  IconZoomScan,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useSession } from '../../../base/session/session.ts';
import { navigationUrl } from '../../../format/navigation-url.ts';
import { usePast } from '../../../live/past.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { paths } from '../../../paths.ts';
import { MenuItem } from '../../../ui/Menu.tsx';
import { copyCoordinates, copyPlusCode } from '../copy.ts';
import { openDialog, openTool } from '../state/dashboard-state.ts';

interface Props {
  readonly entry: VehicleEntry;
  readonly onZoom: (imei: string) => void;
}

/** Less frequent actions; most need a position and are hidden without one. */
export function MoreActions({ entry, onZoom }: Props) {
  const { t } = useTranslation('dashboard');
  const navigate = useNavigate();
  const me = useSession(session => session.me);
  const isPast = usePast() !== undefined;
  const { vehicle, place } = entry;
  return (
    <>
      {place && (
        <>
          <MenuItem icon={<IconZoomScan {...ICON} />} onClick={() => onZoom(vehicle.imei)}>
            {t('card.zoom')}
          </MenuItem>
          <MenuItem icon={<IconRadar2 {...ICON} />} onClick={() => openTool('nearest')}>
            {t('card.nearest')}
          </MenuItem>
          <MenuItem icon={<IconCopy {...ICON} />} onClick={() => void copyCoordinates(place)}>
            {t('card.copyCoordinates')}
          </MenuItem>
          <MenuItem icon={<IconGridDots {...ICON} />} onClick={() => void copyPlusCode(place)}>
            {t('card.copyPlusCode')}
          </MenuItem>
          <MenuItem
            icon={<IconMapPinShare {...ICON} />}
            onClick={() =>
              window.open(
                navigationUrl(place, vehicle.deviceName, navigator.userAgent),
                '_blank',
                'noopener,noreferrer',
              )
            }
          >
            {t('card.navigate')}
          </MenuItem>
        </>
      )}
      {me && !isPast && may(me, 'tasks.read') && (
        <MenuItem
          icon={<IconClipboardList {...ICON} />}
          onClick={() => void navigate(paths.tasksOf(vehicle.deviceName))}
        >
          {t('card.tasks')}
        </MenuItem>
      )}
      {me && !isPast && entry.now.status === 'private' && may(me, 'privacy.write') && (
        <MenuItem icon={<IconEye {...ICON} />} onClick={() => void navigate(paths.hiddenPositions(vehicle.id))}>
          {t('card.openHidden')}
        </MenuItem>
      )}
      {me && !isPast && may(me, 'organisation.assign') && may(me, 'drivers.read') && (
        <MenuItem icon={<IconUserPlus {...ICON} />} onClick={() => openDialog('driver', [vehicle.imei])}>
          {t('card.assignDriver')}
        </MenuItem>
      )}
      {me && !isPast && may(me, 'alerts.write') && (
        <MenuItem icon={<IconBellOff {...ICON} />} onClick={() => openDialog('mute', [vehicle.imei])}>
          {t('card.mute')}
        </MenuItem>
      )}
    </>
  );
}

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;
