import { type BoardRow, listTasks, readBoard, type Task } from '@milepost/contract';
import { type Answer, when } from './answers.ts';

/** The logbook's board; without rows, the account keeps no logs. */
export const boardOf = (...rows: readonly BoardRow[]): Answer =>
  when(readBoard, {
    rows: [...rows],
    unidentified: { segments: 0, vehicles: 0, minutes: 0 },
    at: new Date().toISOString(),
  });

export const tasksAre = (...tasks: readonly Task[]): Answer => when(listTasks, [...tasks]);
