import type { MyDuty } from '@milepost/contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyChunk, loadChunk } from '../../../base/chunks/load-chunk.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { formatDuration } from '../../../format/duration.ts';
import { homeZone, otherZone } from '../../../logbook/home-time.ts';
import { dutyClock } from '../../../phone/duty-clock.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import styles from '../Driver.module.css';
import { isLocked } from '../locked.ts';
import { useDriverDuty } from '../store/driver-duty.ts';
import { useDutyNow } from '../store/use-duty.ts';
import { Actions } from './Actions.tsx';
import { DutyButtons } from './DutyButtons.tsx';
import { StatusCard } from './StatusCard.tsx';
import { SyncPill } from './SyncPill.tsx';
import { TeamRow } from './TeamRow.tsx';
import { ToDo } from './ToDo.tsx';

// The status and its buttons come first; the clocks, with the rules that give them, questions and tasks follow.
const HoursCard = lazyChunk(async () => (await import('./HoursCard.tsx')).HoursCard);
const loadQuestion = async () => (await import('./Question.tsx')).Question;
const Question = lazyChunk(loadQuestion);

const DriverTasks = withTexts(() => import('../../../tasks/MyTasks.tsx'), {
  tasks: () => import('../../../locales/en-US/tasks.json'),
});

/** The driver's first screen: status, buttons, clocks, and what is left to do. */
export function HomeView({ duty }: { readonly duty: MyDuty }) {
  const { t } = useTranslation('eldDriver');
  const now = useDutyNow(1000);
  const heardAtMs = useDriverDuty(state => state.heardAtMs);
  const cannotStore = useDriverDuty(state => state.cannotStore);
  useEffect(() => {
    // It may be asked where there is no network.
    loadChunk(loadQuestion).catch(() => {});
  }, []);
  const locked = isLocked(duty, heardAtMs, now);
  const tasksZone = otherZone(now, duty.dutyLog.timezone);
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
      <StatusCard duty={duty} now={now} />
      {locked ? <Notice>{t('moving')}</Notice> : <DutyButtons duty={duty} />}
      {!locked && <TeamRow duty={duty} />}
      <Part fallback={<div className={styles.hoursLoading} />}>
        <HoursCard duty={duty} now={now} />
      </Part>
      {!locked && <ToDo duty={duty} />}
      {tasksZone !== null && <p>{t('zones', { tasks: tasksZone, log: homeZone(now, duty.dutyLog.timezone) })}</p>}
      <Part>
        <DriverTasks isMoving={locked} />
      </Part>
      {!locked && (
        <>
          <Actions duty={duty} />
          <Part>{duty.question && <Question duty={duty} question={duty.question} now={now} />}</Part>
        </>
      )}
    </div>
  );
}
