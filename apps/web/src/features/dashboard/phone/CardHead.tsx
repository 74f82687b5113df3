import { may } from '@milepost/contract';
import { IconPhone, IconPhonePlus, IconUserPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSession } from '../../../base/session/session.ts';
import { placeWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { usePast } from '../../../live/past.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { paths } from '../../../paths.ts';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { modelOf } from '../../../vehicles/vehicle-words.ts';
import { CardActions } from '../card/CardActions.tsx';
import { closeCard } from '../card/close-card.ts';
import { SpeedFigure } from '../card/NowTab.tsx';
import { Status } from '../card/Status.tsx';
import { telephone, useDriver } from '../card/use-driver.ts';
import { openDialog } from '../state/dashboard-state.ts';
import styles from './CardHead.module.css';

interface Props {
  readonly entry: VehicleEntry;
  readonly onZoom: (imei: string) => void;
}

/** The card's head on a phone: driver, call button, status and place, without opening anything. */
export function CardHead({ entry, onZoom }: Props) {
  const { t } = useTranslation('dashboard');
  const system = useMeasureSystem();
  const driver = useDriver(entry);
  const { vehicle, report, now } = entry;
  const place = report && placeWords(report, system);
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <h2>
          <Plate size="lg">{vehicle.deviceName}</Plate>
        </h2>
        <div className={styles.who}>
          <b data-none={driver === null || undefined}>{driver?.name ?? t('driver.none')}</b>
          <span>
            {[driver?.source && t(`driver.by.${driver.source}`), modelOf(vehicle)].filter(Boolean).join(' · ')}
          </span>
        </div>
        <IconButton label={t('card.close')} tooltip="none" onClick={() => closeCard(vehicle.imei)}>
          <IconX size={18} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
      <Status entry={entry} />
      <div className={styles.now}>
        <div>
          <SpeedFigure entry={entry} />
          {place && (
            <span className={styles.place}>
              {now.status === 'no-gps' && `${t('now.lastPlace')} · `}
              {place}
            </span>
          )}
        </div>
        <Reach entry={entry} />
      </div>
      <CardActions entry={entry} onZoom={onZoom} />
    </header>
  );
}

/** Calls the driver. If there is no driver or number, users who can fix that see what to do first. */
function Reach({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('dashboard');
  const me = useSession(session => session.me);
  const driver = useDriver(entry);
  const isPast = usePast() !== undefined;
  if (me === null) return null;
  if (driver === null) {
    if (isPast || !may(me, 'organisation.assign') || !may(me, 'drivers.read')) return null;
    return (
      <Button icon={<IconUserPlus {...ICON} />} onClick={() => openDialog('driver', [entry.vehicle.imei])}>
        {t('card.assignDriver')}
      </Button>
    );
  }
  const { id, name, phone } = driver;
  if (phone) {
    return (
      <a
        className={buttonLook({ variant: 'primary' })}
        href={telephone(phone)}
        aria-label={t('driver.callNamed', { name, phone })}
      >
        <IconPhone {...ICON} />
        {t('driver.call')}
      </a>
    );
  }
  if (phone === undefined) return null;
  if (!may(me, 'drivers.write')) return <span className={styles.none}>{t('driver.noPhone')}</span>;
  return (
    <Link
      className={buttonLook()}
      to={paths.opened(paths.personal(), id)}
      aria-label={t('driver.addPhoneOf', { name })}
    >
      <IconPhonePlus {...ICON} />
      {t('driver.addPhone')}
    </Link>
  );
}

const ICON = { size: 18, stroke: 1.75, 'aria-hidden': true } as const;
