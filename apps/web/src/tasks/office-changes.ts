import { isOver, type Task } from '@milepost/contract';

/** What the desk can change about a task while its driver has it. */
const WATCHED = ['title', 'ref', 'dueFrom', 'dueTo', 'stops', 'notes', 'needsPhoto', 'needsSignature'] as const;
export type WatchedField = (typeof WATCHED)[number];

/** Something that the office did to a task that the driver had seen. */
export interface OfficeChange {
  /** The same change is kept once. */
  readonly id: string;
  readonly title: string;
  readonly what: 'cancelled' | 'taken-away' | 'changed';
  /** Why it was canceled, as the office says. */
  readonly reason: string | null;
  readonly fields: readonly WatchedField[];
  /** When the phone heard of it, by the server's clock. */
  readonly atMs: number;
}

/** What a driver has to know about `after`, having seen `before`: both lists as the server gives them. */
export function officeChanges(before: readonly Task[], after: readonly Task[], atMs: number): OfficeChange[] {
  const now = new Map(after.map(task => [task.id, task]));
  return before.flatMap((known): OfficeChange[] => {
    // What was over has left the list by its age.
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
