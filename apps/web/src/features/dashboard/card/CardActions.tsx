import { IconCopy, IconEyeDotted, IconFocus2, IconRoute, IconZoomScan } from '@tabler/icons-react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { copyCoordinates } from '../copy-coordinates.ts';
import { chooseTrail, follow, showOnlyVehicle, TRAILS, useDashboard } from '../state/dashboard-state.ts';
import styles from './CardActions.module.css';

interface Props {
  readonly entry: VehicleEntry;
  readonly onZoom: (imei: string) => void;
}

/** What can be done with the current vehicle from here. */
export function CardActions({ entry, onZoom }: Props) {
  const { t } = useTranslation('dashboard');
  const { imei } = entry.vehicle;
  const follows = useDashboard(state => state.follows);
  const only = useDashboard(state => state.only === imei);
  const trail = useDashboard(state => state.trail);
  const { place } = entry;
  return (
    <div className={styles.actions}>
      <Action icon={<IconFocus2 {...ICON} />} pressed={follows} disabled={!place} onClick={() => follow(!follows)}>
        {t('card.follow')}
      </Action>
      <Action icon={<IconZoomScan {...ICON} />} disabled={!place} onClick={() => onZoom(imei)}>
        {t('card.zoom')}
      </Action>
      <Menu
        trigger={props => (
          <Action {...props} icon={<IconRoute {...ICON} />}>
            {t('card.trail')}
          </Action>
        )}
      >
        {TRAILS.map(one => (
          <MenuItem key={one} checked={one === trail} onClick={() => chooseTrail(one)}>
            {t(`trail.${one}`)}
          </MenuItem>
        ))}
      </Menu>
      <Action
        icon={<IconEyeDotted {...ICON} />}
        pressed={only}
        disabled={!place}
        onClick={() => showOnlyVehicle(only ? null : imei)}
      >
        {t('card.only')}
      </Action>
      <Action icon={<IconCopy {...ICON} />} disabled={!place} onClick={() => place && void copyCoordinates(place)}>
        {t('card.copy')}
      </Action>
    </div>
  );
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;

interface ActionProps extends ComponentPropsWithRef<'button'> {
  readonly icon: ReactNode;
  readonly pressed?: boolean;
}

function Action({ icon, pressed, children, ...button }: ActionProps) {
  return (
    <button type="button" {...button} className={styles.action} aria-pressed={pressed}>
      {icon}
      <span>{children}</span>
    </button>
  );
}
