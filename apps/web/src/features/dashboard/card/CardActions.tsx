import { type Actor, may } from '@milepost/contract';
import {
  IconDots,
  IconEyeDotted,
  IconFocus2,
  IconLock,
  IconPlayerTrackNext,
  IconShare2,
  IconTerminal2,
} from '@tabler/icons-react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../../base/session/session.ts';
import { usePast } from '../../../live/past.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { paths } from '../../../paths.ts';
import { Menu } from '../../../ui/Menu.tsx';
import { replayAt } from '../../../vehicles/day/replay-at.ts';
import { follow, openDialog, showOnlyVehicle, useDashboard } from '../state/dashboard-state.ts';
import styles from './CardActions.module.css';
import { MoreActions } from './MoreActions.tsx';

interface Props {
  readonly entry: VehicleEntry;
  readonly onZoom: (imei: string) => void;
}

/** Actions for the current vehicle. */
export function CardActions({ entry, onZoom }: Props) {
  const { t } = useTranslation('dashboard');
  const { id, imei } = entry.vehicle;
  const me = useSession(session => session.me);
  const follows = useDashboard(state => state.follows);
  const only = useDashboard(state => state.only);
  const { place } = entry;
  const past = usePast();
  const actions = (
    <div className={styles.actions}>
      <Action
        icon={<IconFocus2 {...ICON} />}
        pressed={follows}
        disabled={!place || past !== undefined}
        onClick={() => follow(!follows)}
      >
        {t('card.follow')}
      </Action>
      <Action
        icon={<IconEyeDotted {...ICON} />}
        pressed={only}
        disabled={!place}
        onClick={() => showOnlyVehicle(only ? null : imei)}
      >
        {t('card.only')}
      </Action>
      <Link className={styles.action} to={past ? replayAt(id, past.atMs) : paths.replay({ vehicles: [id] })}>
        <IconPlayerTrackNext {...ICON} />
        <span>{t('card.replay')}</span>
      </Link>
      {me && may(me, 'commands.read') && (
        <Action
          icon={<IconTerminal2 {...ICON} />}
          disabled={past !== undefined}
          onClick={() => openDialog('command', [imei])}
        >
          {t('card.command')}
        </Action>
      )}
      {mayUseShares(me) && (
        <Action icon={<IconShare2 {...ICON} />} onClick={() => openDialog('share', [imei])}>
          {t('card.share')}
        </Action>
      )}
      <Menu
        trigger={props => (
          <Action {...props} icon={<IconDots {...ICON} />}>
            {t('card.more')}
          </Action>
        )}
      >
        <MoreActions entry={entry} onZoom={onZoom} />
      </Menu>
    </div>
  );
  return (
    <>
      {actions}
      {past && <OnlyLive />}
    </>
  );
}

/** Says why some actions are disabled. */
function OnlyLive() {
  const { t } = useTranslation('timeTravel');
  return (
    <p className={styles.onlyLive}>
      <IconLock size={15} stroke={1.75} aria-hidden />
      {t('onlyLive')}
    </p>
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

/** Users who may only create share links see their own. */
const mayUseShares = (me: Actor | null): boolean => me !== null && (may(me, 'shares.read') || may(me, 'shares.write'));
