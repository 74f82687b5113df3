import { isOver, type Task } from '@milepost/contract';

/** Fields of a task that the office can change while its driver has it. */
const WATCHED = ['title', 'ref', 'dueFrom', 'dueTo', 'stops', 'notes', 'needsPhoto', 'needsSignature'] as const;
export type WatchedField = (typeof WATCHED)[number];

/** A change that the office made to a task that the driver had seen. */
export interface OfficeChange {
  /** The same for the same change, so that it is stored once. */
  readonly id: string;
  readonly title: string;
  readonly what: 'cancelled' | 'taken-away' | 'changed';
  /** The office's reason for canceling it. */
  readonly reason: string | null;
  readonly fields: readonly WatchedField[];
  /** When the phone learned of it, by the server's clock. */
  readonly atMs: number;
}

/**
 * What to tell a driver who has seen the list `before` and now gets `after`. Both are lists as the server sends them.
 */
export function officeChanges(before: readonly Task[], after: readonly Task[], atMs: number): OfficeChange[] {
  const now = new Map(after.map(task => [task.id, task]));
  return before.flatMap((known): OfficeChange[] => {
    // Finished tasks leave the list when they are old enough.
    if (isOver(known.state)) return [];
    const { id, title } = known;
    const task = now.get(id);
    if (!task) return [{ id: `${id} taken`, title, what: 'taken-away', reason: null, fields: [], atMs }];
    if (task.state === 'cancelled') {
      return [{ id: `${id} cancelled`, title, what: 'cancelled', reason: task.reason, fields: [], atMs }];
    }
    const fields = WATCHED.filter(field => JSON.stringify(task[field]) !== JSON.stringify(known[field]));
    if (fields.length === 0) return [];
    return [{ id: `${id} ${task.seqNo}`, title: task.title, what: 'changed', reason: null, fields, atMs }];
  });
}
