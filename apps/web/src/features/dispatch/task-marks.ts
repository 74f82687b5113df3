import { isOver, isUnderWay, type Task } from '@milepost/contract';
import type { Spot } from '../../map/camera.ts';
import { stepAt, willBeLate } from '../../tasks/task-times.ts';

/** A stop on the map. */
export interface StopMark extends Spot {
  readonly taskId: string;
  readonly title: string;
  readonly name: string;
  /** Which stop of its task, from 0. */
  readonly stop: number;
  /** In the order in which its driver comes there; of a task that nobody has, within the task. */
  readonly number: number;
  readonly tone: 'over' | 'late' | 'running' | 'planned';
}

const dueOf = ({ dueFrom, dueTo }: Task): number => Date.parse(dueFrom ?? dueTo ?? '9999-01-01T00:00:00Z');
const hasBegun = ({ state }: Task): boolean => state === 'enroute' || state === 'arrived' || state === 'working';

/** A driver's tasks in the order in which they are done: as they ended, then what has begun, then as they are due. */
export function orderOf(tasks: readonly Task[]): readonly Task[] {
  const rank = (task: Task): number => (isOver(task.state) ? 0 : hasBegun(task) ? 1 : 2);
  const at = (task: Task): number => (isOver(task.state) ? (stepAt(task, task.state) ?? 0) : dueOf(task));
  return tasks.toSorted((a, b) => rank(a) - rank(b) || at(a) - at(b) || Number(a.id) - Number(b.id));
}

const isShown = ({ state }: Task): boolean => state !== 'cancelled' && state !== 'declined';
const byDriver = (tasks: readonly Task[]): ReadonlyMap<string, Task[]> =>
  Map.groupBy(tasks.filter(isShown), ({ driver, id }) => driver?.id ?? `open ${id}`);

/** The stops of all tasks, numbered for each driver. */
export const marksOf = (tasks: readonly Task[]): StopMark[] =>
  [...byDriver(tasks).values()].flatMap(own => {
    let number = 0;
    return orderOf(own).flatMap(task =>
      task.stops.map(({ lat, lon, name }, stop): StopMark => {
        number++;
        const tone = isOver(task.state)
          ? 'over'
          : willBeLate(task)
            ? 'late'
            : isUnderWay(task.state)
              ? 'running'
              : 'planned';
        return { lat, lon, name, stop, number, tone, taskId: task.id, title: task.title };
      }),
    );
  });

/**
 * Straight lines from each vehicle through the stops that are left, in their order; of one driver alone, if one of
 * their tasks is open.
 */
export function waysOf(tasks: readonly Task[], open: string | null, places: ReadonlyMap<string, Spot>): Spot[][] {
  const opened = tasks.find(({ id }) => id === open);
  const ways: Spot[][] = [];
  for (const own of byDriver(tasks).values()) {
    if (opened && !own.includes(opened)) continue;
    const left = orderOf(own).filter(task => !isOver(task.state));
    const imei = left.find(({ vehicle }) => vehicle !== null)?.vehicle?.imei;
    const start = imei === undefined ? undefined : places.get(imei);
    const stops = left.flatMap(task => {
      const isThere = task.state === 'arrived' || task.state === 'working';
      return isThere ? task.stops.slice(1) : task.stops;
    });
    const way = [...(start ? [start] : []), ...stops.map(({ lat, lon }) => ({ lat, lon }))];
    if (way.length > 1) ways.push(way);
  }
  return ways;
}
