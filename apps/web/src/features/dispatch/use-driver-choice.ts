import { isOver, may, type Task, type TaskFit } from '@milepost/contract';
import { useState } from 'react';
import { useSession } from '../../base/session/session.ts';
import { endOfDay } from '../../format/time.ts';
import { type Fits, NO_TASK, useFits } from './use-fits.ts';

/** A task that looks for a driver, and what is known of each of them. */
export interface Search {
  readonly task: Task;
  /** Empty for nobody. */
  readonly chosen: string;
  /** What is known is of another task still. */
  readonly isChecking: boolean;
  readonly onChoose: (driverId: string) => void;
}

export interface DriverChoice {
  readonly seesHours: boolean;
  readonly answer: Fits;
  /** By fit for the open task; empty for users who may not see hours, and until they are known. */
  readonly fits: readonly TaskFit[];
  /** Null while no task is open that could be assigned. */
  readonly search: Search | null;
  /** Nothing is sent before the user assigns the task. */
  readonly choose: (taskId: string, driverId: string) => void;
}

/** Who could do the open task, and whom the user chose in the list or on the board. */
export function useDriverChoice(opened: Task | null, mayEdit: boolean, dayMs: number): DriverChoice {
  const seesHours = useSession(({ me }) => me !== null && may(me, 'logbook.read'));
  const [choice, setChoice] = useState({ taskId: '', driverId: '' });
  const task = opened && mayEdit && (opened.state === 'declined' || !isOver(opened.state)) ? opened : null;
  const wanted = task && { taskId: task.id, dueFrom: task.dueFrom, dueTo: task.dueTo, stops: task.stops };
  const answer = useFits(wanted ?? NO_TASK, { fromMs: dayMs, toMs: endOfDay(dayMs) }, seesHours);
  const choose = (taskId: string, driverId: string): void => setChoice({ taskId, driverId });
  const now = task === null || task.state === 'declined' ? '' : (task.driver?.id ?? '');
  return {
    seesHours,
    answer,
    fits: answer.data?.drivers ?? [],
    search: task && {
      task,
      chosen: choice.taskId === task.id ? choice.driverId : now,
      isChecking: answer.isPlaceholderData,
      onChoose: driverId => choose(task.id, driverId),
    },
    choose,
  };
}
