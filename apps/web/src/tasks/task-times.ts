import { isOver, isUnderWay, type Task } from '@milepost/contract';

const HOUR_MS = 3_600_000;

const ms = (iso: string | null): number | null => (iso === null ? null : Date.parse(iso));

/** When a state began; null if it never did. */
export const stepAt = ({ steps }: Pick<Task, 'steps'>, state: Task['state']): number | null =>
  ms(steps.findLast(step => step.state === state)?.at ?? null);

/** The driver is at the place and not finished. */
export const isThere = ({ state }: Pick<Task, 'state'>): boolean => state === 'arrived' || state === 'working';

/** Whether the time window is over and nobody has arrived. */
export function isLate(task: Task, nowMs: number): boolean {
  const due = ms(task.dueTo);
  if (due === null) return false;
  const arrived = stepAt(task, 'arrived') ?? stepAt(task, 'working') ?? stepAt(task, 'done');
  if (arrived !== null) return arrived > due;
  return !isOver(task.state) && nowMs > due;
}

/** The time that a task takes up on a board: its real times as far as known, otherwise its planned times. */
export function spanOf(task: Task, nowMs: number): { readonly fromMs: number; readonly toMs: number } {
  const begun = stepAt(task, 'enroute') ?? (isUnderWay(task.state) ? stepAt(task, 'accepted') : null);
  const [from, to] = [ms(task.dueFrom), ms(task.dueTo)];
  const fromMs = begun ?? from ?? (to === null ? (stepAt(task, 'assigned') ?? nowMs) : to - HOUR_MS);
  const ended = isOver(task.state) ? ms(task.steps.at(-1)?.at ?? null) : null;
  const planned = to ?? fromMs + HOUR_MS;
  const toMs = ended ?? (isUnderWay(task.state) ? Math.max(planned, nowMs) : planned);
  return { fromMs, toMs: Math.max(toMs, fromMs + HOUR_MS / 4) };
}

const UNKNOWN = ['no-place', 'no-vehicle', 'no-position', 'old-position', 'no-log', 'far-away'];

/** Its driver can't be there in time, as far as the last look at hours and distance says. */
export const willBeLate = ({ eta }: Pick<Task, 'eta'>): boolean =>
  eta?.reason != null && !UNKNOWN.includes(eta.reason.code);
