import { isOver, type Task, type TaskState } from '@milepost/contract';

const NEVER = Number.POSITIVE_INFINITY;
/** What is under way comes before what is only planned. */
const RANK: Partial<Readonly<Record<TaskState, number>>> = { working: 0, arrived: 0, enroute: 1 };
const rankOf = ({ state }: Task): number => RANK[state] ?? 2;
const dueOf = ({ dueFrom, dueTo }: Task): number => Date.parse(dueFrom ?? dueTo ?? '') || NEVER;

function sooner(one: Task, other: Task): Task {
  const [rank, due] = [rankOf(one) - rankOf(other), dueOf(one) - dueOf(other)];
  // Two tasks without a window are equally due, but infinity minus infinity is not a number.
  const order = rank || (Number.isNaN(due) ? 0 : due) || Number(one.id) - Number(other.id);
  return order <= 0 ? one : other;
}

/** Finds what a vehicle or its driver does now, or else has to do next. */
export interface NextTasks {
  /** A task names its vehicle, or goes to whatever vehicle its driver has. */
  readonly of: (vehicleId: string, driverId: string | undefined) => Task | null;
}

export function nextTasks(tasks: readonly Task[]): NextTasks {
  const byVehicle = new Map<string, Task>();
  const byDriver = new Map<string, Task>();
  for (const task of tasks) {
    const { driver, vehicle, state } = task;
    if (driver === null || isOver(state)) continue;
    const [known, id] = vehicle ? ([byVehicle, vehicle.id] as const) : ([byDriver, driver.id] as const);
    const other = known.get(id);
    known.set(id, other ? sooner(other, task) : task);
  }
  return {
    of: (vehicleId, driverId) => {
      const ofVehicle = byVehicle.get(vehicleId);
      const ofDriver = driverId === undefined ? undefined : byDriver.get(driverId);
      return ofVehicle && ofDriver ? sooner(ofVehicle, ofDriver) : (ofVehicle ?? ofDriver ?? null);
    },
  };
}
