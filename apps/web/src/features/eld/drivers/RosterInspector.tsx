import { endDriverPhone, listDriverPhones, may, type RosterDriver, updateDriver } from '@milepost/contract';
import { IconArchive, IconArchiveOff, IconFileExport, IconQrcode } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../base/api.ts';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { useSession } from '../../../base/session/session.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { formatDate } from '../../../format/date.ts';
import { clockFigure } from '../../../format/duration.ts';
import { logDate } from '../../../logbook/home-time.ts';
import { MiniGraph } from '../../../logbook/MiniGraph.tsx';
import { PhoneList } from '../../../logbook/PhoneList.tsx';
import { wholeMinutes } from '../../../logbook/whole-minutes.ts';
import { paths } from '../../../paths.ts';
import { Inspector, InspectorBody, InspectorFoot } from '../../../registry/Inspector.tsx';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { FactList } from '../../../ui/FactList.tsx';
import { OutputFileDialog } from '../OutputFileDialog.tsx';
import { useWrite } from '../use-write.ts';
import { ArchiveDialog } from './ArchiveDialog.tsx';
import { HoursAhead } from './HoursAhead.tsx';
import styles from './Roster.module.css';
import type { RosterDays } from './roster-days.ts';

const InviteDialog = lazyPart(async () => (await import('./InviteDialog.tsx')).InviteDialog);
const SettingsForm = lazyPart(async () => (await import('./SettingsForm.tsx')).SettingsForm);

interface Props {
  readonly driver: RosterDriver;
  readonly days: RosterDays;
  readonly onClose: () => void;
}

/** One driver: license, days, log settings, and access to the app. */
export function RosterInspector({ driver, days, onClose }: Props) {
  const { t } = useTranslation(['eld', 'logbook']);
  const me = useSession(session => session.me);
  const mayWrite = me !== null && may(me, 'logbook.write');
  const mayInvite = me !== null && may(me, 'users.write') && may(me, 'drivers.write');
  const mayArchive = me !== null && may(me, 'drivers.write');
  const [dialog, setDialog] = useState<'file' | 'invite' | 'archive' | null>(null);
  const close = () => setDialog(null);
  const { name, licenceRegion, licenceNumber, licenceExpiresOn, terminal, ruleSet, userId } = driver;
  return (
    <Inspector
      id={driver.driverId}
      title={name}
      subtitle={[licenceRegion, licenceNumber].filter(Boolean).join(' ')}
      onClose={onClose}
    >
      <InspectorBody>
        <FactList
          facts={[
            [t('roster.ruleSet'), t(`logbook:ruleSet.${ruleSet}`)],
            [t('roster.terminal'), `${terminal.name} · ${terminal.timeZone.replaceAll('_', ' ')}`],
            [t('roster.licenceUntil'), licenceExpiresOn && formatDate(licenceExpiresOn)],
            [t('roster.app'), t(userId === null ? 'roster.noUser' : 'roster.hasUser')],
          ]}
        />
        {days.length > 0 && (
          <section className={styles.days} aria-label={t('roster.eightDays')}>
            <h3>{t('roster.eightDays')}</h3>
            <ul>
              {days.slice(0, 8).map(day => (
                <li key={day.date}>
                  <Link to={paths.eldLog(driver.driverId, day.date)}>{logDate(day.date)}</Link>
                  <MiniGraph day={day} />
                  <span>{clockFigure(wholeMinutes(day.totals).D)} D</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {driver.settings.keepsLog && !driver.archived && <HoursAhead driverId={driver.driverId} />}
        {mayWrite && <SettingsForm driver={driver} />}
        <Phones driverId={driver.driverId} mayEnd={mayWrite} />
        {mayArchive && (
          <p className={styles.more}>
            <Link to={paths.opened(paths.personal(), driver.driverId)}>{t('roster.person')}</Link>
          </p>
        )}
      </InspectorBody>
      <InspectorFoot>
        <div className={styles.foot}>
          <Link to={paths.eldLog(driver.driverId)} className={buttonLook({ variant: 'primary' })}>
            {t('roster.openLog')}
          </Link>
          <Button icon={<IconFileExport size={16} stroke={1.75} aria-hidden />} onClick={() => setDialog('file')}>
            {t('output.open')}
          </Button>
          {mayInvite && userId === null && !driver.archived && (
            <Button icon={<IconQrcode size={16} stroke={1.75} aria-hidden />} onClick={() => setDialog('invite')}>
              {t('invite.open')}
            </Button>
          )}
          {mayArchive && !driver.archived && (
            <Button icon={<IconArchive size={16} stroke={1.75} aria-hidden />} onClick={() => setDialog('archive')}>
              {t('archive.open')}
            </Button>
          )}
          {mayArchive && driver.archived && <Restore driver={driver} />}
        </div>
      </InspectorFoot>
      {dialog === 'file' && <OutputFileDialog driverId={driver.driverId} onClose={close} />}
      {dialog === 'invite' && <InviteDialog driver={driver} onClose={close} />}
      {dialog === 'archive' && (
        <ArchiveDialog
          driver={driver}
          onClose={close}
          onDone={() => {
            close();
            onClose();
          }}
        />
      )}
    </Inspector>
  );
}

/** Takes an archived driver back: the log goes on where it ended. */
function Restore({ driver: { driverId, name } }: Pick<Props, 'driver'>) {
  const { t } = useTranslation('eld');
  const { isPending, mutate } = useWrite(
    async () => {
      await call(updateDriver, { params: { id: driverId }, body: { archived: false } });
      await changedHere(['driver', driverId]);
    },
    t('archive.restored', { name }),
  );
  return (
    <Button icon={<IconArchiveOff size={16} stroke={1.75} aria-hidden />} busy={isPending} onClick={() => mutate()}>
      {t('archive.restore')}
    </Button>
  );
}

/** The phones that sign this driver's entries; a lost one is ended here. */
function Phones({ driverId, mayEnd }: { readonly driverId: string; readonly mayEnd: boolean }) {
  const { t } = useTranslation('logbook');
  const { data } = useQuery({
    queryKey: ['eld', 'phones', driverId],
    queryFn: () => call(listDriverPhones, { params: { driverId } }),
  });
  const { isPending, mutate } = useWrite(
    (id: string) => call(endDriverPhone, { params: { driverId, id } }),
    t('phones.endedNow'),
  );
  if (!data || data.length === 0) return null;
  return (
    <section className={styles.days} aria-label={t('phones.title')}>
      <h3>{t('phones.title')}</h3>
      <PhoneList phones={data} busy={isPending} onEnd={mayEnd ? id => mutate(id) : undefined} />
    </section>
  );
}
