import type { RouteParsed, Task, TaskStop, updateTask } from '@milepost/contract';
import { changesBetween } from '../audit/audit.ts';
import type { TaskRow } from './store.ts';

/** A task's fields as columns, and as the audit log says them. */

export type Change = RouteParsed<typeof updateTask>['body'];

interface Fields {
  readonly title: string;
  readonly ref?: string | null | undefined;
  readonly priority: Task['priority'];
  readonly notes?: string | null | undefined;
  readonly dueFrom?: string | null | undefined;
  readonly dueTo?: string | null | undefined;
  readonly stops: readonly TaskStop[];
  readonly needsPhoto?: boolean | undefined;
  readonly needsSignature?: boolean | undefined;
  readonly answerBy?: string | null | undefined;
}

export type Columns = ReturnType<typeof columnsOf> & {
  readonly driver_id: number | null;
  readonly vehicle_id: number | null;
};

const dateOrNull = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

export const columnsOf = (fields: Fields) => ({
  title: fields.title,
  ref: fields.ref || null,
  priority: fields.priority,
  notes: fields.notes || null,
  due_from: dateOrNull(fields.dueFrom),
  due_to: dateOrNull(fields.dueTo),
  stops: JSON.stringify(fields.stops),
  needs_photo: fields.needsPhoto ?? false,
  needs_signature: fields.needsSignature ?? false,
  answer_by: dateOrNull(fields.answerBy),
});

/** Only what the change names. */
export function changed(change: Change) {
  const { title, ref, priority, notes, dueFrom, dueTo, stops, needsPhoto, needsSignature, answerBy } = change;
  return {
    ...(title !== undefined && { title }),
    ...(ref !== undefined && { ref: ref || null }),
    ...(priority !== undefined && { priority }),
    ...(notes !== undefined && { notes: notes || null }),
    ...(dueFrom !== undefined && { due_from: dateOrNull(dueFrom) }),
    ...(dueTo !== undefined && { due_to: dateOrNull(dueTo) }),
    ...(stops !== undefined && { stops: JSON.stringify(stops) }),
    ...(needsPhoto !== undefined && { needs_photo: needsPhoto }),
    ...(needsSignature !== undefined && { needs_signature: needsSignature }),
    ...(answerBy !== undefined && { answer_by: dateOrNull(answerBy) }),
  };
}

/** That a driver was given a task. */
export const assignment = (row: TaskRow) => ({
  action: 'task.assigned' as const,
  target: { id: row.driver_id ?? '', name: row.driver_name ?? '' },
  changes: changesBetween({}, { title: row.title, ref: row.ref }),
});

/** As the audit log says it. */
export const said = (row: TaskRow) => ({
  title: row.title,
  ref: row.ref,
  driver: row.driver_name,
  dueFrom: row.due_from?.toISOString() ?? null,
  dueTo: row.due_to?.toISOString() ?? null,
  stops: row.stops.map(({ name }) => name).join(' › '),
  priority: row.priority,
  needsPhoto: row.needs_photo,
  needsSignature: row.needs_signature,
});
