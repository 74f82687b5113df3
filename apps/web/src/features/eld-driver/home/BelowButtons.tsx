import type { MyDuty } from '@milepost/contract';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyChunk, loadChunk } from '../../../base/chunks/load-chunk.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { loggedPlaceWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { homeZone, otherZone } from '../../../logbook/home-time.ts';
import { Actions } from './Actions.tsx';
import { HoursCard } from './HoursCard.tsx';
import { TeamRow } from './TeamRow.tsx';
import { ToDo } from './ToDo.tsx';

const loadQuestion = async () => (await import('./Question.tsx')).Question;
const Question = lazyChunk(loadQuestion);
const loadSending = () => import('../store/send-everything.ts');

const DriverTasks = withTexts(() => import('../../../tasks/MyTasks.tsx'), {
  tasks: () => import('../../../locales/en-US/tasks.json'),
});

interface Props {
  readonly duty: MyDuty;
  readonly now: number;
  /** While the vehicle moves, only the clocks and the tasks' places show. */
  readonly isLocked: boolean;
}

/** What follows the status and its buttons: the clocks, with the rules that give them, what is left to do, tasks. */
export function Component({ duty, isLocked, now }: Props) {
  const { t } = useTranslation('eldDriverMore');
  useEffect(() => {
    // They may be needed where there is no network.
    loadChunk(loadQuestion).catch(() => {});
    loadChunk(loadSending).catch(() => {});
  }, []);
  const tasksZone = otherZone(now, duty.dutyLog.timezone);
  return (
    <>
      {!isLocked && <TeamRow duty={duty} />}
      <HoursCard duty={duty} now={now} />
      {!isLocked && <ToDo duty={duty} />}
      {tasksZone !== null && <p>{t('zones', { tasks: tasksZone, log: homeZone(now, duty.dutyLog.timezone) })}</p>}
      <Part>
        <DriverTasks isMoving={isLocked} />
      </Part>
      {!isLocked && (
        <>
          <Actions duty={duty} />
          <Part>{duty.question && <Question duty={duty} question={duty.question} now={now} />}</Part>
        </>
      )}
    </>
  );
}

/** A place in the log, in the reader's words; shown above the buttons, and loaded after them. */
export function LoggedPlace({ place }: { readonly place: string }) {
  const system = useMeasureSystem();
  return <span>{loggedPlaceWords(place, system)}</span>;
}
