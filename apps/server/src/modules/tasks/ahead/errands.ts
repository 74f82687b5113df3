import type { AccountTransaction } from '../../../db/database.ts';
import type { Errand } from './way.ts';

/** A task that a driver has and has not finished. */
export interface DriverErrand extends Errand {
  readonly id: number;
  readonly driverId: number;
  readonly title: string;
  readonly ref: string | null;
  /** As it was assigned. */
  readonly vehicleId: number | null;
}

/** The tasks of an account's drivers that are not over, and where each stands. */
export async function errandsOf(trx: AccountTransaction): Promise<DriverErrand[]> {
  const rows = await trx
    .selectFrom('task')
    .select(['id', 'driver_id', 'vehicle_id', 'title', 'ref', 'state', 'due_from', 'due_to', 'stops', 'changed_at'])
    .select(eb =>
      eb
        .selectFrom('task_step')
        .select(({ fn }) => fn.max('at').as('at'))
        .whereRef('task_step.task_id', '=', 'task.id')
        .where('task_step.state', 'in', ['arrived', 'working'])
        .as('arrived_at'),
    )
    .where('over_at', 'is', null)
    .where('driver_id', 'is not', null)
    .execute();
  return rows.flatMap(
    ({ id, driver_id, vehicle_id, title, ref, state, due_from, due_to, stops, arrived_at, changed_at }) => {
      if (driver_id === null) return [];
      const isThere = state === 'arrived' || state === 'working';
      const arrivedAt = isThere ? (arrived_at ?? changed_at).getTime() : null;
      const [dueFrom, dueTo] = [due_from?.getTime() ?? null, due_to?.getTime() ?? null];
      return [{ id, driverId: driver_id, vehicleId: vehicle_id, title, ref, state, dueFrom, dueTo, stops, arrivedAt }];
    },
  );
}

/** A task that nobody has yet, with the end of its window. */
export interface OpenErrand extends Errand {
  readonly id: number;
  readonly title: string;
  readonly ref: string | null;
}

/** The open tasks of an account that have a place and have to be done by a certain time. */
export async function openErrandsOf(trx: AccountTransaction): Promise<OpenErrand[]> {
  const rows = await trx
    .selectFrom('task')
    .select(['id', 'title', 'ref', 'state', 'due_from', 'due_to', 'stops'])
    .where('over_at', 'is', null)
    .where('driver_id', 'is', null)
    .where('due_to', 'is not', null)
    .execute();
  return rows
    .filter(({ stops }) => stops.length > 0)
    .map(({ due_from, due_to, ...row }) => ({
      ...{ ...row, arrivedAt: null },
      ...{ dueFrom: due_from?.getTime() ?? null, dueTo: due_to?.getTime() ?? null },
    }));
}
