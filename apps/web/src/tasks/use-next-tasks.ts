import { may, type Task } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../base/session/session.ts';
import { endOfDay, startOfDay } from '../format/time.ts';
import { usePast } from '../live/past.ts';
import type { VehicleEntry } from '../live/vehicle-entry.ts';
import { useFromNow } from '../live/view.ts';
import { driverOf } from '../vehicles/vehicle-words.ts';
import { nextTasks } from './next-task.ts';
import { tasksQuery } from './use-tasks.ts';

/** Arrival times are worked out about this often. */
const REFRESH_MS = 60_000;

export type TaskOf = (entry: VehicleEntry) => Task | null;

/**
 * What each vehicle has to do next. Undefined if nobody has a task, the user may not see tasks, or the page shows the
 * past.
 */
export function useNextTasks(): TaskOf | undefined {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'tasks.read'));
  const isPast = usePast() !== undefined;
  const dayMs = useFromNow(startOfDay);
  const { data } = useQuery({
    ...tasksQuery(dayMs, endOfDay(dayMs)),
    enabled: mayRead && !isPast,
    refetchInterval: REFRESH_MS,
  });
  return useMemo(() => {
    if (!data?.some(({ driver }) => driver !== null) || isPast) return undefined;
    const next = nextTasks(data);
    return entry => next.of(entry.vehicle.id, driverOf(entry)?.id);
  }, [data, isPast]);
}
