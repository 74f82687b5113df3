import type { MyDuty } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { formatDuration } from '../../../format/duration.ts';
import { homeMoment } from '../../../logbook/home-time.ts';
import { dutyClock } from '../../../phone/duty-clock.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import styles from '../Driver.module.css';
import { LATER_TEXTS } from '../later-texts.ts';
import { isLocked } from '../locked.ts';
import { useDriverDuty } from '../store/driver-duty.ts';
import { useDutyNow } from '../store/use-duty.ts';
import { DutyButtons } from './DutyButtons.tsx';
import { StatusCard } from './StatusCard.tsx';
import { SyncPill } from './SyncPill.tsx';

/** Loads once the buttons are there, so that they are there sooner. */
const BelowButtons = withTexts(() => import('./BelowButtons.tsx'), LATER_TEXTS);

/** The driver's first screen: status, buttons, clocks, and what is left to do. */
export function HomeView({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation('eldDriver');
  const now = useDutyNow(1000);
  const heardAtMs = useDriverDuty(state => state.heardAtMs);
  const cannotStore = useDriverDuty(state => state.cannotStore);
  const locked = isLocked(duty, heardAtMs, now);
  const wrongByMs = dutyClock.wrongByMs();
  return (
    <div className={styles.page} data-page="flow">
      <header className={styles.head}>
        <Avatar name={duty.driver.name} kind="person" size={34} />
        <h1>{duty.driver.name}</h1>
        {duty.vehicle && <Plate>{duty.vehicle.deviceName}</Plate>}
        <SyncPill />
      </header>
      {cannotStore && <Notice tone="warning">{t('cannotStore')}</Notice>}
      {wrongByMs !== 0 && (
        <Notice tone="warning">{t('clockWrong', { duration: formatDuration(Math.abs(wrongByMs)) })}</Notice>
      )}
      {duty.row.standing && (
        <Notice tone="critical">
          {t('standing', { time: homeMoment(Date.parse(duty.row.standing.since), duty.row.timeZone) })}
        </Notice>
      )}
      <StatusCard duty={duty} now={now} />
      {locked ? <Notice>{t('moving')}</Notice> : <DutyButtons duty={duty} />}
      <Part fallback={<div className={styles.hoursLoading} />}>
        <BelowButtons duty={duty} now={now} isLocked={locked} />
      </Part>
    </div>
  );
}
