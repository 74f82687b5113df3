import { listTaskFits, type RouteAnswer, type TaskStop } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../base/api.ts';

/** What decides who can make it; the task may not be saved yet. */
export interface Wanted {
  readonly taskId: string | null;
  readonly dueFrom: string | null;
  readonly dueTo: string | null;
  readonly stops: readonly TaskStop[];
}

/** The time whose duty statuses are wanted, in epoch milliseconds. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Fits {
  readonly data: RouteAnswer<typeof listTaskFits> | undefined;
  readonly error: Error | null;
  /** The answer is of another task or window still. */
  readonly isPlaceholderData: boolean;
}

/** No task: only what is left of each driver's hours. */
export const NO_TASK: Wanted = { taskId: null, dueFrom: null, dueTo: null, stops: [] };

/** Hours and positions change: asked again while they are shown. */
const AGAIN_MS = 60_000;

/** Which drivers can legally make a task. */
export function useFits(wanted: Wanted, span: Span | null, enabled = true): Fits {
  const duty = span && { from: new Date(span.fromMs).toISOString(), to: new Date(span.toMs).toISOString() };
  return useQuery({
    queryKey: ['tasks', 'fits', wanted, duty],
    queryFn: () => call(listTaskFits, { body: { ...wanted, stops: [...wanted.stops], ...(duty && { duty }) } }),
    refetchInterval: AGAIN_MS,
    placeholderData: before => before,
    enabled,
  });
}
